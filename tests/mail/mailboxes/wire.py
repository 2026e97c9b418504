"""A wire between a poll and its server that can break after so many bytes."""

import socket
import threading
from types import TracebackType
from typing import Self

from tests.ports import free_port


class BreakingWire:
    """Passes bytes on; each connection breaks once the server has said `limit` bytes."""

    def __init__(self, server_port: int) -> None:
        self.port, self.limit = free_port(), 0
        self.broken = 0
        self._server_port = server_port
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._begin(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening, and wait for what is under way."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(100)
        for one in self._sockets:
            one.close()

    def _begin(self, act: object, *given: object) -> None:
        thread = threading.Thread(target=act, args=given)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            self._sockets += [client, server]
            self._begin(self._pass, client, server, 0)
            self._begin(self._pass, server, client, self.limit)

    def _pass(self, source: socket.socket, target: socket.socket, limit: int) -> None:
        passed = 0
        try:
            while chunk := source.recv(1024):
                if limit and passed + len(chunk) > limit:
                    target.sendall(chunk[: limit - passed])
                    self.broken += 1
                    break
                target.sendall(chunk)
                passed += len(chunk)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
