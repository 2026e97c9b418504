"""The engine's loops and the memory it works in."""

import asyncio
import gc
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from data.errors import StoreError
from data.records.core.envelope import Channel
from data.settings import load_settings
from data.store.core.statements import rows
from flows.core.garbage_collection import pause_collector, settle_heap
from flows.core.house import House
from flows.core.rounds import do_for_organizations
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import has_mail_waiting
from flows.opening import open_house
from flows.running.loops import Loop, make_loops
from tests.core.small import TEASEL


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
    taking = Loop("take", take, feeds=after, count_writes=lambda _: 0)
    await asyncio.wait_for(taking.run(nobody, stopping), 60)
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
        loop = Loop("take", idle, feeds=after, count_writes=lambda _: 0)
        await asyncio.wait_for(loop.run(cast(House, None), stopping), 60)
        assert not after.woken.is_set()


async def test_a_quiet_house_is_looked_into_when_something_comes(tmp_path: Path) -> None:
    """Where nothing happens a loop rests; a transaction, and mail in the spool, end its rest."""
    house = await open_house(load_settings(home=tmp_path))
    try:
        stopping, looks, looked = asyncio.Event(), 0, asyncio.Event()

        async def look(_: House) -> bool:
            nonlocal looks
            looks += 1
            looked.set()
            return False

        loop = Loop(
            "look",
            look,
            has_arrivals=has_mail_waiting,
            quiet_seconds=0.0,
            quiet_poll_seconds=3600.0,
        )
        running = asyncio.create_task(loop.run(house, stopping))
        await asyncio.wait_for(looked.wait(), 60)
        looked.clear()
        await house.control.write(lambda _: None)
        await asyncio.wait_for(looked.wait(), 60)
        looked.clear()
        mail = b"Subject: hours\r\n\r\nWhen?\r\n"
        house.spool.put(
            mail, channel=Channel.INGEST, mail_from="a@heron.example", rcpt_to=("c@heron.example",)
        )
        await asyncio.wait_for(looked.wait(), 60)
        stopping.set()
        await asyncio.wait_for(running, 60)
        assert looks >= 3
    finally:
        await house.close()


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


def test_nothing_is_looked_through_while_modules_load() -> None:
    """A load that fails leaves the collector as it was, with what has come out of its sight."""
    frozen = gc.get_freeze_count()
    stays: list[list[int]] = []

    def load() -> None:
        with pause_collector():
            assert not gc.isenabled()
            stays.extend([number] for number in range(1000))
            raise ImportError

    with pytest.raises(ImportError):
        load()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(stays)


async def test_a_mistake_of_ours_in_a_loop_is_logged_with_its_place(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What was expected to fail is a sentence; of anything else the log says where it happened."""
    for error, has_place in ((ValueError("no number"), True), (StoreError("it is busy"), False)):
        stopping = asyncio.Event()

        async def fail(
            _: House, *, error: Exception = error, stopping: asyncio.Event = stopping
        ) -> bool:
            stopping.set()
            raise error

        caplog.clear()
        await Loop("fails", fail, count_writes=lambda _: 0).run(cast(House, None), stopping)
        (record,) = caplog.records
        assert str(error) in record.getMessage()
        assert bool(record.exc_info) is has_place


async def test_what_goes_wrong_for_one_organization_is_no_matter_of_the_others(
    tmp_path: Path,
) -> None:
    """Each has its turn, whoever comes before it, and the fault is still told."""
    house = await open_house(load_settings(home=tmp_path))
    try:
        for slug in ("alder", "birch", "cedar"):
            named = {"slug": slug, "addresses": (f"desk@{slug}.example",)}
            await house.add_organization(TEASEL.model_copy(update=named))
        (await house.get_workspace("alder")).db.close()
        reached: list[str] = []

        async def look(workspace: Workspace) -> bool:
            tables = await workspace.db.read(rows, "SELECT count(*) AS n FROM messages")
            reached.append(workspace.slug)
            return bool(tables)

        with pytest.raises(RuntimeError, match="after shutdown"):
            await do_for_organizations(house, look)
        assert reached == ["birch", "cedar"]
    finally:
        await house.close()
