"""The engine's loops and the memory it works in."""

import asyncio
import gc
from datetime import UTC, datetime
from typing import cast

from flows.core.heap import settle_heap
from flows.core.house import House
from flows.running.loops import Loop, make_loops


async def test_the_loop_that_goes_on_is_woken_at_once() -> None:
    """What intake has threaded need not wait until the work on cases looks by itself."""
    stopping, nobody = asyncio.Event(), cast(House, None)
    looked: list[datetime] = []

    async def work(_: House) -> bool:
        looked.append(datetime.now(UTC))
        return False

    async def take(_: House) -> bool:
        stopping.set()
        return True

    after = Loop("work", work)
    await asyncio.wait_for(Loop("take", take, feeds=after).run(nobody, stopping), 60)
    assert after.woken.is_set()
    assert looked == []
    loops = {loop.name: loop for loop in make_loops()}
    assert loops["intake"].feeds is loops["inbound"]


async def test_a_loop_with_nothing_done_wakes_nobody() -> None:
    """An empty round, or one that failed, is no reason to look."""
    for fails in (False, True):
        stopping = asyncio.Event()

        async def idle(
            _: House, *, fails: bool = fails, stopping: asyncio.Event = stopping
        ) -> bool:
            stopping.set()
            if fails:
                raise OSError("the disk is full")
            return False

        after = Loop("work", idle)
        loop = Loop("take", idle, feeds=after)
        await asyncio.wait_for(loop.run(cast(House, None), stopping), 60)
        assert not after.woken.is_set()


def test_what_is_loaded_is_hidden_from_the_collector_once() -> None:
    """The second time after the same work nothing is frozen, and cycles are still collected."""
    settle_heap("a test")
    frozen = gc.get_freeze_count()
    assert frozen > 10_000
    cycle: list[object] = []
    cycle.append(cycle)
    settle_heap("a test")
    assert gc.get_freeze_count() <= frozen
    del cycle
    assert gc.collect() > 0
    assert gc.isenabled()
