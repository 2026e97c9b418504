"""Many clients at once: slow ones, and more than there is room for."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable

import pytest

from connectors.receiver import Limits
from tests.mail.gate.conftest import RunningReceiver
from tests.mail.gate.crowd import STEPS, deliver, deliver_in_time, drip, one_of_many, reply

pytestmark = pytest.mark.slow
Start = Callable[..., RunningReceiver]
UNCUT = 60.0
"""Seconds after which a slow client that nobody cuts gives up by itself."""


async def test_slow_clients_are_cut_and_normal_ones_are_served(start_receiver: Start) -> None:
    """200 clients drip commands and data: all are cut, and others are served meanwhile."""
    deadline = 3.0
    limits = Limits(
        connections=400,
        connections_per_address=400,
        command_seconds=deadline,
        data_seconds=deadline,
        data_grace_seconds=deadline,
    )
    port = start_receiver(limits).port
    slow = [asyncio.create_task(drip(port, STEPS[: 4 * (n % 2)], UNCUT)) for n in range(200)]
    await asyncio.sleep(0.3)
    for _ in range(40):
        await deliver_in_time(port, deadline)  # benchmarks/receive_slow.py says how soon
    endings = await asyncio.gather(*slow)
    assert {line[:9] for _, line in endings} == {b"421 4.4.2"}


async def test_slow_but_steady_sender_of_a_large_message_succeeds(start_receiver: Start) -> None:
    """Megabytes that take longer than the deadline arrive, because they keep coming."""
    limits = Limits(data_seconds=4, data_grace_seconds=1)
    receiver = start_receiver(limits)
    reader, writer = await asyncio.open_connection("127.0.0.1", receiver.port)
    await reply(reader)
    for step in STEPS:
        writer.write(step)
        await reply(reader)
    began = time.monotonic()
    for _ in range(50):
        writer.write((b"z" * 510 + b"\r\n") * 100)
        await asyncio.sleep(0.1)
    writer.write(b".\r\n")
    assert (await reply(reader)).startswith(b"250")
    assert time.monotonic() - began > limits.data_seconds
    assert len(receiver.messages()[0]) == 50 * 100 * 512
    writer.close()


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
    async with asyncio.timeout(120):  # a flood that starves others does not end
        for _ in range(10):
            await deliver(port)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    writer.transport.abort()
