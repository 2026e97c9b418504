"""A receiver on a free port, in this process or as a process of its own."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors.receiver import Limits, serve
from connectors.routes import write_routes
from connectors.spool import Spool
from data.records.core.organization import Route, RouteMode
from data.settings import Settings, load_settings
from tests.ports import free_port

ROUTES = [
    Route(pattern="help@harbor.example", organization="harbor"),
    Route(pattern="*@lamps.example", organization="lamps", mode=RouteMode.ACCEPT),
    Route(pattern="postmaster@*", organization="harbor", mode=RouteMode.HOLD),
    Route(pattern="gone@harbor.example", organization="harbor", mode=RouteMode.BOUNCE),
    Route(pattern="secret@harbor.example", organization="harbor", mode=RouteMode.REJECT),
    Route(pattern="hook@harbor.example", organization="harbor", mode=RouteMode.ENDPOINT),
]

SERVE = """
import json, resource, sys
from pathlib import Path
from data.settings import load_settings
from connectors.receiver import run_receiver
given = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
files = given.pop("open_files", 0)
if files:
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
run_receiver(load_settings(home=Path(sys.argv[1]), smtp_port=int(sys.argv[2]), **given))
"""


def wait_for_port(port: int, seconds: float = 120) -> None:
    """Return once something accepts on the port."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing listens on {port}")


