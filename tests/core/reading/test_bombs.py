"""MIME bombs through the reading processes: each costs itself, and other mail does not wait."""

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from connectors.parse_pool import ParsePool
from data.errors import UnreadableMailError
from tasks.mail.read import Reading
from tests.core.reading.bombs import BOMBS, ODD

ORDINARY = b"From: a@x.example\r\nSubject: Gears\r\n\r\nHello\r\n"
GUARD_SECONDS = 120.0
"""Against hanging; the limit for other mail is five seconds, and what it waits is printed."""


@pytest_asyncio.fixture(name="pool", scope="module", loop_scope="module")
async def running_pool() -> AsyncIterator[ParsePool[Reading]]:
    """Yield one reading process with the limits that the engine gives it."""
    target = "tasks.mail.read:read"
    async with ParsePool(target, Reading.model_validate_json, processes=1) as pool:
        yield pool


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", [*BOMBS, *ODD])
async def test_other_mail_waits_little_for_a_bomb(pool: ParsePool[Reading], name: str) -> None:
    """Mail behind a bomb in the same process is read soon, by the same parent."""
    bomb = {**BOMBS, **ODD}[name]
    before = time.monotonic()
    outcome, *others = await asyncio.wait_for(
        pool.parse_many([bomb, ORDINARY, ORDINARY]), GUARD_SECONDS
    )
    waited = time.monotonic() - before
    assert [one.mail.subject for one in others if isinstance(one, Reading)] == ["Gears", "Gears"]
    if name in BOMBS:
        assert isinstance(outcome, UnreadableMailError)
        assert "raw" in str(outcome)
    else:
        assert isinstance(outcome, Reading)
        assert "hello" in outcome.mail.text or not outcome.mail.sender
    print(f"\n{name}: two messages behind it are read after {waited:.2f} s")


@pytest.mark.asyncio(loop_scope="module")
async def test_all_bombs_at_once_leave_the_process_alive(pool: ParsePool[Reading]) -> None:
    """A flood of bombs is refused one by one, and kills neither reader nor parent."""
    parent, readers = os.getpid(), pool.pids()
    outcomes = await pool.parse_many([*BOMBS.values(), ORDINARY])
    assert [type(one) for one in outcomes[:-1]] == [UnreadableMailError] * len(BOMBS)
    assert isinstance(outcomes[-1], Reading)
    assert (os.getpid(), pool.pids()) == (parent, readers)
