"""The journal: which stage is done for which item, with what result, by whom, how long it took.

It, not Prefect's database, says what is done. A result counts until it is superseded, which a new
draft or a release from quarantine does; superseded entries stay as history.
"""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from data.records.core.record import Record
from data.states import StepStatus
from data.store.core.database import Connection
from data.store.core.statements import columns, first, insert, records

_FEW = 8
"""Items whose results of all stages are read sooner than the table is searched for one stage's."""


class Step(Record):
    """One attempt at one stage for one item."""

    item_id: str
    stage: str
    attempt: int
    status: StepStatus
    started_at: datetime
    milliseconds: float
    output: str | None = None
    """The result as JSON; None when the attempt failed."""
    error: str = ""
    input_hash: str = ""
    config_version: str = ""
    provider: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    superseded: bool = False
    run_id: str = ""
    """The flow run that it was made in, as Prefect knows it; empty outside of one."""


class _Result(NamedTuple):
    """What says whether a step's result counts, and the result."""

    item_id: str
    output: str | None
    stage: str
    status: str
    superseded: bool
    started_at: datetime


_RESULT = columns(_Result)


def build_step_without_run(
    item: str, stage: str, output: str, now: datetime, config_version: str, **given: str
) -> Step:
    """Return the step of a result that was made without a run of its stage; `given` are columns."""
    usual = {"provider": "local"} | given
    return Step(
        item_id=item,
        stage=stage,
        attempt=1,
        status=StepStatus.DONE,
        started_at=now,
        milliseconds=0.0,
        output=output,
        config_version=config_version,
        **usual,
    )


def record_steps(cursor: Connection, steps: Sequence[Step]) -> None:
    """Write the steps, as one batch."""
    insert(cursor, "steps", [vars(step) for step in steps])


def read_results(cursor: Connection, stage: str, ids: Sequence[str]) -> dict[str, str]:
    """Return the journalled result of `stage` as JSON for each of the ids that has one."""
    if len(ids) <= _FEW:  # by the index, which DuckDB asks for one condition alone
        few = records(
            cursor,
            _Result,
            f"SELECT {_RESULT} FROM steps WHERE item_id IN ?",
            [list(ids)],
        )
        counting = [
            row
            for row in sorted(few, key=attrgetter("started_at"))
            if row.stage == stage and row.status == StepStatus.DONE and not row.superseded
        ]
        return {row.item_id: str(row.output) for row in counting}
    # First which rows, then their texts: in one step the texts of the whole table are read.
    step_outputs = cursor.execute(
        "SELECT item_id, output FROM steps WHERE rowid IN (SELECT rowid FROM steps "
        "WHERE stage = ? AND status = 'done' AND NOT superseded AND item_id IN (SELECT unnest(?))) "
        "ORDER BY started_at",
        [stage, list(ids)],
    ).fetchall()
    return {str(item): str(output) for item, output in step_outputs}


def read_begin_times(cursor: Connection, stage: str, ids: Sequence[str]) -> dict[str, datetime]:
    """Return when `stage` began with the result that counts, for each of the ids that has one."""
    begun = cursor.execute(
        "SELECT item_id, max(started_at) FROM steps WHERE item_id IN (SELECT unnest(?)) "
        "AND stage = ? AND status = 'done' AND NOT superseded GROUP BY item_id",
        [list(ids), stage],
    ).fetchall()
    return {str(item): at for item, at in begun}


def read_newest(cursor: Connection, stage: str, item: str) -> str | None:
    """Return the last result of `stage` for an item as JSON, whether it still counts or not."""
    row = first(
        cursor,
        "SELECT output FROM steps WHERE stage = ? AND item_id = ? AND status = 'done' "
        "ORDER BY started_at DESC LIMIT 1",
        [stage, item],
    )
    return str(row[0]) if row else None


def list_begun(cursor: Connection, ids: Sequence[str]) -> set[str]:
    """Return those of the ids for which any stage has journalled something that counts."""
    begun_ids = cursor.execute(
        "SELECT DISTINCT item_id FROM steps WHERE NOT superseded AND item_id IN (SELECT unnest(?))",
        [list(ids)],
    ).fetchall()
    return {str(row[0]) for row in begun_ids}


def read_failures(cursor: Connection, stage: str, ids: Sequence[str]) -> dict[str, int]:
    """Return how often `stage` has failed for each of the ids that it failed for."""
    failure_counts = cursor.execute(
        "SELECT item_id, count(*) FROM steps WHERE stage = ? AND status <> 'done' "
        "AND NOT superseded AND item_id IN (SELECT unnest(?)) GROUP BY item_id",
        [stage, list(ids)],
    ).fetchall()
    return {str(item): int(count) for item, count in failure_counts}


def supersede_steps(cursor: Connection, ids: Sequence[str], stages: Sequence[str]) -> None:
    """Make the stages due again for these items; what was journalled stays as history."""
    cursor.execute(
        "UPDATE steps SET superseded = true "
        "WHERE item_id IN (SELECT unnest(?)) AND stage IN (SELECT unnest(?))",
        [list(ids), list(stages)],
    )


def withdraw_steps(cursor: Connection, ids: Sequence[str], stage: str) -> None:
    """Make the newest result of `stage` for each of the items history."""
    cursor.execute(
        "UPDATE steps SET superseded = true FROM (SELECT item_id AS item, max(started_at) AS at "
        "FROM steps WHERE item_id IN (SELECT unnest(?)) AND stage = ? GROUP BY item_id) newest "
        "WHERE item_id = newest.item AND stage = ? AND started_at = newest.at",
        [list(ids), stage, stage],
    )


def reinstate_steps(cursor: Connection, item: str, stages: Sequence[str], before: datetime) -> None:
    """Make what the stages had found out about an item before that moment count again.

    What they found out since becomes history.
    """
    values = [item, list(stages), before]
    cursor.execute(
        "UPDATE steps SET superseded = true "
        "WHERE item_id = ? AND stage IN (SELECT unnest(?)) AND started_at >= ?",
        values,
    )
    cursor.execute(
        "UPDATE steps SET superseded = false FROM (SELECT stage AS name, max(started_at) AS at "
        "FROM steps WHERE item_id = ? AND stage IN (SELECT unnest(?)) AND started_at < ? "
        "AND status = 'done' GROUP BY stage) newest "
        "WHERE item_id = ? AND stage = newest.name AND started_at = newest.at",
        [*values, item],
    )
