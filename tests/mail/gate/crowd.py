"""Clients in numbers: slow ones, floods, and sessions of nonsense."""

import asyncio
import contextlib
import random
import socket
import time
from pathlib import Path

MIB = 1 << 20
STEPS = [
    b"EHLO client.example\r\n",
    b"MAIL FROM:<ann@out.example>\r\n",
    b"RCPT TO:<help@harbor.example>\r\n",
    b"DATA\r\n",
]
BODY = b"Subject: q\r\n\r\n" + b"y" * 3000 + b"\r\n.\r\n"
MAIL_TO_DATA = b"MAIL FROM:<>\r\nRCPT TO:<help@harbor.example>\r\nDATA\r\n"
WORDS = (
    *(b"EHLO a", b"HELO a", b"MAIL FROM:", b"RCPT TO:", b"<help@harbor.example>", b"<>"),
    *(b"DATA", b"RSET", b"NOOP", b"VRFY a", b"HELP", b"STARTTLS", b"AUTH PLAIN AAAA"),
    *(b"SIZE=9", b" ", b"BODY=8BITMIME", b"SMTPUTF8", b"\r\n", b"\r\n", b"\r\n", b"\n"),
    *(b"\r", b".", b"\0", b"\xff", b"<", b">", b'"', b"\\", b"@", b":", b"=", b"\xc3\xa4"),
    *(b"x" * 3000, b"[1.2.3.4]", b"\x80"),
)
"""What nonsense is made of."""
_WHOLE = (*STEPS, b"MAIL FROM:<> SIZE=400\r\n", b"RSET\r\n", BODY, b"\r\n.\r\n", b"QUIT\r\n")


def nonsense(chance: random.Random) -> bytes:
    """Return what a session of nonsense sends: whole commands, pieces of some, and wrong bytes."""
    words = [
        chance.choice(_WHOLE) if chance.random() < 0.6 else chance.choice(WORDS)
        for _ in range(chance.randrange(1, 40))
    ]
    return b"".join(words)


async def reply(reader: asyncio.StreamReader) -> bytes:
    """Return the last line of a reply; empty at the end of the connection."""
    while True:
        line = await reader.readline()
        if line[3:4] != b"-":
            return line


async def drip(port: int, opening: list[bytes], seconds: float) -> tuple[float, bytes]:
    """Say an opening, then a byte now and then; return when and with what it was ended.

    On a busy machine that may be within the opening.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reply(reader)
    for step in opening:
        writer.write(step)
        if (answer := await reply(reader)).startswith(b"421"):
            writer.close()
            return 0.0, answer
    began = time.monotonic()
    ending = asyncio.create_task(reader.readline())
    while not ending.done() and time.monotonic() < began + seconds:
        with contextlib.suppress(ConnectionError):
            writer.write(b"x")
        await asyncio.wait([ending], timeout=0.2)
    writer.close()
    if not ending.done():
        ending.cancel()
        return seconds, b""
    return time.monotonic() - began, ending.result()


async def deliver(port: int) -> float:
    """Deliver a message and return the seconds from connecting to 250."""
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        await reply(reader)
        for step in (*STEPS, BODY):
            writer.write(step)
            answer = await reply(reader)
        assert answer.startswith(b"250"), answer
    finally:
        writer.close()
    return time.monotonic() - began


async def deliver_in_time(port: int, deadline: float) -> None:
    """Deliver a message; again where this client itself was slower than the server waits for it."""
    while True:
        began = time.monotonic()
        try:
            await deliver(port)
        except (AssertionError, ConnectionError):
            if time.monotonic() - began < deadline:
                raise
        else:
            return


async def one_of_many(port: int) -> str:
    """Connect and deliver; return the code at which that ended, or `reset`."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        answer = await reply(reader)
        for step in (*STEPS, BODY):
            if answer[:1] not in b"23":
                break
            writer.write(step)
            answer = await reply(reader)
    except ConnectionError:
        return "reset"
    writer.close()
    return answer[:3].decode() or "closed without a word"


def resident(pid: int) -> int:
    """Return the resident memory of a process, bytes."""
    fields = Path(f"/proc/{pid}/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) * 1024


def flood(port: int, opening: bytes, block: bytes, total: int) -> int:
    """Send an opening, then a block again and again, until `total` bytes or the end."""
    sent = 0
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as client:
        client.settimeout(5)
        client.recv(1000)
        client.sendall(b"EHLO flood.example\r\n")
        client.recv(1000)
        for line in opening.splitlines(keepends=True):
            client.sendall(line)
            client.recv(1000)
        while sent < total:
            client.sendall(block)
            sent += len(block)
    return sent
