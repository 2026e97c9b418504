"""A stage that fails: for one message, for a while, or for good."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import pytest

from data.errors import OutsidePermanentError, OutsideTemporaryError, PosternError, StoreError
from data.store.core import journal
from data.store.core.database import Connection
from flows.core.batch import Batch
from flows.core.bindings import BINDINGS
from flows.intake import STAGES as INTAKE
from flows.mail.stages.message_stage import MessageStage
from flows.mail.stages.parse import ParseStage
from flows.mail.stages.run_stage import run_stage
from tasks.mail.read import Reading
from tests.core.small import Line


class Unlucky(ParseStage):
    """Parses, but fails on messages of its choice."""

    def __init__(self, poisoned: Sequence[str], error: Exception) -> None:
        self.poisoned, self.error, self.calls = set(poisoned), error, 0

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Reading | PosternError]:
        """Fail the whole call when a poisoned message is in it."""
        self.calls += 1
        if self.poisoned & set(ids):
            raise self.error
        return await super().perform(batch, ids)


async def taken(line: Line, count: int) -> list[str]:
    """Return the ids of messages that are taken in and not yet read."""
    from flows.mail.line.take import take_in_waiting

    ids = [line.send(f"Question number {n}", subject=f"Number {n}") for n in range(count)]
    await take_in_waiting(line.house, 100)
    return ids


def batch_of(line: Line, ids: Sequence[str]) -> Batch:
    """Return a batch of these messages."""
    return Batch(house=line.house, workspace=line.workspace, ids=list(ids))


async def test_a_poisoned_message_does_not_hold_back_its_neighbours(line: Line) -> None:
    """When a batch fails, its items are tried one by one; only the culprit is put off."""
    ids = await taken(line, 4)
    batch = batch_of(line, ids)
    tally = await run_stage(Unlucky(ids[1:2], RuntimeError("a bug of ours")), batch)

    assert tally == {"done": 3, "before": 0, "later": 1, "failed": 0}
    assert batch.ids == [ids[0], ids[2], ids[3]]
    (row,) = await line.rows("SELECT due_at FROM messages WHERE id = ?", ids[1])
    assert row["due_at"] > line.clock()  # type: ignore[operator]


async def test_what_may_work_later_is_tried_as_often_as_the_table_says(line: Line) -> None:
    """After the last retry the message is shown as failed, with the error as its note."""
    (item,) = await taken(line, 1)
    stage = Unlucky([item], OutsideTemporaryError("the reader is away"))
    for _ in range(BINDINGS["parse"].retries):
        assert (await run_stage(stage, batch_of(line, [item])))["later"] == 1
    assert (await run_stage(stage, batch_of(line, [item])))["failed"] == 1

    assert await line.status(item) == "failed"
    (row,) = await line.rows("SELECT note FROM messages WHERE id = ?", item)
    assert "the reader is away" in str(row["note"])


async def test_what_will_never_work_is_not_tried_again(line: Line) -> None:
    """An error that says it is permanent ends at the first attempt."""
    (item,) = await taken(line, 1)
    stage = Unlucky([item], OutsidePermanentError("no"))
    assert (await run_stage(stage, batch_of(line, [item])))["failed"] == 1


async def test_a_journalled_stage_never_runs_twice(line: Line) -> None:
    """A second run finds the results in the journal and performs nothing."""
    ids = await taken(line, 3)
    await run_stage(ParseStage(), batch_of(line, ids))
    stage = Unlucky([], RuntimeError())
    again = batch_of(line, ids)
    tally = await run_stage(stage, again)

    assert (tally["before"], stage.calls) == (3, 0)
    assert set(await again.read_results("parse", Reading)) == set(ids)


class Forgetful(ParseStage):
    """Breaks in the middle of the transaction that should journal its results."""

    def __init__(self, poisoned: Sequence[str], error: Exception) -> None:
        self.poisoned, self.error = set(poisoned), error

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Reading], now: datetime
    ) -> None:
        """Write, then fall over."""
        super().settle(cursor, batch, results, now)
        if self.poisoned & set(results):
            raise self.error


async def test_results_and_what_follows_are_committed_together_or_not_at_all(line: Line) -> None:
    """If nothing can be written, neither the journal nor the message has moved."""
    (item,) = await taken(line, 1)
    with pytest.raises(StoreError, match="the disk is full"):
        await run_stage(Forgetful([item], StoreError("the disk is full")), batch_of(line, [item]))
    assert await line.workspace.db.read(journal.read_results, "parse", [item]) == {}
    assert await line.status(item) == "received"


async def test_what_breaks_behind_one_result_is_that_messages_trouble(line: Line) -> None:
    """The others are settled; it comes again later, and after the last retry it has failed."""
    ids = await taken(line, 3)
    stage, batch = Forgetful(ids[1:2], RuntimeError("a bug of ours")), batch_of(line, ids)
    tally = await run_stage(stage, batch)
    assert tally == {"done": 2, "before": 0, "later": 1, "failed": 0}
    assert batch.ids == [ids[0], ids[2]]
    assert set(await line.workspace.db.read(journal.read_results, "parse", ids)) == {ids[0], ids[2]}
    assert [await line.status(item) for item in ids] == ["screening", "received", "screening"]
    for _ in range(BINDINGS["parse"].retries - 1):
        assert (await run_stage(stage, batch_of(line, ids[1:2])))["later"] == 1
    assert (await run_stage(stage, batch_of(line, ids[1:2])))["failed"] == 1
    assert await line.status(ids[1]) == "failed"
    (row,) = await line.rows("SELECT note FROM messages WHERE id = ?", ids[1])
    assert "a bug of ours" in str(row["note"])


async def test_every_stage_has_its_row_in_the_table(line: Line) -> None:
    """No stage runs without a failure policy, and no row is for a stage that is not there."""
    from flows.inbound import STAGES as CASE

    assert [stage.name for stage in (*INTAKE, *CASE)] == list(BINDINGS)
    assert all(isinstance(stage, MessageStage) for stage in INTAKE)
