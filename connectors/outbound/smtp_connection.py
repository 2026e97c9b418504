"""Reading and writing on an SMTP connection as a client (RFC 5321 section 4.2)."""

import asyncio
from dataclasses import dataclass

from data.errors import OutsideTemporaryError

MAX_LINES = 100


@dataclass(frozen=True, slots=True)
class SmtpReply:
    """A reply of the next server."""

    code: int
    """From 200 to 599 (RFC 5321 section 4.2)."""
    text: str
    """The code and all lines in one, at most 1,000 characters."""
    lines: tuple[str, ...] = ()
    """The lines without the code."""


class SmtpReplyError(OutsideTemporaryError):
    """The next server did not answer as SMTP asks for, or not in time."""


@dataclass(slots=True)
class RelayConnection:
    """A connection to the next server; every wait has its own limit, in seconds."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def read_reply(self, seconds: float) -> SmtpReply:
        """Read one whole reply.

        Raises:
            SmtpReplyError: no reply comes in time, or what comes is not one.
        """
        lines: list[str] = []
        first_code = 0
        try:
            async with asyncio.timeout(seconds):
                while True:
                    line = await self.reader.readuntil(b"\n")
                    code, more, text = _parse(line)
                    if lines and code != first_code:
                        raise SmtpReplyError("the lines of the server's reply differ in their code")
                    first_code = code
                    lines.append(text)
                    if not more:
                        return SmtpReply(code, f"{code} {' '.join(lines)}"[:1000], tuple(lines))
                    if len(lines) >= MAX_LINES:
                        raise SmtpReplyError("the server's reply does not end")
        except TimeoutError:
            raise SmtpReplyError(f"the server gave no reply within {seconds:g} s") from None
        except asyncio.LimitOverrunError:
            raise SmtpReplyError("a line of the server's reply does not end") from None
        except (OSError, EOFError) as error:
            raise SmtpReplyError(f"the connection was lost ({type(error).__name__})") from error

    async def send(self, data: bytes, seconds: float) -> None:
        """Write and wait until the bytes are on their way."""
        try:
            async with asyncio.timeout(seconds):
                self.writer.write(data)
                await self.writer.drain()
        except TimeoutError:
            raise SmtpReplyError(f"the server took no data for {seconds:g} s") from None
        except OSError as error:
            raise SmtpReplyError(f"the connection was lost ({type(error).__name__})") from error

    async def command(self, line: str, seconds: float) -> SmtpReply:
        """Send one command and return its reply.

        Raises:
            SmtpReplyError: the line holds the end of another, or the reply does not come.
        """
        if "\r" in line or "\n" in line:
            raise SmtpReplyError("a command of more than one line is not sent")
        await self.send(line.encode("utf-8") + b"\r\n", seconds)
        return await self.read_reply(seconds)


def _parse(line: bytes) -> tuple[int, bool, str]:
    """Return the code of a line of a reply, whether more lines follow, and its text.

    Raises:
        SmtpReplyError: the line is not one of an SMTP reply.
    """
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    code, separator = text[:3], text[3:4]
    is_code = len(code) == 3 and code.isascii() and code.isdigit() and code[0] in "2345"
    if not is_code or separator not in {"", " ", "-"}:
        raise SmtpReplyError(f"the server's reply {text[:80]!r} is not SMTP")
    return int(code), separator == "-", text[4:]
