"""A real Prefect server with our settings, as `postern up` starts it, on a database of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prefect.settings import PREFECT_API_SSL_CERT_FILE, PREFECT_API_URL, temporary_settings

from data.settings import load_settings
from flows.core.prefect_env import prefect_environment
from tests.ports import free_port, is_answered

START_SECONDS = 500.0


@contextmanager
def real_server(home: Path, **changed: str) -> Iterator[Path]:
    """Run the server while the body runs, which talks to it; give the path of its database.

    `changed` are settings of Prefect's that differ from ours, so that a test need not wait long.
    """
    port = free_port()
    settings = load_settings(home=home, prefect_port=port)
    home.mkdir(parents=True, exist_ok=True)
    environment = prefect_environment(settings)
    with (home / "prefect.out").open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)],
            env=os.environ | environment | changed,
            stdout=out,
            stderr=out,
        )
    try:
        _wait(server, f"{settings.prefect_url}/health", home / "prefect.out")
        certificate = environment["PREFECT_API_SSL_CERT_FILE"]
        with temporary_settings(
            {PREFECT_API_URL: settings.prefect_url, PREFECT_API_SSL_CERT_FILE: certificate}
        ):
            yield home / "prefect" / "prefect.db"
    finally:
        server.terminate()
        server.wait(60)


def _wait(server: subprocess.Popen[bytes], address: str, said: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        if is_answered(address):
            return
        time.sleep(0.3)
    raise AssertionError(said.read_text()[-3000:])
