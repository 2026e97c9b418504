"""A server that is busy for a moment holds no flow run up; what is deployed stands in a file."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import prefect
import pytest
from prefect.context import AsyncClientContext
from prefect.settings import PREFECT_API_URL, temporary_settings

from data.errors import ManifestError
from flows.running.deployments import declared
from flows.running.prefect_client import patient_client

BUSY = 5
"""Answers of 503 in a row; with the client's own pauses they take about a minute."""


class Server(BaseHTTPRequestHandler):
    """Tells its version, and is busy before it answers anything else."""

    asked: ClassVar[Counter[str]] = Counter()

    def do_GET(self) -> None:
        """Answer."""
        self.asked[self.path] += 1
        busy = self.path.endswith("/hello") and self.asked[self.path] <= BUSY
        content = json.dumps(prefect.__version__).encode()
        self.send_response(503 if busy else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Return the address of a busy server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_busy_server_is_asked_again_soon(address: str) -> None:
    """Five refusals cost less than half of what the client would wait by itself."""
    with temporary_settings({PREFECT_API_URL: address}):
        async with asyncio.timeout(30), patient_client():
            client = AsyncClientContext.get()
            assert client is not None
            answer = await client.client.hello()
    assert answer.status_code == 200
    assert Server.asked["/api/hello"] == BUSY + 1


@pytest.mark.parametrize("content", ["", "deployments:", "- sync", "deployments: [{name: sync}]"])
def test_a_file_without_deployments_is_refused_in_a_sentence(tmp_path: Path, content: str) -> None:
    """An empty one too: the engine says what to restore."""
    file = tmp_path / "prefect.yaml"
    file.write_text(content)
    with pytest.raises(ManifestError, match="cannot be used"):
        declared(file)
