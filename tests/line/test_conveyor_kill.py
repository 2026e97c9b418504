"""Killed while two batches are in work: everything is finished once."""

import asyncio
import signal
from collections import Counter
from pathlib import Path

import pytest

from flows.core.house import open_house
from flows.inbound import inbound_batch
from tests.line import dying_beside
from tests.line.dying_beside import BATCH, PLACES
from tests.line.small import SLUG, Clock, Line, open_line, settings_in
from tests.processes import exit_status

WISH = "I need a copy of my invoice, please. It is about order {}."


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
async def test_two_batches_in_work_survive_a_kill(tmp_path: Path, place: str) -> None:
    """What was committed of either counts, the rest is done again, tickets and drafts once."""
    home = tmp_path / "var"
    async with open_line(home, authenticate_senders=False) as line:
        for number in range(2 * BATCH):
            line.send(WISH.format(number), sender=f"person{number}@heron.example")
        await line.intake()
    assert await asyncio.to_thread(exit_status, dying_beside.run, home, place) == -signal.SIGKILL

    house = await open_house(settings_in(home, authenticate_senders=False))
    try:
        line = Line(house, await house.workspace(SLUG), Clock())
        begun = await line.rows(
            "SELECT count(DISTINCT item_id) AS n FROM steps WHERE stage='context'"
        )
        assert begun == [{"n": 2 * BATCH}]
        while await inbound_batch(house, line.workspace):
            pass
        cases = await line.rows("SELECT id, state, outcome, message_ids FROM cases")
        steps = await line.rows("SELECT item_id, stage FROM steps WHERE status = 'done'")
        drafts = await line.rows("SELECT case_id FROM drafts")
        tickets = await line.rows("SELECT branch_id FROM tickets")
        events = await line.rows("SELECT item_id, state FROM events WHERE item_kind = 'case'")
    finally:
        await house.close()
    assert len(cases) == 2 * BATCH
    assert all(case["state"] != "running" and case["outcome"] for case in cases)
    stages = Counter((row["item_id"], row["stage"]) for row in steps)
    assert set(stages.values()) == {1}
    for once in (drafts, tickets, events):
        assert max(Counter(tuple(row.values()) for row in once).values(), default=1) == 1
