"""A provider of access tokens on loopback: a token endpoint, and what a mail server asks of it."""

import json
import ssl
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs

from tests.mail.mailboxes.dovecot import USER

CLIENT, CLIENT_SECRET, REFRESH = "teasel-desk", "warp-and-weft-41", "1//refresh-shuttle-0"


@dataclass
class Provider:
    """Gives tokens for `REFRESH` or for the client alone, and tells whose a token is."""

    lasts: object = 3600
    rotates: bool = False
    """Whether each use of a refresh token gives another, and ends the one that was shown."""
    answers: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """What the token endpoint says before it works as it should."""
    asked: list[dict[str, str]] = field(default_factory=list)
    """Forms that came to the token endpoint."""
    alive: set[str] = field(default_factory=set)
    """Access tokens that mail servers may accept."""
    unknown: tuple[int, dict[str, Any]] = (200, {"email": USER, "active": "false"})
    """What a mail server hears of other access tokens (RFC 7662 section 2.2)."""
    refresh: str = REFRESH
    given: int = 0
    tls: Path | None = None
    """Folder of a certificate, to speak https."""

    def __enter__(self) -> Self:
        """Begin to listen."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                provider.asked.append(form)
                self._say(*provider.token(form))

            def do_GET(self) -> None:
                token = (self.headers["Authorization"] or "").removeprefix("Bearer ")
                known = token in provider.alive
                self._say(
                    *((200, {"email": USER, "active": "true"}) if known else provider.unknown)
                )

            def _say(self, status: int, answer: dict[str, Any]) -> None:
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: object) -> None:
                del format, arguments

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if self.tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.tls / "certificate.pem", self.tls / "key.pem")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Return what the token endpoint answers (RFC 6749 sections 5.1 and 5.2)."""
        if self.answers:
            return self.answers.pop(0)
        if form.get("client_id") != CLIENT or form.get("client_secret") != CLIENT_SECRET:
            return 401, {"error": "invalid_client"}
        shown = form.get("refresh_token")
        if form.get("grant_type") == "refresh_token" and shown != self.refresh:
            said = {"error": "invalid_grant", "error_description": f"bad {shown}, ask again"}
            return 400, said
        self.given += 1
        token = f"ya29.access-{self.given}_~+/=="
        self.alive.add(token)
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": self.lasts}
        if self.rotates:
            self.refresh = answer["refresh_token"] = f"1//refresh-shuttle-{self.given}"
        return 200, answer

    def dovecot(self, folder: Path, mechanisms: str) -> str:
        """Return lines that let a Dovecot believe this provider."""
        place = folder / "oauth2.conf"
        place.write_text(
            f"introspection_mode = auth\nintrospection_url = http://127.0.0.1:{self.port}/me\n"
            "username_attribute = email\nactive_attribute = active\nactive_value = true\n"
        )
        return (
            f"auth_mechanisms = plain {mechanisms}\n"
            f"passdb {{\n  driver = oauth2\n  mechanisms = {mechanisms}\n  args = {place}\n}}\n"
        )
