"""Many clients at once: slow ones, and more than there is room for."""

import asyncio
import contextlib
import statistics
import time
from collections import Counter
from collections.abc import Callable

import pytest

from connectors.receiver import Limits
from tests.gate.conftest import RunningReceiver

pytestmark = pytest.mark.slow
Start = Callable[..., RunningReceiver]
STEPS = [
    b"EHLO client.example\r\n",
    b"MAIL FROM:<ann@out.example>\r\n",
    b"RCPT TO:<help@harbor.example>\r\n",
    b"DATA\r\n",
]
BODY = b"Subject: q\r\n\r\n" + b"y" * 3000 + b"\r\n.\r\n"


async def reply(reader: asyncio.StreamReader) -> bytes:
    """Return the last line of a reply; empty at the end of the connection."""
    while True:
        line = await reader.readline()
        if line[3:4] != b"-":
            return line


async def drip(port: int, opening: list[bytes], seconds: float) -> tuple[float, bytes]:
    """Say an opening, then a byte now and then; return when and with what it was ended."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reply(reader)
    for step in opening:
        writer.write(step)
        await reply(reader)
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
    await reply(reader)
    for step in (*STEPS, BODY):
        writer.write(step)
        answer = await reply(reader)
    assert answer.startswith(b"250"), answer
    writer.close()
    return time.monotonic() - began


async def test_slow_clients_are_cut_and_normal_ones_are_quick(start_receiver: Start) -> None:
    """200 clients drip commands and data: cut within twice the deadline, others wait < 1 s."""
    deadline = 1.5
    limits = Limits(
        connections=400,
        connections_per_address=400,
        command_seconds=deadline,
        data_seconds=deadline,
        data_grace_seconds=deadline,
    )
    port = start_receiver(limits).port
    slow = [asyncio.create_task(drip(port, STEPS[: 4 * (n % 2)], 10)) for n in range(200)]
    await asyncio.sleep(0.3)
    normal = [await deliver(port) for _ in range(40)]
    endings = await asyncio.gather(*slow)
    p99 = statistics.quantiles(normal, n=100)[98]
    longest = max(seconds for seconds, _ in endings)
    print(
        f"200 slow clients: a normal one has its 250 after {p99 * 1000:.0f} ms (p99 of 40), "
        f"the slow ones are cut after {longest:.1f} s at most, deadline {deadline} s"
    )
    assert {line[:9] for _, line in endings} == {b"421 4.4.2"}
    assert longest < 2 * deadline
    assert p99 < 1


async def test_slow_but_steady_sender_of_a_large_message_succeeds(start_receiver: Start) -> None:
    """A megabyte that takes many times the deadline arrives, because it keeps coming."""
    limits = Limits(data_seconds=0.3, data_grace_seconds=0.3, command_seconds=1)
    receiver = start_receiver(limits)
    reader, writer = await asyncio.open_connection("127.0.0.1", receiver.port)
    await reply(reader)
    for step in STEPS:
        writer.write(step)
        await reply(reader)
    began = time.monotonic()
    for _ in range(20):
        writer.write((b"z" * 510 + b"\r\n") * 100)
        await asyncio.sleep(0.1)
    writer.write(b".\r\n")
    assert (await reply(reader)).startswith(b"250")
    assert time.monotonic() - began > 3 * limits.data_seconds
    assert len(receiver.messages()[0]) == 20 * 100 * 512
    writer.close()


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


async def test_overload_is_answered_with_4xx_only(start_receiver: Start) -> None:
    """Twice as many clients as there is room for: each gets 250 or 421, none is cut mute."""
    receiver = start_receiver(Limits(connections=150, connections_per_address=150))
    answers = Counter(await asyncio.gather(*(one_of_many(receiver.port) for _ in range(300))))
    print(f"300 clients at once, room for 150: {dict(answers)}")
    assert set(answers) <= {"250", "421"}
    assert answers["250"] >= 150
    assert receiver.spool.waiting() == answers["250"]


async def test_connection_flood_from_pipelining_clients_is_fair(start_receiver: Start) -> None:
    """While one client pours in commands by the megabyte, another is served at once."""
    port = start_receiver(Limits(errors=10**9, junk_commands=10**9)).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reply(reader)

    async def pour() -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                writer.write(b"NOOP\r\n" * 20_000)
                await writer.drain()
                await asyncio.sleep(0)

    async def drain() -> None:
        while await reader.read(1 << 20):
            pass

    tasks = [asyncio.create_task(pour()), asyncio.create_task(drain())]
    await asyncio.sleep(0.2)
    times = [await deliver(port) for _ in range(10)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    writer.transport.abort()
    print(f"beside a flood of pipelined commands: {max(times) * 1000:.0f} ms at most")
    assert max(times) < 1
