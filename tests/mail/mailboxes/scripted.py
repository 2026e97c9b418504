"""An IMAP server that knows a few orders and falls silent at one of them."""

import base64
import io
import socket
import threading
from types import TracebackType
from typing import Self


class ScriptedServer:
    """Lets anybody in, and answers nothing any more once it hears `silent`."""

    def __init__(self, capabilities: str = "", silent: str = "") -> None:
        self.capabilities, self.silent = f"IMAP4rev1 {capabilities}".strip(), silent
        self.heard: list[str] = []
        """Orders, in upper case, without their arguments."""
        self.fell_silent = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._over = threading.Event()

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the one who waits go, and end."""
        self._over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(100)

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        with client, client.makefile("rwb") as line:
            try:
                self._talk(line)
            except OSError:
                return

    def _talk(self, line: io.BufferedRWPair) -> None:
        def say(*words: str) -> None:
            line.write("".join(f"{word}\r\n" for word in words).encode())
            line.flush()

        say(f"* OK [CAPABILITY {self.capabilities}] ready")
        while order := line.readline().decode():
            tag, _, rest = order.strip().partition(" ")
            name = rest.split(" ")[0].upper()
            self.heard.append(name)
            if name == self.silent:
                self.fell_silent.set()
                self._over.wait(120)
                return
            if name == "CAPABILITY":
                say(f"* CAPABILITY {self.capabilities}")
            if name == "AUTHENTICATE":
                say("+ ")
                self.heard.append(base64.b64decode(line.readline()).decode())
            say(f"{tag} OK done")
            if name == "LOGOUT":
                return
