"""What a client says, line by line, before aiosmtpd hears of it."""

import asyncio
from typing import Protocol

LINE_BYTES = 32_768
"""The longest line that is waited for; unread bytes beyond twice that stop the client."""
TURN_LINES = 50
"""Lines of one client that are taken before others get their turn."""
_ALL = 1 << 22


class Listener(Protocol):
    """Who hears the lines: what a `CommandReader` needs of the session it belongs to."""

    def objection(self, line: bytes) -> str:
        """Return the reply to a line that is not to be obeyed; empty when it is."""

    async def push(self, status: str | bytes) -> None:
        """Send a reply."""

    def hang_up(self, reply: str) -> None:
        """Say the last word, or nothing, and close."""

    @property
    def leaving(self) -> str:
        """The last word to a client that is to go now; empty while it may stay."""

    @property
    def gone(self) -> bool:
        """Whether the connection is closed, or being closed."""


class CommandReader(asyncio.StreamReader):
    """The stream that aiosmtpd reads commands from.

    A line ends with LF and is at most `LINE_BYTES` long. A client that has gone, or was sent away,
    is never heard again: whoever waits for its words is cancelled by the end of the connection.
    """

    _buffer: bytearray

    def __init__(self, listener: Listener, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=LINE_BYTES, loop=loop)
        self._listener = listener
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
            refusal = self._listener.objection(line)
            if not refusal:
                return line
            await self._listener.push(refusal)

    async def readline(self) -> bytes:
        """Return the next line of the client's."""
        self._lines += 1
        if self._lines % TURN_LINES == 0:
            await asyncio.sleep(0)
        if self._listener.leaving:
            self._listener.hang_up(self._listener.leaving)
        line, self.idle = b"", True
        try:
            if not self._listener.gone:
                line = await super().readuntil(b"\n")
        except asyncio.LimitOverrunError:
            self._listener.hang_up("500 5.5.2 Command line too long")
        except (asyncio.IncompleteReadError, OSError):
            self._listener.hang_up("")
        finally:
            self.idle = False
        return line if line and not self._listener.gone else await self._end()

    async def read_some(self) -> bytes:
        """Return whatever has arrived of a message."""
        chunk = await self.read(_ALL)
        if not chunk:
            self._listener.hang_up("")
        return chunk if chunk and not self._listener.gone else await self._end()

    def unread(self, rest: bytes) -> None:
        """Give back what was read, and belongs to the commands that follow."""
        self._buffer[:0] = rest

    async def _end(self) -> bytes:
        """Wait for the end of the connection, which cancels whoever waits."""
        ended: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        return await ended
