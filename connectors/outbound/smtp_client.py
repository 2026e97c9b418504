"""The `smtp` transport: our own client, because `smtplib` writes body and final dot in one go.

`before_dot` runs when every byte of the message has left our buffers and the dot has not: a
crash before it is safe to retry, a crash after it is `unknown`
(docs/pipeline.md#the-outbox).
"""

import asyncio
import base64
import contextlib
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from connectors.outbound.smtp_connection import RelayConnection, SmtpReply, SmtpReplyError
from connectors.outbound.transport import (
    AskMayLeave,
    DeliveryKind,
    DeliveryResult,
    NoLoginError,
    RecipientResult,
    Tell,
    build_common_result,
    find_refusal,
)
from data.errors import OutsidePermanentError

if TYPE_CHECKING:
    from connectors.outbound.relay_tokens import RelayLogin, RelayTokens

PIECE = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long each phase may take, seconds (RFC 5321 section 4.5.3.2)."""

    connect: float = 60
    greeting: float = 300
    command: float = 300
    data: float = 120
    block: float = 180
    dot: float = 600


class AttemptRefusedError(Exception):
    """A reply that ends the attempt before the message was sent."""

    def __init__(self, reply: SmtpReply) -> None:
        super().__init__(reply.text)
        self.reply = reply


class SmtpTransport:
    """Hands messages to a relay; one connection for one message."""

    exactly_once = False

    def __init__(
        self,
        host: str,
        port: int,
        *,
        hostname: str,
        user: str = "",
        password: str = "",
        tls: Literal["starttls", "implicit", "none"] = "starttls",
        context: ssl.SSLContext | None = None,
        tokens: "RelayTokens | None" = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        """`context` must verify; it is `ssl.create_default_context()` when not given.

        With `tokens` it is signed in to by an access token, and user and password do not count.
        """
        self._host, self._port, self._hostname = host, port, hostname
        self._user, self._password, self._tls = user, password, tls
        self._context = context or (ssl.create_default_context() if tls != "none" else None)
        self._tokens = tokens
        self._timeouts = timeouts or Timeouts()

    async def deliver(
        self,
        raw: bytes,
        mail_from: str,
        rcpt_to: Sequence[str],
        *,
        before_data: AskMayLeave,
        before_dot: Tell,
    ) -> DeliveryResult:
        """Make one attempt; `Transport.deliver` says the rest."""
        if (refused := find_refusal(raw, mail_from, rcpt_to)) is not None:
            return refused
        attempt = _Attempt(raw, mail_from, tuple(rcpt_to), before_data, before_dot, self._timeouts)
        connection: RelayConnection | None = None
        try:
            connection = await self._connect()
            extensions = await self._open(connection)
            return await attempt.run(connection, extensions)
        except AttemptRefusedError as error:
            kind = _kind_of_refusal(error.reply)
            return build_common_result(rcpt_to, kind, error.reply.code, error.reply.text)
        except (SmtpReplyError, NoLoginError, OSError) as error:
            # Once the dot may have left, no answer means that nobody knows.
            kind = DeliveryKind.UNKNOWN if attempt.dot_sent else DeliveryKind.DEFERRED
            return attempt.undecided(kind, f"{self._host}: {error}")
        finally:
            if connection is not None:
                connection.writer.close()

    async def ping(self) -> None:
        """Connect, encrypt and log in, and go again; no mail is handed over.

        Raises:
            OutsidePermanentError: the server refuses the login, or cannot prove who it is.
            OutsideTemporaryError: it does not answer as it should.
            NoLoginError: there is no access token to sign in with.

        """
        where = f"{self._host}:{self._port}"
        connection: RelayConnection | None = None
        try:
            connection = await self._connect()
            await self._open(connection)
            with contextlib.suppress(SmtpReplyError):
                await connection.send(b"QUIT\r\n", 1)
        except AttemptRefusedError as error:
            raise OutsidePermanentError(f"{where} says {error.reply.text!r}") from error
        except ssl.SSLCertVerificationError as error:
            raise OutsidePermanentError(
                f"the certificate of {where} is not trusted: {error.verify_message}; write the "
                "name in it, or give the private CA that has signed it (no password was sent)"
            ) from error
        except (SmtpReplyError, OSError) as error:
            raise SmtpReplyError(f"{where} does not answer as a mail server: {error}") from error
        finally:
            if connection is not None:
                connection.writer.close()

    async def _connect(self) -> RelayConnection:
        implicit = self._context if self._tls == "implicit" else None
        try:
            async with asyncio.timeout(self._timeouts.connect):
                reader, writer = await asyncio.open_connection(self._host, self._port, ssl=implicit)
        except TimeoutError:
            raise SmtpReplyError(f"no connection within {self._timeouts.connect:g} s") from None
        except UnicodeError:  # an empty label, or one of more than 63 letters
            raise SmtpReplyError(
                f"{self._host!r} cannot be the name of a server; mend 'relay_host'"
            ) from None
        return RelayConnection(reader, writer)

    async def _open(self, connection: RelayConnection) -> dict[str, str]:
        """Greet, encrypt, log in; return the extensions by keyword."""
        expect(await connection.read_reply(self._timeouts.greeting), 220)
        extensions = await self._ehlo(connection)
        if self._tls == "starttls":
            if "STARTTLS" not in extensions:  # stripped or missing: fail closed
                raise SmtpReplyError(
                    "the server offers no STARTTLS; set 'relay_tls' if that is right"
                )
            expect(await connection.command("STARTTLS", self._timeouts.command), 220)
            await self._encrypt(connection)
            extensions = await self._ehlo(connection)
        if self._tokens is not None:
            await self._show_token(connection, extensions, self._tokens)
        elif self._user:
            await self._log_in(connection, extensions)
        return extensions

    async def _encrypt(self, connection: RelayConnection) -> None:
        if self._context is None:
            raise SmtpReplyError("there is no TLS context; set 'relay_tls'")
        if connection.reader._buffer:  # type: ignore[attr-defined]
            raise SmtpReplyError("the server sent data ahead of TLS, which is an attack")
        async with asyncio.timeout(self._timeouts.command):
            await connection.writer.start_tls(self._context, server_hostname=self._host)

    async def _ehlo(self, connection: RelayConnection) -> dict[str, str]:
        reply = await connection.command(f"EHLO {self._hostname}", self._timeouts.command)
        expect(reply, 250)
        pairs = (line.partition(" ") for line in reply.lines[1:])
        return {keyword.upper(): value.upper() for keyword, _, value in pairs}

    async def _show_token(
        self, connection: RelayConnection, extensions: dict[str, str], tokens: "RelayTokens"
    ) -> None:
        """Log in by XOAUTH2 or OAUTHBEARER (RFC 7628); a refused token is renewed once."""
        self._must_be_secret()
        methods = extensions.get("AUTH", "").split()
        if not {"XOAUTH2", "OAUTHBEARER"} & set(methods):
            raise SmtpReplyError(
                "the server takes no access tokens (XOAUTH2, OAUTHBEARER); give a login name and "
                "a password"
            )
        login = await tokens.read()
        reply = await self._show(connection, methods, login)
        if reply.code == 535 and not login.fresh:
            login = await tokens.read(refused=login.token)
            reply = await self._show(connection, methods, login)
        expect(reply, 235)

    async def _show(
        self, connection: RelayConnection, methods: Sequence[str], login: "RelayLogin"
    ) -> SmtpReply:
        """Show a token, and read the server's refusal to its end."""
        wait = self._timeouts.command
        if "XOAUTH2" in methods:
            first, end = f"user={login.user}\x01auth=Bearer {login.token}\x01\x01", ""
            reply = await connection.command(f"AUTH XOAUTH2 {_base64(first)}", wait)
        else:
            user = login.user.replace("=", "=3D").replace(",", "=2C")
            place = f"host={self._host}\x01port={self._port}"
            first = f"n,a={user},\x01{place}\x01auth=Bearer {login.token}\x01\x01"
            end = _base64("\x01")
            reply = await connection.command(f"AUTH OAUTHBEARER {_base64(first)}", wait)
        return await connection.command(end, wait) if reply.code == 334 else reply

    def _must_be_secret(self) -> None:
        if self._tls == "none" and self._host not in {"127.0.0.1", "::1", "localhost"}:
            raise SmtpReplyError("a password is not sent without TLS; set 'relay_tls'")

    async def _log_in(self, connection: RelayConnection, extensions: dict[str, str]) -> None:
        """Log in by PLAIN or LOGIN (RFC 4616, RFC 4954); never without encryption."""
        self._must_be_secret()
        wait, methods = self._timeouts.command, extensions.get("AUTH", "").split()
        if "PLAIN" in methods:
            token = _base64(f"\0{self._user}\0{self._password}")
            expect(await connection.command(f"AUTH PLAIN {token}", wait), 235)
        elif "LOGIN" in methods:
            expect(await connection.command("AUTH LOGIN", wait), 334)
            expect(await connection.command(_base64(self._user), wait), 334)
            expect(await connection.command(_base64(self._password), wait), 235)
        else:
            raise SmtpReplyError("the server offers no way to log in that Postern knows")


