"""Handing a message to an SMTP server, for the commands that play a sender."""

import smtplib
from collections.abc import Sequence
from typing import Self

from data.errors import OutsideError, OutsidePermanentError, OutsideTemporaryError


class SmtpHand:
    """One connection to a server; opened anew when the server has ended it."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._server: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Say goodbye, if anybody is there."""
        server, self._server = self._server, None
        if server is not None:
            try:
                server.quit()
            except (smtplib.SMTPException, OSError):
                server.close()

    def give(self, sender: str, to: Sequence[str], raw: bytes) -> str:
        """Hand over `raw` (CRLF lines) and return the server's answer to it.

        Raises:
            OutsideTemporaryError: nobody listens, the connection broke, or 4xx.
            OutsidePermanentError: the server answered 5xx.

        """
        try:
            return self._give(sender, to, raw)
        except smtplib.SMTPServerDisconnected:
            self.close()  # it had grown tired of us; once more on a new connection
        except ConnectionError as error:
            self.close()
            raise self._broken(error) from error
        try:
            return self._give(sender, to, raw)
        except (smtplib.SMTPServerDisconnected, OSError) as error:
            self.close()
            raise self._broken(error) from error

    def _give(self, sender: str, to: Sequence[str], raw: bytes) -> str:
        server = self._server or self._connect()
        options = ["BODY=8BITMIME"] if server.has_extn("8bitmime") else []
        if not (sender + "".join(to)).isascii():
            options.append("SMTPUTF8")
            server.command_encoding = "utf-8"
        if server.has_extn("size"):
            options.append(f"SIZE={len(raw)}")
        self._expect(*server.mail(sender, options), what=f"MAIL FROM:<{sender}>")
        for address in to:
            self._expect(*server.rcpt(address), what=f"RCPT TO:<{address}>")
        return self._expect(*server.data(raw), what="DATA")

    def _connect(self) -> smtplib.SMTP:
        try:
            server = smtplib.SMTP(self.host, self.port, timeout=60)
            server.ehlo_or_helo_if_needed()
        except (smtplib.SMTPException, OSError) as error:
            raise OutsideTemporaryError(
                f"no SMTP server answers at {self.host!r} port {self.port}: {error}; "
                "start it with `postern up` or `postern receive`"
            ) from error
        self._server = server
        return server

    def _expect(self, code: int, answer: bytes, *, what: str) -> str:
        text = f"{code} {answer.decode('utf-8', 'replace')}".replace("\n", " ")
        if 200 <= code < 300:
            return text
        if self._server is not None and code != 421:
            self._server.rset()
        kind: type[OutsideError] = OutsideTemporaryError if code < 500 else OutsidePermanentError
        raise kind(f"the server refused {what}: {text}")

    def _broken(self, error: Exception) -> OutsideTemporaryError:
        return OutsideTemporaryError(
            f"the connection to {self.host!r} port {self.port} broke: {error}; try again"
        )
