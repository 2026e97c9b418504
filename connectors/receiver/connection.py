"""A connection: aiosmtpd's, with admission, deadlines, and a say in which lines it gets to see."""

import asyncio
import collections
import functools
from collections.abc import Iterable
from typing import ClassVar, cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from connectors.addresses import has_control
from connectors.receiver.receiver_state import ReceiverState
from connectors.receiver.replies import STOPPING, TOO_MANY, add_enhanced_code

LINE_BYTES = 32_768
"""The longest line that is waited for; unread bytes beyond twice that stop the client."""
TURN_LINES = 50
"""Lines of one client that are taken before others get their turn."""
_ALL = 1 << 22
JUNK = frozenset({"NOOP", "RSET", "VRFY", "HELP", "EHLO", "HELO", "LHLO"})
CLOSING_SECONDS = 5


class CommandReader(asyncio.StreamReader):
    """The stream that aiosmtpd reads commands from.

    A line ends with LF and is at most `LINE_BYTES` long. A client that has gone, or was sent away,
    is never heard again: whoever waits for its words is cancelled by the end of the connection.
    """

    _buffer: bytearray

    def __init__(self, connection: "SmtpConnection", loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=LINE_BYTES, loop=loop)
        self._connection = connection
        self._lines = 0
        self.idle = False
        """Whether the client is waited for, to say its next command."""

    @property
    def pending(self) -> bool:
        """Whether the client has sent something that was not asked for yet."""
        return bool(self._buffer)

    async def readuntil(self, separator: object = b"\n") -> bytes:
        """Return the next command that may be obeyed; others are answered here."""
        del separator
        while True:
            line = await self.readline()
            refusal = self._connection.objection(line)
            if not refusal:
                return line
            await self._connection.push(refusal)

    async def readline(self) -> bytes:
        """Return the next line of the client's."""
        self._lines += 1
        if self._lines % TURN_LINES == 0:
            await asyncio.sleep(0)
        if self._connection.door.stopping:
            self._connection.hang_up(STOPPING)
        line, self.idle = b"", True
        try:
            if not self._connection.gone:
                line = await super().readuntil(b"\n")
        except asyncio.LimitOverrunError:
            self._connection.hang_up("500 5.5.2 Command line too long")
        except (asyncio.IncompleteReadError, OSError):
            self._connection.hang_up("")
        finally:
            self.idle = False
        return line if line and not self._connection.gone else await self._end()

    async def read_some(self) -> bytes:
        """Return whatever has arrived of a message."""
        chunk = await self.read(_ALL)
        if not chunk:
            self._connection.hang_up("")
        return chunk if chunk and not self._connection.gone else await self._end()

    def unread(self, rest: bytes) -> None:
        """Give back what was read, and belongs to the commands that follow."""
        self._buffer[:0] = rest

    async def _end(self) -> bytes:
        """Wait for the end of the connection, which cancels whoever waits."""
        ended: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        return await ended


class SmtpConnection(SMTP):
    """A client that is connected; what its commands do is in `SmtpSession`."""

    session: Session
    envelope: Envelope
    transport: asyncio.Transport | None
    _reader: CommandReader
    _closed: "asyncio.Future[None]"
    _handler_coroutine: asyncio.Task[None]
    protocol: ClassVar[str] = "ESMTP"
    AuthLoginUsernameChallenge = "Username:"
    AuthLoginPasswordChallenge = "Password:"
    #: The limit is in `objection`; aiosmtpd's own grows with every EHLO.
    command_size_limit = LINE_BYTES
    command_size_limits = collections.defaultdict(lambda: LINE_BYTES)  # noqa: RUF012

    def __init__(self, door: ReceiverState, hooks: object) -> None:
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
            self._handler_coroutine.add_done_callback(self._come_apart)

    def _come_apart(self, _: object) -> None:
        """Let go of everything that holds this one.

        aiosmtpd's objects hold each other in circles; the collector of garbage would take a
        twentieth of all time to find them.
        """
        closed = self._closed
        self.__dict__.clear()
        self._closed = closed  # asyncio asks for it at the very end

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
        reply = add_enhanced_code(status.decode() if isinstance(status, bytes) else status)
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


@functools.cache
def _names_of_commands(kind: type) -> tuple[str, ...]:
    return tuple(name for name in dir(kind) if name.startswith("smtp_"))


def _address(peername: object) -> str:
    """Return the address in what the socket says of its peer; empty for a Unix socket."""
    return str(peername[0]) if isinstance(peername, tuple) and peername else ""