@dataclass(slots=True)
class _Attempt:
    """MAIL to the answer after the dot."""

    raw: bytes
    mail_from: str
    rcpt_to: tuple[str, ...]
    before_data: AskMayLeave
    before_dot: Tell
    timeouts: Timeouts
    dot_sent: bool = False
    taken: list[str] = field(default_factory=list)
    refused: list[RecipientResult] = field(default_factory=list)

    async def run(self, connection: RelayConnection, extensions: dict[str, str]) -> DeliveryResult:
        expect(await connection.command(self._mail(extensions), self.timeouts.command), 250)
        for address in self.rcpt_to:
            reply = await connection.command(f"RCPT TO:<{address}>", self.timeouts.command)
            if reply.code in {250, 251}:
                self.taken.append(address)
            else:
                self.refused.append(_refusal(address, reply))
        if not self.taken:
            return self._all_refused()
        if not await self.before_data():
            with contextlib.suppress(SmtpReplyError):
                await connection.command("RSET", self.timeouts.command)
            return build_common_result(
                self.rcpt_to, DeliveryKind.STOPPED, text="sending is stopped"
            )
        expect(await connection.command("DATA", self.timeouts.data), 354)
        reply = await self._message(connection)
        kind = _kind_after_dot(reply)
        with contextlib.suppress(SmtpReplyError):
            await connection.send(b"QUIT\r\n", 1)
        return self._result(kind, reply.code, reply.text)

    def _mail(self, extensions: dict[str, str]) -> str:
        command = f"MAIL FROM:<{self.mail_from}>"
        if "SIZE" in extensions:
            command += f" SIZE={len(self.raw)}"
        if not self.raw.isascii():
            if "8BITMIME" not in extensions:
                text = "the server cannot take 8-bit text; render it in 7 bit"
                raise AttemptRefusedError(SmtpReply(554, text))
            command += " BODY=8BITMIME"
        if not all(address.isascii() for address in (self.mail_from, *self.rcpt_to)):
            if "SMTPUTF8" not in extensions:
                raise AttemptRefusedError(
                    SmtpReply(553, "the server cannot take international addresses")
                )
            command += " SMTPUTF8"
        return command

    async def _message(self, connection: RelayConnection) -> SmtpReply:
        """Send the message, then tell, then send the dot (RFC 5321 section 4.5.2)."""
        wire = stuff_dots(self.raw)
        for start in range(0, len(wire), PIECE):
            await connection.send(wire[start : start + PIECE], self.timeouts.block)
        await self._flushed(connection)
        await self.before_dot()
        self.dot_sent = True
        # `wire` ends with CRLF, so this completes CRLF.CRLF.
        await connection.send(b".\r\n", self.timeouts.block)
        return await connection.read_reply(self.timeouts.dot)

    async def _flushed(self, connection: RelayConnection) -> None:
        """Return when nothing is left in our own buffer: `drain` alone waits for less."""
        async with asyncio.timeout(self.timeouts.block):
            while connection.writer.transport.get_write_buffer_size():  # noqa: ASYNC110
                await asyncio.sleep(0.001)

    def _all_refused(self) -> DeliveryResult:
        passing = any(result.kind is DeliveryKind.DEFERRED for result in self.refused)
        kind = DeliveryKind.DEFERRED if passing else DeliveryKind.FAILED
        first = next(result for result in self.refused if result.kind is kind)
        return self._result(kind, first.code, first.text)

    def _result(self, kind: DeliveryKind, code: int, text: str) -> DeliveryResult:
        accepted = (RecipientResult(address=a, kind=kind, code=code, text=text) for a in self.taken)
        recipients = (*accepted, *self.refused)
        return DeliveryResult(kind=kind, code=code, text=text, recipients=recipients)

    def undecided(self, kind: DeliveryKind, text: str) -> DeliveryResult:
        """Return the result of a connection that broke."""
        if kind is DeliveryKind.UNKNOWN:
            return self._result(kind, 0, text)
        return build_common_result(self.rcpt_to, kind, text=text)


