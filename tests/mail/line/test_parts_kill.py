"""Killed while a case becomes two, or while its first part leaves: nothing twice or lost."""

import asyncio
import signal
from email import message_from_bytes
from pathlib import Path

import pytest

from data.store.core.statements import rows
from flows.delivery import delivery_batch
from flows.inbound import inbound_batch
from flows.mail.leaving.sending import settle_interrupted
from tests.mail.line import dying_parts
from tests.mail.line.dying_parts import PLACES, reopen
from tests.mail.line.parts_of import ANSWER, BOTH, open_parts
from tests.mail.line.sending_by_itself import write
from tests.processes import exit_status

ASKED = "<both@heron.example>"


@pytest.mark.slow
@pytest.mark.parametrize("where", PLACES)
async def test_parts_survive_a_kill(tmp_path: Path, where: str) -> None:
    """Whatever was not committed is done again, whatever was is not: two cases, one reply."""
    home = tmp_path / "var"
    async with open_parts(home, undo_seconds=0) as line:
        write(line, BOTH, ASKED, subject="Repair and invoice")
        await line.intake()
    assert await asyncio.to_thread(exit_status, dying_parts.run, home, where) == -signal.SIGKILL
    house, workspace = await reopen(home)
    try:
        await settle_interrupted(house, workspace)
        for _ in range(3):
            await inbound_batch(house, workspace)
            await delivery_batch(house, workspace)
        found = await workspace.db.read(rows, "SELECT * FROM cases ORDER BY created_at")
        sent = await workspace.db.read(rows, "SELECT * FROM deliveries")
        branches = await workspace.db.read(rows, "SELECT * FROM branches ORDER BY case_id")
        tickets = await workspace.db.read(rows, "SELECT * FROM tickets")
    finally:
        await house.close()
    assert [row["state"] for row in found] == ["sent", "in_review"]
    assert found[1]["part_of"] == found[0]["id"]
    assert [row["case_id"] for row in branches] == [row["id"] for row in found]
    assert [row["case_id"] for row in tickets] == [found[1]["id"]]
    assert [(row["case_id"], row["state"]) for row in sent] == [(found[0]["id"], "sent")]
    (left,) = (home / "outgoing" / "new").iterdir()
    message = message_from_bytes(left.read_bytes())
    payload = message.get_payload(decode=True)
    assert isinstance(payload, bytes)
    assert ANSWER in payload.decode()
    assert message["In-Reply-To"] == ASKED
