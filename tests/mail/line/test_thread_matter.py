"""A short answer in an old conversation is about what the conversation was about."""

import pytest

from data.records.core.understanding import Category
from data.records.mail.orders import ArchiveCase
from flows.mail.line.matters_before import find_earlier_matters
from flows.mail.people import reviewing
from tests.core.small import Line
from tests.people import person

INVOICE = "Our invoice 5518 shows the wrong amount, please send a corrected invoice."
REPAIR = "The loom is broken since yesterday and makes a loud noise. How can it be repaired?"


async def closed(line: Line, text: str, *, number: int, answers: int = 0) -> dict[str, object]:
    """Send a message, let it be worked on and closed; return its case."""
    await ask(line, text, number=number, answers=answers)
    rows = await line.rows("SELECT * FROM cases ORDER BY created_at DESC, id DESC LIMIT 1")
    given = ArchiveCase(version=int(str(rows[0]["version"])))
    await reviewing.archive(line.house, line.workspace, str(rows[0]["id"]), given, person("ida"))
    return rows[0]


async def ask(
    line: Line, text: str, *, number: int, answers: int = 0, sender: str = "mara@heron.example"
) -> None:
    """Send a message that answers another, and work on it."""
    headers = {"In-Reply-To": f"<m{answers}@heron.example>"} if answers else {}
    line.clock.forward(1)
    line.send(
        text,
        subject="Our loom",
        message_id=f"<m{number}@heron.example>",
        headers=headers,
        sender=sender,
    )
    await line.run()


@pytest.mark.parametrize(("text", "category"), [(INVOICE, "billing"), (REPAIR, "support")])
async def test_an_answer_takes_the_matter_of_its_conversation(
    line: Line, text: str, category: str
) -> None:
    """What was decided on the case before counts for an answer that says nothing."""
    before = await closed(line, text, number=1)
    assert before["category"] == category
    after = await closed(line, "Any news?", number=2, answers=1)
    assert after["thread_id"] == before["thread_id"]
    assert after["category"] == category


async def test_what_a_person_said_counts_and_what_was_taken_over_does_not(line: Line) -> None:
    """A corrected category is the matter; a superseded case's messages speak for themselves."""
    first = await closed(line, REPAIR, number=1)

    def say(cursor: object) -> None:
        cursor.execute("UPDATE cases SET category = 'sales' WHERE id = ?", [first["id"]])  # type: ignore[attr-defined]

    await line.workspace.db.write(say)
    await ask(line, "Yes please.", number=2, answers=1)
    await ask(line, "The red one.", number=3, answers=2)
    rows = await line.rows("SELECT id, state, category FROM cases ORDER BY created_at, id")
    assert [row["state"] for row in rows][:2] == ["archived", "superseded"]
    assert rows[2]["category"] == "sales"
    ids = [str(row["id"]) for row in rows]
    found = await line.workspace.db.read(find_earlier_matters, ids)
    assert found == {ids[1]: Category.SALES, ids[2]: Category.SALES}


async def test_nobody_else_s_conversation_counts(line: Line) -> None:
    """Another contact's case in another conversation says nothing."""
    await closed(line, INVOICE, number=1)
    await ask(line, "Any news?", number=9, sender="jon@bittern.example")
    rows = await line.rows("SELECT id FROM cases ORDER BY created_at, id")
    assert await line.workspace.db.read(find_earlier_matters, [str(rows[1]["id"])]) == {}
