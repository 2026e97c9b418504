"""A screen that fails for good: its messages go on flagged, and never leave by themselves."""

from data.records.core.screening import Screening, Verdict
from data.records.mail.stage_outputs import Screened
from data.store.core import journal
from flows.api.mail.review.case_view import case_view
from flows.mail.people import guarding, undoing
from flows.mail.stages.unscreened import UNSCREENED
from tests.core.small import Line
from tests.mail.line.test_learning import stopped
from tests.people import person

BREAK = "ALTER TABLE allowances RENAME TO mislaid"
MEND = "ALTER TABLE mislaid RENAME TO allowances"
"""The screen asks for allowances before it looks at a batch; nothing else of intake does."""


async def alter(line: Line, statement: str) -> None:
    """Damage the state, or mend it."""
    await line.workspace.db.write(lambda cursor: cursor.execute(statement))


async def through(line: Line) -> None:
    """Let all attempts at every stage pass."""
    for _ in range(6):
        await line.run()
        line.clock.forward(60)


async def found(line: Line, item: str) -> Screening:
    """Return what counts as the screen's answer about a message."""
    kept = await line.workspace.db.read(journal.read_results, "screen", [item])
    return Screened.model_validate_json(kept[item]).screening


async def state(line: Line, item: str) -> dict[str, object]:
    """Return what is known of a message."""
    (row,) = await line.rows(
        "SELECT verdict, note, case_id, automated_kind, released_by FROM messages WHERE id = ?",
        item,
    )
    return row


async def test_what_cannot_be_screened_goes_on_flagged(line: Line) -> None:
    """It comes before a person with the reason, in no quarantine, and people are told once."""
    await alter(line, BREAK)
    item = line.send("When are you open?")
    await through(line)
    assert await line.status(item) == "draft_ready"
    row = await state(line, item)
    assert (row["verdict"], row["note"]) == ("flagged", UNSCREENED)
    said = await found(line, item)
    assert (said.verdict, said.errors, said.hits) == (Verdict.FLAGGED, (UNSCREENED,), ())
    view = await case_view(line.house, line.workspace, str(row["case_id"]))
    assert view.item.verdict is Verdict.FLAGGED
    shown = [one.screening for one in view.messages]
    assert [one.errors for one in shown if one is not None] == [(UNSCREENED,)]
    told = await line.rows("SELECT kind, subject_id, sentence FROM notifications")
    assert {"kind": "screen_failed", "subject_id": item, "sentence": UNSCREENED} in told
    assert sum(one["kind"] == "screen_failed" for one in told) == 1
    causes = await line.rows("SELECT error FROM steps WHERE stage = 'screen' AND status <> 'done'")
    assert len(causes) == 3
    assert all("allowances" in str(one["error"]) for one in causes)
    assert await line.rows("SELECT * FROM security_flags") == []


async def test_who_wrote_it_is_told_all_the_same(line: Line) -> None:
    """An automatic reply is put on the shelf though no rule has looked at it."""
    await alter(line, BREAK)
    item = line.send("I am away.", headers={"Auto-Submitted": "auto-replied"})
    await through(line)
    assert await line.status(item) == "stored"
    assert (await state(line, item))["automated_kind"] != "none"


async def test_a_released_message_goes_on_when_its_second_look_fails(line: Line) -> None:
    """A person's word holds; taken back, what the screen had found first counts again."""
    item = await stopped(line)
    first = await found(line, item)
    await alter(line, BREAK)
    await guarding.release(line.house, line.workspace, item, person("ida"))
    await through(line)
    assert await line.status(item) in ("draft_ready", "archived")
    row = await state(line, item)
    assert (row["verdict"], row["note"], row["released_by"]) == ("flagged", UNSCREENED, "ida")
    await alter(line, MEND)
    await undoing.undo(line.house, line.workspace, item, person("ida"))
    assert await line.status(item) == "quarantined"
    assert await found(line, item) == first


async def test_a_later_look_that_works_clears_the_note(line: Line) -> None:
    """What an earlier version had put into quarantine is released, screened, and says nothing."""
    item = await stopped(line)
    note = "UPDATE messages SET note = 'the screen could not run: it was broken'"
    await alter(line, note)
    await guarding.release(line.house, line.workspace, item, person("ida"))
    await line.run()
    row = await state(line, item)
    assert (row["verdict"], row["note"]) == ("quarantine", "")
    assert (await found(line, item)).errors == ()


async def test_neighbours_that_were_screened_are_not_touched(line: Line) -> None:
    """Only what came while the screen was broken is flagged."""
    await alter(line, BREAK)
    item = line.send("When are you open?")
    await through(line)
    await alter(line, MEND)
    later = line.send("What does a repair cost?", subject="Repair", sender="finn@alder.example")
    await through(line)
    assert (await state(line, item))["verdict"] == "flagged"
    row = await state(line, later)
    assert (row["verdict"], row["note"]) == ("clean", "")
