"""A stand-in for embedding servers on loopback, driven by a script of answers."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tasks.core.words.letters import embed_letters


@dataclass
class EmbeddingServer:
    """Answers with letter vectors, or with what `script` says next: a status, a body, octets."""

    url: str = ""
    requests: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    """Path, body and Authorization of each request."""
    script: list[int | object] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    """Fields of each answer, beside its own."""
    width: int = 256
    """Numbers of a vector that are given."""


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """Run the stand-in on a free port of loopback until the block ends."""
    known = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            known.requests.append((self.path, body, self.headers.get("authorization", "")))
            said = known.script.pop(0) if known.script else 200
            status = said if isinstance(said, int) else 200
            answer = (
                said
                if not isinstance(said, int)
                else _vectors(self.path, body["input"], known.width)
            )
            payload = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(payload)))
            if status == 429:
                known.headers.setdefault("retry-after", "0")
            for name, value in known.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield known
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def dripping_server() -> Iterator[str]:
    """Run a server whose answers come an octet at a time and never end; give its address."""
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.end_headers()
            while not ended.wait(0.05):
                try:
                    self.wfile.write(b" ")
                except OSError:
                    return

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _vectors(path: str, texts: list[str], width: int) -> object:
    rows = (embed_letters(texts) * 3)[:, :width].tolist()
    if path == "/api/embed":
        return {"embeddings": rows}
    numbered = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
    return {"data": numbered[::-1]}