def stuff_dots(raw: bytes) -> bytes:
    """Return a CRLF message with a dot before each line that begins with one."""
    text = raw.replace(b"\r\n.", b"\r\n..")
    return b"." + text if text.startswith(b".") else text


def expect(reply: SmtpReply, code: int) -> None:
    """Raise AttemptRefusedError unless the reply has this code."""
    if reply.code != code:
        raise AttemptRefusedError(reply)


def _kind_of_refusal(reply: SmtpReply) -> DeliveryKind:
    """Return what a reply means that ends an attempt before the dot: nothing was sent.

    A 2xx or 3xx in the place of another counts as passing: client and server are out of step.
    """
    return DeliveryKind.FAILED if reply.code >= 500 else DeliveryKind.DEFERRED


def _kind_after_dot(reply: SmtpReply) -> DeliveryKind:
    """Return what a reply to the dot means; a 3xx answers something else, so nobody knows."""
    if reply.code < 300:
        return DeliveryKind.SENT
    return DeliveryKind.UNKNOWN if reply.code < 400 else _kind_of_refusal(reply)


def _refusal(address: str, reply: SmtpReply) -> RecipientResult:
    kind = _kind_of_refusal(reply)
    return RecipientResult(address=address, kind=kind, code=reply.code, text=reply.text)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")
