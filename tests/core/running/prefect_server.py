"""A real Prefect server with our settings, as `postern up` starts it, on a database of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from prefect.settings import PREFECT_API_SSL_CERT_FILE, PREFECT_API_URL, temporary_settings

from data.settings import load_settings
from flows.core.prefect_env import build_prefect_environment
from tests.ports import free_port, is_answered

START_SECONDS = 500.0
SOON = {
    "PREFECT_SERVER_SERVICES_LATE_RUNS_AFTER_SECONDS": "2",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_LOOP_SECONDS": "3",
}
"""Settings of Prefect's that differ from ours, so that a test need not wait long."""


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    url: str
    certificate: str
    database: Path

    @property
    def port(self) -> str:
        """Return the port that it listens on."""
        return str(httpx.URL(self.url).port)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Let Prefect's client talk to this server while the body runs."""
        settings = {PREFECT_API_URL: self.url, PREFECT_API_SSL_CERT_FILE: self.certificate}
        with temporary_settings(settings):
            yield


@contextmanager
def real_server(home: Path) -> Iterator[Server]:
    """Run a server while the body runs."""
    port = free_port()
    settings = load_settings(home=home, prefect_port=port)
    home.mkdir(parents=True, exist_ok=True)
    environment = build_prefect_environment(settings)
    with (home / "prefect.out").open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)],
            env=os.environ | environment | SOON,
            stdout=out,
            stderr=out,
        )
    try:
        _wait(server, f"{settings.prefect_url}/health", home / "prefect.out")
        yield Server(
            settings.prefect_url,
            environment["PREFECT_API_SSL_CERT_FILE"],
            home / "prefect" / "prefect.db",
        )
    finally:
        server.terminate()
        server.wait(300)


def _wait(server: subprocess.Popen[bytes], address: str, said: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        if is_answered(address):
            return
        time.sleep(0.3)
    raise AssertionError(said.read_text()[-3000:])
