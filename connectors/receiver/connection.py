"""One connection: admission, deadlines and the loop that reads commands.

aiosmtpd 1.4 keeps the stream and STARTTLS; the rest is ours, because its own loop and DATA have
no limits and answer 5xx for troubles that pass (RELIABILITY 1.2 lists them).
"""

import asyncio
import logging
from typing import cast

from aiosmtpd.smtp import SMTP

from connectors.receiver.door import LATER, TOO_MANY, Door
from connectors.spool.failures import reply_for
from data.errors import SpoolError

log = logging.getLogger("postern.receiver")

_IDENT = "Postern"


class _NoHandler:
    """aiosmtpd looks through every member of its handler for hooks; this one has none."""

    def __dir__(self) -> list[str]:
        return []


_NO_HANDLER = _NoHandler()


class SmtpConnection(SMTP):
    """A client that is connected; what its commands do is in `SmtpSession`."""

    line_length_limit = 32_768  # limit of the stream reader: pauses the sender at twice that

    def __init__(self, door: Door) -> None:
        super().__init__(
            handler=_NO_HANDLER,
            data_size_limit=door.limits.message_bytes,
            enable_SMTPUTF8=True,
            hostname=door.hostname,
            ident=_IDENT,
            tls_context=door.tls,
            timeout=door.limits.command_seconds,
            loop=asyncio.get_running_loop(),
        )
        self.door = door
        self.peer = ""
        self.in_data = False
        self._refused = False
        self.errors = self.junk = 0
        self._deadline = self.session_end = 0.0

    def __dir__(self) -> list[str]:
        """Name nothing: aiosmtpd would look through every member, for each connection."""
        return []

    # -- the connection ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in, or say 421 when too many are."""
        self.wire = cast(asyncio.Transport, transport)
        if self.transport is None:
            peer = transport.get_extra_info("peername")
            self.peer = str(peer[0]) if peer else ""
            if not self.door.admit(self, self.peer):
                self._refused = True
                self.wire.write(f"{TOO_MANY}\r\n".encode())
                self.wire.close()
                return
            self.session_end = self.loop.time() + self.door.limits.session_seconds
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count the client out."""
        if self._refused:
            return
        self.door.leave(self, self.peer)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Take bytes from the client; nothing is read from one that was refused."""
        if not self._refused:
            super().data_received(data)

    def eof_received(self) -> bool | None:
        """Let a client that has closed its side still get its answers."""
        if self._refused:
            return False
        return asyncio.StreamReaderProtocol.eof_received(self)

    def _set_rset_state(self) -> None:
        """Forget the message begun; aiosmtpd calls it for a new connection and after STARTTLS."""
        raise NotImplementedError

    async def obey(self, line: bytes) -> None:
        """Do what a line asks for, and answer."""
        raise NotImplementedError

    # -- time ----------------------------------------------------------------------------

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Move the deadline; one timer per session follows it, however many commands come."""
        limits = self.door.limits
        wait = duration or limits.command_seconds
        if self.door.stressed:
            wait = min(wait, limits.stress_seconds)
        self._deadline = self.loop.time() + wait
        if not self.in_data:
            self._deadline = min(self._deadline, self.session_end)
        if self._timeout_handle is None:
            self._timeout_handle = self.loop.call_at(self._deadline, self._timeout_cb)
        elif self._deadline < self._timeout_handle.when():
            self._timeout_handle.cancel()
            self._timeout_handle = self.loop.call_at(self._deadline, self._timeout_cb)

    def _timeout_cb(self) -> None:
        if self.transport is None or self.transport.is_closing():
            return
        if self.loop.time() < self._deadline:
            self._timeout_handle = self.loop.call_at(self._deadline, self._timeout_cb)
            return
        self.hang_up("421 4.4.2 Timeout, closing connection")

    def hang_up(self, reply: str) -> None:
        """Say the last word without waiting for anybody, and close."""
        if self.transport is not None and not self.transport.is_closing():
            self.wire.write(f"{reply}\r\n".encode())
            self.wire.close()
            if self.wire.get_write_buffer_size():
                # A client that does not read must not hold the connection.
                self.loop.call_later(5, self.wire.abort)

    # -- the loop ------------------------------------------------------------------------

    async def _handle_client(self) -> None:
        try:
            await self._converse()
        except (ConnectionError, asyncio.CancelledError):
            log.debug("connection_lost", extra={"fields": {"peer": self.peer}})
        finally:
            if self.transport is not None:
                self.wire.close()

    async def _converse(self) -> None:
        if self.pending:
            await self.push("554 5.5.0 Wait for the greeting")
            return
        await self.push(f"220 {self.hostname} ESMTP {_IDENT}")
        while self.transport is not None and not self.transport.is_closing():
            if self.door.stopping:
                await self.push("421 4.3.2 Service is shutting down")
                return
            self._reset_timeout()
            line = await self._read_line()
            if line is None:
                return
            try:
                await self.obey(line)
            except SpoolError as error:
                await self.say(reply_for(error))
            except (ConnectionError, asyncio.CancelledError):
                raise
            except Exception:  # the session is a runner: a bug is a 4xx, never a loss
                log.exception("bug_in_session", extra={"fields": {"peer": self.peer}})
                self._set_rset_state()
                await self.push(LATER)

    @property
    def pending(self) -> bool:
        """Whether the client has sent something that was not asked for yet."""
        return bool(self._reader._buffer)  # type: ignore[attr-defined]

    def unread(self, rest: bytes) -> None:
        """Give back bytes that belong to the next command; right after a read that took all."""
        if rest:
            self._reader.feed_data(rest)

    async def read_some(self) -> bytes:
        """Return whatever has arrived; empty when the client has closed."""
        data: bytes = await self._reader.read(1 << 22)
        return data

    async def _read_line(self) -> bytes | None:
        """Return the next command without CRLF, None at the end or when it is endless."""
        try:
            line: bytes = await self._reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return None
        except asyncio.LimitOverrunError:
            await self.push("500 5.5.2 Command line too long")
            return None
        return line

    async def push(self, status: str | bytes) -> None:
        """Send a reply."""
        text = status.encode("utf-8", "replace") if isinstance(status, str) else status
        if self.transport is None or self.transport.is_closing():
            raise ConnectionResetError("the client has gone")
        self._writer.write(text + b"\r\n")
        await self._writer.drain()

    async def say(self, reply: str) -> None:
        """Send a reply; too many refusals end the session."""
        if reply.startswith("5"):
            self.errors += 1
            if self.errors > self.door.limits.errors:
                self.hang_up("421 4.7.0 Too many errors")
                return
        await self.push(reply)
