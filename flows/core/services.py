"""The four processes of Postern as children of the supervisor, and whether their ports are free."""

import json
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from data.errors import PortTakenError, SettingsError
from data.one_thread import ONE_THREAD
from data.settings import Settings, in_url
from flows.core.children import ChildSpec
from flows.core.prefect_env import build_prefect_environment

WINDOW = Path(__file__).resolve().parents[2] / "ui" / "app.py"


def list_services(settings: Settings) -> list[ChildSpec]:
    """Return the children in the order of starting; stopping goes the other way.

    The engine waits for Prefect by itself and the receiver needs nobody, so all start at once.
    """
    environment = build_process_environment(settings)
    host, port = settings.host, str(settings.prefect_port)
    return [
        ChildSpec(
            name="prefect",
            argv=[
                *(sys.executable, "-m", "prefect", "server", "start"),
                *("--host", host, "--port", port, "--analytics-off"),
            ],
            env=environment,
            ready_url=_build_url(host, settings.prefect_port, "/api/health"),
        ),
        ChildSpec(
            name="engine",
            argv=[sys.executable, "-m", "flows.cli", "engine"],
            env=environment,
            ready_url=_build_url(host, settings.api_port, "/healthz"),
        ),
        ChildSpec(
            name="receiver",
            argv=[sys.executable, "-m", "flows.cli", "receive"],
            env=environment,
            ready_port=settings.smtp_port,
            ready_host=find_reachable_host(settings.smtp_host),
        ),
        ChildSpec(
            name="ui",
            argv=build_window_command(settings),
            env=environment,
            ready_url=_build_url(host, settings.ui_port, "/_stcore/health"),
        ),
    ]


def build_window_command(settings: Settings) -> list[str]:
    """Return what starts the review window."""
    return [
        *(sys.executable, "-m", "streamlit", "run", str(WINDOW)),
        *("--server.port", str(settings.ui_port), "--server.address", settings.host),
        *("--server.headless=true", "--browser.gatherUsageStats=false"),
        *("--server.maxUploadSize", str(max(3, settings.letter_file_mb) + 1)),
        *("--global.developmentMode=false", "--logger.level=warning"),
        "--server.fileWatcherType=none",  # nobody edits it here; watching asks for each file
    ]


def build_process_environment(settings: Settings) -> dict[str, str]:
    """Return what every child is started with: our settings as they are here, and silence.

    Settings that were given on the command line reach the children through it, so that all of
    them open the same home and the same ports.
    """
    variables_given = {
        f"POSTERN_{name.upper()}": _as_variable(getattr(settings, name))
        for name in settings.model_fields_set
        if name in HANDED_ON
    }
    return {
        **build_prefect_environment(settings),
        **variables_given,
        "POSTERN_HOME": str(settings.home.resolve()),
        # Many threads and glibc's arena for each cost the engine 60 MB that nobody uses again.
        "MALLOC_ARENA_MAX": "2",
        "MALLOC_TRIM_THRESHOLD_": "65536",
        **ONE_THREAD,
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
        "PYTHONPATH": os.pathsep.join(_build_import_path()),
    }


HANDED_ON = (
    "host", "smtp_host", "smtp_port", "api_port", "ui_port", "prefect_port",
    "trusted_authserv_ids", "transport",
)  # fmt: skip
"""Settings that are handed on by environment; the rest the children read for themselves."""


def _as_variable(value: object) -> str:
    """Return a setting as its variable is written: a list as JSON."""
    return json.dumps(value) if isinstance(value, tuple) else str(value)


def _build_import_path() -> list[str]:
    """Streamlit puts `ui/` first on its path, so the folder of our packages is named to it."""
    root = str(WINDOW.parent.parent)
    python_path = os.environ.get("PYTHONPATH", "")
    return [root, *(part for part in python_path.split(os.pathsep) if part and part != root)]


def list_ports(settings: Settings) -> dict[str, tuple[str, int]]:
    """Return where each process listens, by the name of the port's setting."""
    return {
        "prefect_port": (settings.host, settings.prefect_port),
        "api_port": (settings.host, settings.api_port),
        "smtp_port": (settings.smtp_host, settings.smtp_port),
        "ui_port": (settings.host, settings.ui_port),
    }


def check_ports(settings: Settings, names: Sequence[str] = ()) -> None:
    """Bind every port once, or those of the settings named.

    Raises:
        PortTakenError: one is in use, or two settings name the same; names the setting.
        SettingsError: an address is not one of this machine, or the port may not be bound.

    """
    name_by_port: dict[int, str] = {}
    for name, (host, port) in list_ports(settings).items():
        if names and name not in names:
            continue
        if port in name_by_port:
            raise PortTakenError(
                f"settings {name_by_port[port]!r} and {name!r} are both {port}; "
                "set one to another port"
            )
        name_by_port[port] = name
        _bind_port(name, host, port)


def _bind_port(name: str, host: str, port: int) -> None:
    address = "smtp_host" if name == "smtp_port" else "host"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError as error:
            raise SettingsError(
                f"port {port} may not be used by this account; set {name!r} to one above 1023"
            ) from error
        except OSError as error:
            if error.errno not in (98, 48):  # EADDRINUSE on Linux, on macOS
                raise SettingsError(
                    f"cannot listen on {host!r}: {error.strerror or error}; mend {address!r}"
                ) from error
            raise PortTakenError(
                f"port {port} on {host!r} is in use; set {name!r} "
                f"(POSTERN_{name.upper()}) to a free one, or stop what uses it"
            ) from error


def find_reachable_host(host: str) -> str:
    """Return the address under which a listener on `host` is reached from this machine."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  # compared
    return everywhere.get(host, host)


def _build_url(host: str, port: int, path: str) -> str:
    """Return the URL under which a listener is reached from this machine."""
    return f"http://{in_url(find_reachable_host(host))}:{port}{path}"


def build_case_address(settings: Settings, case_id: str) -> str:
    """Return where the review window shows a case."""
    return build_window_address(settings, f"/review?case={case_id}")


def build_chat_address(settings: Settings, chat_id: str) -> str:
    """Return where the window shows a chat."""
    return build_window_address(settings, f"/chats?chat={chat_id}")


def build_window_address(settings: Settings, page: str) -> str:
    """Return the whole address of a page of the window; `page` is its path and query."""
    return _build_url(settings.host, settings.ui_port, page)


def build_run_address(settings: Settings, run_id: str) -> str:
    """Return where Prefect shows a flow run."""
    return _build_url(settings.host, settings.prefect_port, f"/runs/flow-run/{run_id}")


def build_setup_address(settings: Settings, secret: str) -> str:
    """Return where the window lets the first organization be made."""
    return build_window_address(settings, f"/?setup={secret}")


def list_addresses(settings: Settings, token: str = "") -> dict[str, str]:
    """Return the three addresses that a person opens, by what they show."""
    return {
        "Review window": build_window_address(settings, f"/?token={token}" if token else "/"),
        "Prefect": _build_url(settings.host, settings.prefect_port, "/"),
        "API": _build_url(settings.host, settings.api_port, "/docs"),
    }
