"""Batches of cases one behind the other: in order, side by side, and nothing near to another."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from data.errors import PosternError
from data.records.core.understanding import Classification
from flows.core.batch import Batch
from flows.core.conveyor import Conveyor
from flows.core.run_order import RunOrder, RunTurn
from flows.inbound import STAGES, count_workable, inbound_batch
from flows.mail.stages.classify import ClassifyStage
from tests.line.small import Line, open_line


async def settled() -> None:
    """Let everything go on that can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_no_batch_passes_another_and_each_station_takes_one() -> None:
    """The second enters a stage when the first has left it, and not before."""
    conveyor, seen = Conveyor(), list[tuple[str, str]]()
    gates = {name: asyncio.Event() for name in ("first", "second")}

    async def travel(name: str) -> None:
        async with conveyor.ride() as ride:
            for stage in ("context", "plan", "route"):
                await ride.enter(stage)
                seen.append((name, stage))
                if stage == "plan":
                    await gates[name].wait()

    first = asyncio.create_task(travel("first"))
    await settled()
    second = asyncio.create_task(travel("second"))
    gates["second"].set()
    await settled()
    assert seen == [("first", "context"), ("first", "plan"), ("second", "context")]
    gates["first"].set()
    await asyncio.gather(first, second)
    for stage in ("context", "plan", "route"):
        assert [name for name, where in seen if where == stage] == ["first", "second"]


async def test_a_batch_that_fails_or_is_cut_off_lets_the_next_one_on() -> None:
    """Its station is free again, and what it had is not in work any more."""
    conveyor = Conveyor()

    async def failing() -> None:
        async with conveyor.ride() as ride:
            ride.carry(["a", "b"])
            await ride.enter("context")
            assert conveyor.in_work == ["a", "b"]
            raise KeyError("a")

    with pytest.raises(KeyError):
        await failing()
    assert conveyor.in_work == []
    async with conveyor.ride() as ahead:
        await ahead.enter("context")

        async def behind() -> None:
            async with conveyor.ride() as ride:
                await ride.enter("context")

        waiting = asyncio.create_task(behind())
        await settled()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with asyncio.timeout(30):
        await behind()


async def test_runs_of_one_flow_share_a_turn_until_another_flow_waits() -> None:
    """Two go side by side; once another flow waits, the next of them goes behind it."""
    turns, order = RunOrder(), list[str]()
    ends = asyncio.Event()

    async def run(flow: str, most: int) -> None:
        async with RunTurn(turns, flow, most):
            order.append(flow)
            if flow == "inbound":
                await ends.wait()

    runs = [asyncio.create_task(run("inbound", 2)) for _ in range(2)]
    await settled()
    assert order == ["inbound"] * 2
    gone = asyncio.create_task(run("sync", 1))
    runs += [
        asyncio.create_task(run(flow, most)) for flow, most in (("delivery", 1), ("inbound", 2))
    ]
    await settled()
    assert order == ["inbound"] * 2
    assert RunTurn(turns, "inbound", 2).locked()
    gone.cancel()
    ends.set()
    await asyncio.gather(*runs)
    assert order == ["inbound", "inbound", "delivery", "inbound"]
    assert not RunTurn(turns, "inbound", 2).locked()


class HeldClassify(ClassifyStage):
    """Classifies when it may."""

    def __init__(self) -> None:
        self.reached, self.may = asyncio.Event(), asyncio.Event()

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Classification | PosternError]:
        """Say that it is reached, and wait."""
        self.reached.set()
        await self.may.wait()
        return await super().perform(batch, ids)


async def done(line: Line) -> Counter[tuple[str, str]]:
    """Return how often each stage is done for what each sender wrote."""
    found = await line.rows(
        "SELECT c.contact_email, s.stage FROM steps s JOIN cases c ON c.id = s.item_id "
        "WHERE s.status = 'done' AND NOT s.superseded"
    )
    return Counter((str(row["contact_email"]), str(row["stage"])) for row in found)


async def test_a_batch_begins_behind_another_without_what_is_near_to_it(tmp_path: Path) -> None:
    """While one is understood the next is briefed; the same contact's newer mail waits for both."""
    one, other = "one@heron.example", "other@heron.example"
    async with open_line(tmp_path / "var") as line:
        held = HeldClassify()
        stages = (STAGES[0], held, *STAGES[2:])
        line.send("When is the workshop open?", sender=one)
        await line.intake()
        first = asyncio.create_task(inbound_batch(line.house, line.workspace, stages))
        await asyncio.wait_for(held.reached.wait(), 60)
        late = line.send("And how long does a repair take?", sender=one)
        await line.intake()
        assert await count_workable(line.house, line.workspace) == 0
        assert await inbound_batch(line.house, line.workspace, stages) == 0

        line.send("I need a copy of my invoice.", sender=other)
        await line.intake()
        assert await count_workable(line.house, line.workspace) == 1
        second = asyncio.create_task(inbound_batch(line.house, line.workspace, stages))
        for _ in range(3000):
            if (await done(line))[other, "context"]:
                break
            await asyncio.sleep(0.02)
        assert await done(line) == {(one, "context"): 1, (other, "context"): 1}
        assert await line.status(late) == "threaded"

        held.may.set()
        assert [*await asyncio.gather(first, second)] == [1, 1]
        assert await inbound_batch(line.house, line.workspace, stages) == 1
        assert set((await done(line)).values()) == {1, 2}
        assert (await done(line))[one, "route"] == 2
        decided = await line.rows("SELECT contact_email, outcome FROM cases WHERE outcome = ''")
        assert decided == []
        assert await count_workable(line.house, line.workspace) == 0
