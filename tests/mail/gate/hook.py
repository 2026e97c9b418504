"""An endpoint on loopback that answers as it is told to."""

import base64
import json
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat

import pytest

from connectors.webhook import verify

HANG = 0
"""In the place of a status: never answer."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Take a delivery."""
        hook = self.server
        assert isinstance(hook, Hook)
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:
            # The client was killed between its headers and its body: nothing has been delivered.
            self.close_connection = True
            return
        status, headers = hook.next_answer()
        hook.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
        if status == HANG:
            hook.hang()
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Hook(ThreadingHTTPServer):
    """Answers with the statuses given, one after the other, and then always with 204."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.released = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/mail"
        self._answers: Iterator[tuple[int, dict[str, str]]] = repeat((204, {}))
        self._lock = threading.Lock()
        self._open = self.most_open = 0
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, *answers: int | tuple[int, dict[str, str]], ever: int = 204) -> None:
        """Set the next answers: a status, or a status with header fields."""
        whole = [(one, {}) if isinstance(one, int) else one for one in answers]
        self._answers = chain(whole, repeat((ever, {})))

    def hang(self) -> None:
        """Wait until the answers are not wanted any more; count who waits at once."""
        with self._lock:
            self._open += 1
            self.most_open = max(self.most_open, self._open)
        self.released.wait(60)
        with self._lock:
            self._open -= 1

    def next_answer(self) -> tuple[int, dict[str, str]]:
        """Return the next answer."""
        with self._lock:
            return next(self._answers)

    def verified(self, secret: str) -> Sequence[tuple[str, bytes]]:
        """Return (webhook-id, message) of everything heard; raises when a signature is wrong."""
        found = []
        for headers, body in self.heard:
            at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
            found.append(
                (
                    verify(secret, headers, body, at),
                    base64.b64decode(json.loads(body)["data"]["raw"]),
                )
            )
        return found

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about clients that leave."""


@pytest.fixture
def hook() -> Iterator[Hook]:
    """Return an endpoint on loopback."""
    with Hook() as running:
        yield running
        running.released.set()
        running.shutdown()