def until(condition: Callable[[], bool], seconds: float = 120) -> float:
    """Return after how many seconds the condition holds."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it did not come about"
        time.sleep(0.05)
    return time.monotonic() - began


class RunningReceiver:
    """A receiver in a thread of this process, with its spool at hand."""

    def __init__(
        self,
        home: Path,
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
        **given: object,
    ) -> None:
        self._tls = tls
        self.settings: Settings = load_settings(home=home, smtp_port=free_port(), **given)
        write_routes(self.settings.routes_file, ROUTES, 1)
        self._limits = limits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.settings.smtp_port

    @property
    def spool(self) -> Spool:
        """The spool it writes to, opened anew."""
        return Spool(self.settings.spool)

    def messages(self) -> list[bytes]:
        """Return what waits in the spool, in order."""
        spool = self.spool
        return [spool.read(entry)[1] for entry in spool.list_waiting(10_000)]

    def _run(self) -> None:
        async def main() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            await serve(
                self.settings,
                limits=self._limits,
                ready=self._ready.set,
                stop=self._stop,
                tls=self._tls,
            )

        asyncio.run(main())

    def start(self) -> "RunningReceiver":
        """Begin, and return once the port is bound."""
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def stop(self) -> None:
        """End in an orderly way, and fail if that takes too long."""
        if self._thread.is_alive():
            assert self._loop is not None
            assert self._stop is not None
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(100)
        assert not self._thread.is_alive()


@pytest.fixture
def start_receiver(tmp_path: Path) -> Iterator[Callable[..., RunningReceiver]]:
    """Start receivers with given limits and settings; all are stopped at the end."""
    running: list[RunningReceiver] = []

    def start(
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
        home: Path | None = None,
        **given: object,
    ) -> RunningReceiver:
        home = home or tmp_path / f"home{len(running)}"
        receiver = RunningReceiver(home, limits, tls, **given).start()
        running.append(receiver)
        return receiver

    yield start
    for receiver in running:
        receiver.stop()


@pytest.fixture
def receiver(start_receiver: Callable[..., RunningReceiver]) -> RunningReceiver:
    """Return a receiver with the limits that the settings give."""
    return start_receiver()


class Wire:
    """A raw SMTP connection for tests that must say exactly what goes over it."""

    def __init__(self, port: int, *, greet: bool = True) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._file = self.socket.makefile("rb")
        if greet:
            assert self.reply().startswith("220")
            assert self.say("EHLO client.example").startswith("250")

    def reply(self) -> str:
        """Return a whole reply, its lines joined; empty at the end of the connection."""
        lines = []
        while True:
            line = self._file.readline().decode()
            lines.append(line.rstrip("\r\n"))
            if len(line) < 4 or line[3] != "-":
                return "\n".join(lines)

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.socket.sendall(data)

    def say(self, command: str) -> str:
        """Send a command and return its reply."""
        self.send(command.encode() + b"\r\n")
        return self.reply()

    def begin(
        self, sender: str = "ann@out.example", recipient: str = "help@harbor.example"
    ) -> None:
        """Go on to the point where the server waits for the message."""
        assert self.say(f"MAIL FROM:<{sender}>").startswith("250")
        assert self.say(f"RCPT TO:<{recipient}>").startswith("250")
        assert self.say("DATA").startswith("354")

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self.socket.close()


@pytest.fixture
def dial() -> Iterator[Callable[..., Wire]]:
    """Open raw connections; all are closed at the end."""
    wires: list[Wire] = []

    def connect(port: int, *, greet: bool = True) -> Wire:
        wires.append(Wire(port, greet=greet))
        return wires[-1]

    yield connect
    for wire in wires:
        wire.close()


class ReceiverProcess:
    """A receiver as a process of its own, which can be killed.

    `given` are settings, and `open_files` the most descriptors it may have.
    """

    def __init__(self, home: Path, **given: object) -> None:
        self.home, self.port, self.given = home, free_port(), given
        self.process: subprocess.Popen[bytes] | None = None
        write_routes(home / "routes.json", ROUTES, 1)

    def _command(self) -> list[str]:
        place = [str(self.home), str(self.port)]
        return [sys.executable, "-c", SERVE, *place, json.dumps(self.given)]

    def fail(self) -> str:
        """Start a process that cannot run; return what it says."""
        env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        done = subprocess.run(
            self._command(), env=env, timeout=120, check=False, capture_output=True, text=True
        )
        assert done.returncode != 0
        return done.stderr

    def start(self, *before: str) -> "ReceiverProcess":
        """Start the process, under the command `before`, and wait for its port."""
        self.process = subprocess.Popen(
            [*before, *self._command()],
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
            start_new_session=True,
        )
        wait_for_port(self.port)
        return self

    @property
    def pid(self) -> int:
        """The id of the process, which is also that of its group."""
        assert self.process is not None
        return self.process.pid

    def children(self) -> list[int]:
        """Return the ids of the processes that it has started."""
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [int(pid) for pid in found]

    def end(self, number: int = signal.SIGKILL) -> int:
        """Send a signal to the whole group and return the exit status."""
        assert self.process is not None
        os.killpg(self.pid, number)
        return self.process.wait(100)

    def spool(self) -> Spool:
        """Open the spool it writes to."""
        return Spool(self.home / "spool")


@pytest.fixture
def receiver_process(tmp_path: Path) -> Iterator[ReceiverProcess]:
    """Return a receiver process that is not started yet."""
    with made_processes() as make:
        yield make(tmp_path / "home")


@pytest.fixture
def make_process(tmp_path: Path) -> Iterator[Callable[..., ReceiverProcess]]:
    """Make receiver processes with given settings; all are ended."""
    with made_processes() as make:
        yield lambda home=tmp_path / "home", **given: make(home, **given)


@contextlib.contextmanager
def made_processes() -> Iterator[Callable[..., ReceiverProcess]]:
    """Make receiver processes, and kill what is left of them at the end."""
    made: list[ReceiverProcess] = []

    def make(home: Path, **given: object) -> ReceiverProcess:
        made.append(ReceiverProcess(home, **given))
        return made[-1]

    yield make
    for receiver in made:
        if receiver.process is not None and receiver.process.poll() is None:
            receiver.end()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a key and a certificate for 127.0.0.1, signed by itself."""
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext"
    subprocess.run(
        [*command.split(), "subjectAltName=IP:127.0.0.1", "-keyout", path, "-out", f"{path}.crt"],
        check=True,
        capture_output=True,
    )
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path
