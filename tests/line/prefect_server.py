"""A real Prefect server with our settings, as `postern up` starts it, on a database of its own."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from prefect.settings import PREFECT_API_SSL_CERT_FILE, PREFECT_API_URL, temporary_settings

from data.settings import load_settings
from flows.core.prefect_env import prefect_environment
from tests.copies import folder_of_process
from tests.ports import is_answered

START_SECONDS = 500.0
_prepared: list[Path] = []
"""The database of the first server of this process as it was when that server was ready."""


@contextmanager
def real_server(home: Path, **changed: str) -> Iterator[Path]:
    """Run the server while the body runs, which talks to it; give the path of its database.

    To make its tables takes a server 5 s of processor time, more than all the rest of its start.
    So the first server of a process makes them, and each later one begins with a copy of them.
    `changed` are settings of Prefect's that differ from ours, so that a test need not wait long.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    settings = load_settings(home=home, prefect_port=port)
    database = home / "prefect" / "prefect.db"
    database.parent.mkdir(parents=True, exist_ok=True)
    if _prepared:
        shutil.copyfile(_prepared[0], database)
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
        if not _prepared:
            _prepared.append(_copy_database(database))
        certificate = environment["PREFECT_API_SSL_CERT_FILE"]
        with temporary_settings(
            {PREFECT_API_URL: settings.prefect_url, PREFECT_API_SSL_CERT_FILE: certificate}
        ):
            yield database
    finally:
        server.terminate()
        server.wait(60)


def port_of_server() -> int:
    """Return the port of the server that runs."""
    return int(str(PREFECT_API_URL.value()).rsplit(":", 1)[1].partition("/")[0])


def _copy_database(path: Path) -> Path:
    """Copy the database of a server that runs, as of one moment."""
    copied = folder_of_process() / "prefect.db"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copied)) as target:
        source.backup(target)
    return copied


def _wait(server: subprocess.Popen[bytes], address: str, said: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        if is_answered(address):
            return
        time.sleep(0.3)
    raise AssertionError(said.read_text()[-3000:])
