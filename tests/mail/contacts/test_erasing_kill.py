"""An erasure that was killed goes on at the next start, and leaves nothing either."""

import asyncio
import shutil
import signal
from pathlib import Path

import pytest

from data.store.core import audit
from data.store.core.database import Database
from flows.core.house import House
from flows.mail.people.erasing import finish_erasures
from flows.opening import open_house
from tests.core.small import CUSTOMER, SLUG, open_line, settings_in
from tests.mail.contacts import dying
from tests.mail.contacts.dying import STEPS
from tests.mail.contacts.held import OTHER, WORDS, answer, fill, holding
from tests.processes import exit_status


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with mail of two contacts, closed."""
    home = tmp_path_factory.mktemp("filled") / "var"

    async def work() -> None:
        async with open_line(home) as line:
            await fill(line)
            await answer(line)

    asyncio.run(work())
    return home


async def opened(home: Path) -> House:
    """Open the home as the next engine does."""
    return await open_house(settings_in(home))


@pytest.mark.parametrize("step", STEPS)
async def test_killed_before_a_step_it_ends_at_the_next_start(
    filled: Path, tmp_path: Path, step: str
) -> None:
    """Whatever the step, the next start finishes it once, and the audit log says it once."""
    home = tmp_path / "var"
    shutil.copytree(filled, home)
    assert await asyncio.to_thread(exit_status, dying.run, home, step) == -signal.SIGKILL
    house = await opened(home)
    try:
        workspace = await house.get_workspace(SLUG)
        assert await finish_erasures(house, workspace) == 1
        assert await finish_erasures(house, workspace) == 0
        events = await workspace.db.read(
            lambda c: c.execute(
                "SELECT count(*) FROM audit_events WHERE action = 'erase-contact'"
            ).fetchall()
        )
        assert events == [(1,)]
        assert await workspace.db.read(audit.find_break) is None
        left = await workspace.db.read(
            lambda c: c.execute("SELECT DISTINCT sender_email FROM messages").fetchall()
        )
        assert left == [(OTHER,)]
    finally:
        await house.close()
    assert [one for word in (*WORDS, CUSTOMER.encode()) for one in holding(home, word)] == []


async def test_a_half_written_copy_is_thrown_away(tmp_path: Path) -> None:
    """What a killed rewriting left beside the file neither counts nor stays."""
    path = tmp_path / "state.duckdb"
    database = Database(path, "organization")
    await database.write(
        lambda c: c.execute("INSERT INTO webhook_ids VALUES ('quixot', now()), ('kept', now())")
    )
    (tmp_path / "state.duckdb.fresh").write_bytes(b"half a copy")
    await database.write(lambda c: c.execute("DELETE FROM webhook_ids WHERE webhook_id = 'quixot'"))
    await database.renew()
    assert await database.read(
        lambda c: c.execute("SELECT webhook_id FROM webhook_ids").fetchall()
    ) == [("kept",)]
    database.close()
    assert holding(tmp_path, b"") == ["state.duckdb"]
    assert holding(tmp_path, b"quixot") == []
