"""Batches of cases: one at a time, so that the next finds what the one before has decided."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from data.errors import PosternError
from data.records.core.understanding import Classification
from flows.core.batch import Batch
from flows.inbound import STAGES, count_workable, inbound_batch
from flows.mail.stages.classify import ClassifyStage
from tests.core.small import Line, open_line


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


async def count_done(line: Line) -> Counter[tuple[str, str]]:
    """Return how often each stage is done for what each sender wrote."""
    rows = await line.rows(
        "SELECT c.contact_email, s.stage FROM steps s JOIN cases c ON c.id = s.item_id "
        "WHERE s.status = 'done' AND NOT s.superseded"
    )
    return Counter((str(row["contact_email"]), str(row["stage"])) for row in rows)


async def test_a_batch_waits_for_the_one_before_and_one_cut_off_holds_none_up(
    tmp_path: Path,
) -> None:
    """Mail that comes meanwhile is taken in; each stage is done once for every case."""
    writers = ("one@heron.example", "other@heron.example")
    async with open_line(tmp_path / "var") as line:
        classify = HeldClassify()
        stages = (STAGES[0], classify, *STAGES[2:])
        line.send("When is the workshop open?", sender=writers[0])
        await line.intake()
        first = asyncio.create_task(inbound_batch(line.house, line.workspace, stages))
        await asyncio.wait_for(classify.reached.wait(), 60)
        late = line.send("I need a copy of my invoice.", sender=writers[1])
        await line.intake()
        second = asyncio.create_task(inbound_batch(line.house, line.workspace, stages))
        await asyncio.sleep(0)
        assert await line.status(late) == "threaded"
        assert await count_done(line) == {(writers[0], "context"): 1}

        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        classify.may.set()
        assert await second == 2
        done = await count_done(line)
        assert set(done.values()) == {1}
        assert {writer for writer, stage in done if stage == "route"} == {*writers}
        assert await count_workable(line.house, line.workspace) == 0
