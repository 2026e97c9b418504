"""Reading and writing on an SMTP connection as a client (RFC 5321 section 4.2)."""

import asyncio
from dataclasses import dataclass

from data.errors import OutsideTemporaryError

MAX_LINES = 100


@dataclass(frozen=True, slots=True)
class SmtpReply:
    """A reply of the next server; `text` is in one line."""

    code: int
    text: str
    lines: tuple[str, ...] = ()


class ReplyError(OutsideTemporaryError):
    """The next server did not answer as SMTP asks for, or not in time."""


@dataclass(slots=True)
class Conversation:
    """A connection to the next server; every wait has its own limit, in seconds."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def reply(self, seconds: float) -> SmtpReply:
        """Read one whole reply; ReplyError when none comes."""
        lines: list[str] = []
        code = 0
        try:
            async with asyncio.timeout(seconds):
                while True:
                    line = await self.reader.readuntil(b"\n")
                    code, more, text = _parse(line)
                    lines.append(text)
                    if not more:
                        return SmtpReply(code, f"{code} {' '.join(lines)}"[:1000], tuple(lines))
                    if len(lines) > MAX_LINES:
                        raise ReplyError("the server's reply does not end")
        except TimeoutError:
            raise ReplyError(f"the server gave no reply within {seconds:g} s") from None
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            raise ReplyError(f"the connection was lost ({type(error).__name__})") from error

    async def send(self, data: bytes, seconds: float) -> None:
        """Write and wait until the bytes are on their way."""
        try:
            async with asyncio.timeout(seconds):
                self.writer.write(data)
                await self.writer.drain()
        except TimeoutError:
            raise ReplyError(f"the server took no data for {seconds:g} s") from None
        except OSError as error:
            raise ReplyError(f"the connection was lost ({type(error).__name__})") from error

    async def ask(self, command: str, seconds: float) -> SmtpReply:
        """Send a command and return its reply."""
        await self.send(command.encode("utf-8") + b"\r\n", seconds)
        return await self.reply(seconds)


def _parse(line: bytes) -> tuple[int, bool, str]:
    """Return the code of a line of a reply, whether more lines follow, and its text.

    Raises:
        ReplyError: it is no such line.

    """
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    code, sign = text[:3], text[3:4]
    if not (code.isascii() and code.isdigit() and code[0] in "2345" and sign in {"", " ", "-"}):
        raise ReplyError(f"the server's reply {text[:80]!r} is not SMTP")
    return int(code), sign == "-", text[4:]
