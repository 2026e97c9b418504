"""A session: aiosmtpd's, kept within the limits and promises of docs/reliability.md.

Commands and their parameters, AUTH, STARTTLS, session and envelope are the library's; what a client
may do is asked of `hooks`. Each override has its reason in docs/design.md.
"""

import asyncio
import collections
import functools
import logging
from collections.abc import Iterable, Sequence
from typing import ClassVar, cast

from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException

from connectors.addresses import has_control
from connectors.receiver import paths
from connectors.receiver.door import Door
from connectors.receiver.reader import LINE_BYTES, CommandReader
from connectors.receiver.replies import LATER, STOPPING, TOO_MANY, enhanced
from connectors.receiver.taking import Taking
from connectors.spool import SpoolWriter
from connectors.spool.failures import reply_for
from data.errors import SpoolError
from data.records.envelope import Channel

log = logging.getLogger("postern.receiver")

JUNK = frozenset({"NOOP", "RSET", "VRFY", "HELP", "EHLO", "HELO", "LHLO"})
HANDSHAKE_SECONDS = 30
CLOSING_SECONDS = 5


class SmtpSession(SMTP):
    """One connected client, and how far it has come."""

    session: Session
    envelope: Envelope
    transport: asyncio.Transport | None
    _reader: CommandReader
    protocol: ClassVar[str] = "ESMTP"
    AuthLoginUsernameChallenge = "Username:"
    AuthLoginPasswordChallenge = "Password:"
    #: The limit is in `objection`; aiosmtpd's own grows with every EHLO.
    command_size_limit = LINE_BYTES
    command_size_limits = collections.defaultdict(lambda: LINE_BYTES)  # noqa: RUF012

    def __init__(self, door: Door, hooks: object) -> None:
        self.door, self.limits = door, door.limits
        self.peer = ""
        self.trusted = self.in_data = False
        self.errors = self.junk = self.failed_logins = 0
        self.session_end = self._deadline = 0.0
        super().__init__(
            hooks,
            data_size_limit=door.limits.message_bytes,
            enable_SMTPUTF8=True,
            hostname=door.hostname,
            ident=f"{self.protocol} Postern",
            tls_context=door.tls,
            timeout=door.limits.command_seconds,
            loop=door.loop,
        )
        # In the place of the reader that aiosmtpd has made.
        self._reader = CommandReader(self, door.loop)
        connected = self._cb_client_connected
        asyncio.StreamReaderProtocol.__init__(self, self._reader, connected, loop=door.loop)

    def __dir__(self) -> Iterable[str]:
        """Name what aiosmtpd looks for: it goes through all names for every connection."""
        return _names_of_commands(type(self))  # type: ignore[arg-type]  # types are hashable

    # -- the connection ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in, or say 421 when too many are; called again after STARTTLS."""
        if self.transport is None:
            self.peer = _address(transport.get_extra_info("peername"))
            self.trusted = self.door.trusts(self.peer)
            if not self.door.admit(self, self.peer):
                cast(asyncio.Transport, transport).write(f"{TOO_MANY}\r\n".encode())
                transport.close()
                return
            self.session_end = self.loop.time() + self.limits.session_seconds
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count the client out."""
        self.door.leave(self, self.peer)
        if self.transport is not None:  # it was let in, and this is the first time
            super().connection_lost(error)

    def eof_received(self) -> bool:
        """Let a client that has closed its side still get its answers, where TLS allows it."""
        asyncio.StreamReaderProtocol.eof_received(self)
        return self._tls_protocol is None

    @property
    def may_log_in(self) -> bool:
        """Whether there are users, and nobody can read what they say."""
        return self.door.users is not None and self.session.ssl is not None

    @property
    def gone(self) -> bool:
        """Whether the connection is closed, or being closed."""
        return self.transport is None or self.transport.is_closing()

    def leave_when_idle(self) -> None:
        """Send the client away, unless it waits for an answer or is sending a message."""
        if self._reader.idle:
            self.hang_up(STOPPING)

    def abort(self) -> None:
        """Cut the connection, whatever is still to be said."""
        cast(asyncio.Transport, self._original_transport or self.transport).abort()

    # -- time ----------------------------------------------------------------------------

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Wait less long when most places are taken, and at most until the session's end."""
        if self.transport is not None and self.gone:
            return  # it is being closed, within `CLOSING_SECONDS`
        seconds = duration or self.limits.command_seconds
        if self.door.stressed:
            seconds = min(seconds, self.limits.stress_seconds)
        if not self.in_data:
            seconds = min(seconds, max(0.001, self.session_end - self.loop.time()))
        self._wait_at_most(seconds)

    def _wait_at_most(self, seconds: float) -> None:
        """Move the deadline; a timer that fires too early for it is set again."""
        self._deadline = self.loop.time() + seconds
        if self._timeout_handle is None or self._deadline < self._timeout_handle.when():
            super()._reset_timeout(seconds)

    def _timeout_cb(self) -> None:
        """Say why, and close; a client that does not read must not hold its place."""
        left = self._deadline - self.loop.time()
        if left > 0:
            super()._reset_timeout(left)
        elif self.gone:
            self.abort()
        else:
            self.hang_up("421 4.4.2 Timeout, closing connection")

    # -- lines and replies ---------------------------------------------------------------

    @property
    def leaving(self) -> str:
        """The last word to a client that is to go now; empty while it may stay."""
        return STOPPING if self.door.stopping else ""

    def objection(self, line: bytes) -> str:
        """Return the reply to a line that aiosmtpd does not get to see; empty when it does."""
        if not line.endswith(b"\r\n"):
            return "500 5.5.2 Commands end with CR LF"
        if len(line) > self.limits.command_bytes:
            return "500 5.5.2 Command line too long"
        text = line[:-2].decode("utf-8", "surrogateescape")
        verb = text.partition(" ")[0].upper()
        if verb not in self._smtp_methods:
            return "500 5.5.1 Command not recognized"
        if has_control(text):
            return "501 5.1.7 Control characters are not allowed"
        return self.put_off("") if verb in JUNK else ""

    def put_off(self, reply: str) -> str:
        """Return the reply to what brings no message nearer; a client that goes on is sent away."""
        self.junk += 1
        enough = self.junk > self.limits.junk_commands
        return "421 4.7.0 Too many commands without a message" if enough else reply

    async def push(self, status: str | bytes) -> None:
        """Send a reply; 421 and 221 are the last one, and so is the answer to an error too many."""
        reply = enhanced(status.decode() if isinstance(status, bytes) else status)
        if reply.startswith("5"):
            self.errors += 1
            if self.errors > self.limits.errors:
                reply = "421 4.7.0 Too many errors"
        if reply.startswith(("421", "221")):
            self.hang_up(reply)
        elif not self.gone:
            self._writer.write(reply.encode("utf-8", "replace") + b"\r\n")
            await self._writer.drain()

    def hang_up(self, reply: str) -> None:
        """Say the last word without waiting for anybody, and close; nothing more is obeyed."""
        if not self.gone:
            transport = cast(asyncio.Transport, self.transport)
            if reply:
                transport.write(f"{reply}\r\n".encode())
            transport.close()
            self._wait_at_most(CLOSING_SECONDS)

    async def handle_exception(self, error: Exception) -> str:
        """Return the reply to what went wrong: a bug of ours is a 4xx, never a loss."""
        if isinstance(error, paths.PathError):
            return str(error)
        if isinstance(error, SpoolError):
            return reply_for(error)
        if isinstance(error, TLSSetupException):
            fields = {"peer": self.peer, "error": repr(error.__cause__ or "the client left")}
            log.info("tls_failed", extra={"fields": fields})
            return LATER
        log.error("bug_in_session", exc_info=error, extra={"fields": {"peer": self.peer}})
        self._set_rset_state()  # type: ignore[no-untyped-call]
        # What follows would be the rest of a message, and must not be read as commands.
        return "421 4.3.0 Local error, try again later" if self.in_data else LATER

    # -- commands ------------------------------------------------------------------------

    def _getaddr(self, arg: str) -> tuple[str, str]:
        """Read a path as RFC 5321 has it: the library's parser takes other addresses for it."""
        return paths.read_path(arg)

    def _getparams(self, params: Sequence[str]) -> dict[str, str | bool] | None:
        """Read parameters; one of AUTH counts for nothing where one may log in (RFC 4954 5)."""
        given = super()._getparams(params)
        if given is None or len(given) < len(params) or not all(map(str.isascii, params)):
            return None
        if self.may_log_in:
            given.pop("AUTH", None)
        return given

    async def smtp_STARTTLS(self, arg: str | None) -> None:
        """Encrypt; whatever the client sent ahead is an attack (RFC 3207, CVE-2011-0411)."""
        if self._reader.pending:
            self.hang_up("554 5.5.0 Wait for the answer to STARTTLS")
        elif self._tls_protocol is not None or self.tls_context is None:
            await self.push("502 5.5.1 STARTTLS is not available")
        else:
            self._reset_timeout(HANDSHAKE_SECONDS)
            await super().smtp_STARTTLS(arg)
            if self._tls_protocol is not None and self.session.ssl is None:
                raise TLSSetupException  # asyncio says nothing of a client that left meanwhile

    async def smtp_AUTH(self, arg: str | None) -> None:
        """Log in; a mechanism may be written in any case, and none is one that nobody knows."""
        if self.door.users is None:
            await self.push("502 5.5.1 AUTH is not available")
        elif self.envelope.mail_from:
            await self.push("503 5.5.1 AUTH comes before MAIL")
        else:
            mechanism, _, response = (arg or "?").partition(" ")
            await super().smtp_AUTH(f"{mechanism.upper()} {response}")

    async def smtp_DATA(self, arg: str | None) -> None:
        """Take a message, make it durable, and answer for it: 250 only when it is on disk.

        A client that leaves before the final dot leaves nothing. One that leaves after it cannot
        stop the commit: what was stored stays, and content-keyed dedupe takes the copy that the
        client sends again (RFC 1047 is about that).
        """
        if self._reader.pending:
            # RFC 2920 section 3.1: DATA is the last of a group; more is a smuggler's.
            self.hang_up("554 5.5.0 Wait for the answer to DATA")
            return
        refusal = self._refusal_of_data(arg)
        if refusal:
            await self.push(refusal)
            return
        message = Taking(self._open_writer(), self.limits, self.loop.time())
        self.in_data = True
        try:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            while not message.ended:
                self._reset_timeout(self.limits.data_seconds)
                message.feed(await self._reader.read_some(), self.loop.time())
                if message.last_word:
                    self.hang_up(message.last_word)
                elif message.writer.full:
                    message.refusal = message.refusal or await self.door.spill(message.writer)
            # From here the client waits for us, however many others there are.
            self._wait_at_most(self.limits.store_seconds + CLOSING_SECONDS)
            reply = message.refusal or await self.door.store(message.writer)
        finally:
            message.abort()
        self.in_data = False
        if reply.startswith("2"):
            self.junk = self.errors = 0
            self.session_end = self.loop.time() + self.limits.session_seconds
        reply = self.answer_data(reply)
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        self._reset_timeout()
        self._reader.unread(message.rest)
        await self.push(reply)

    def _refusal_of_data(self, arg: str | None) -> str:
        """Return why no message can be taken now; empty when one can."""
        if arg:
            return "501 5.5.4 Syntax: DATA"
        return self.door.refusal if self.envelope.rcpt_tos else "503 5.5.1 Send RCPT first"

    def _open_writer(self) -> SpoolWriter:
        """Begin a message in the spool, or raise the SpoolError that puts it off."""
        sender = self.envelope.mail_from or ""
        return self.door.spool.open_writer(
            channel=Channel.SMTP,
            mail_from="" if sender == paths.NULL else sender,
            rcpt_to=list(dict.fromkeys(self.envelope.rcpt_tos)),
            peer=self.peer,
            helo=self.session.host_name or "",
            tls=self.session.ssl is not None,
            authenticated_as=self.session.auth_data or "",
        )

    def answer_data(self, reply: str) -> str:
        """Return what is said after the final dot: in SMTP one reply."""
        return reply


@functools.cache
def _names_of_commands(kind: type) -> tuple[str, ...]:
    return tuple(name for name in dir(kind) if name.startswith("smtp_"))


def _address(peername: object) -> str:
    """Return the address in what the socket says of its peer; empty for a Unix socket."""
    return str(peername[0]) if isinstance(peername, tuple) and peername else ""
