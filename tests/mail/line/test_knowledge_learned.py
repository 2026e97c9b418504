"""Knowledge that is learned from replies: proposed, accepted, and never from mail that is odd."""

from datetime import date

import pytest

from data.errors import ConflictError
from data.records.core.learning import EditProposal, LearnedOrigin, Proposed
from data.records.mail.orders import Approve
from data.store.core import knowing, learned
from data.store.core.learned import LearnedRow
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.knowing.proposing import propose
from flows.mail.leaving.preview import preview_text
from flows.mail.people import knowing as people
from flows.mail.people import reviewing
from flows.sync import sync_one
from tests.core.small import Line
from tests.people import person

WAX = "We wax the warp beam with carnauba wax once a season."
ASKED = "With what do you wax the warp beam?"


async def replied(line: Line, text: str, added: str, **given: str) -> str:
    """Let a person approve and send a reply with a sentence of their own; return the case's id."""
    item = line.send(text, **given)
    await line.run()
    (row,) = await line.rows("SELECT case_id FROM messages WHERE id = ?", item)
    case = str(row["case_id"])
    view = await case_view(line.house, line.workspace, case)
    draft = view.revisions[-1].draft
    greeting, rest = draft.body.split("\n\n", 1)
    body = f"{greeting}\n\n{added}\n\n{rest}"
    letter, _ = await preview_text(line.workspace, case, draft.subject, body)
    signed = letter.preview(line.workspace, line.clock())[1]
    order = Approve(version=view.version, approval_hash=signed, body=body, confirmed=True)
    await reviewing.approve(line.house, line.workspace, case, order, person("ida"))
    assert await delivery_batch(line.house, line.workspace) == 1
    return case


async def proposed(line: Line) -> list[LearnedRow]:
    """Return what waits for a person."""
    found = await line.workspace.db.read(learned.list_entries)
    return [row for row in found if row.state == "proposed"]


async def searched(line: Line, query: str) -> list[str]:
    """Return the ids of what a draft would find."""
    found = await line.workspace.knowledge.search([query], limit=5, today=line.clock().date())
    return [entry.id for entry, _ in found[0]]


async def test_what_a_person_adds_to_a_reply_is_proposed(line: Line) -> None:
    """Question and answer become a proposal that no search finds; what is cited is not proposed."""
    case = await replied(line, f"When are you open? {ASKED}", WAX)
    (row,) = await proposed(line)
    assert (row.body, row.origin, row.case_id) == (WAX, "reply", case)
    assert row.title == ASKED
    assert row.id not in await searched(line, ASKED)
    assert not row.trusted
    assert await delivery_batch(line.house, line.workspace) == 0
    assert len(await proposed(line)) == 1


async def test_an_accepted_entry_is_found_and_outlives_the_sync(line: Line) -> None:
    """After a person's yes drafts find it, and loading the files again leaves it alone."""
    await replied(line, ASKED, WAX)
    ((identity, *_),) = [(str(row.id), row) for row in await proposed(line)]
    await people.accept(line.house, line.workspace, identity, person("ida"))
    assert (await searched(line, ASKED))[0] == identity
    (line.workspace.sources / "knowledge" / "invoice-copy.md").unlink()
    await sync_one(line.house, line.workspace)
    assert (await searched(line, ASKED))[0] == identity
    line.send(ASKED, sender="jon@bittern.example")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases WHERE contact_email = 'jon@bittern.example'")
    view = await case_view(line.house, line.workspace, str(row["id"]))
    assert WAX in view.revisions[-1].draft.body


async def test_decisions_are_events_and_can_be_taken_back(line: Line) -> None:
    """Accept, edit and reject are in the audit log; undo restores what was before each."""
    await replied(line, ASKED, WAX)
    identity = str((await proposed(line))[0].id)
    house, workspace = line.house, line.workspace
    await people.accept(house, workspace, identity, person("ida"))
    with pytest.raises(ConflictError, match="accepted"):
        await people.accept(house, workspace, identity, person("ida"))
    new = EditProposal(title="Waxing", body="We wax.", valid_until=date(2030, 1, 1))
    await people.edit(house, workspace, identity, new, person("ida"))
    assert [row.title for row in await proposed(line)] == ["Waxing"]
    assert identity not in await searched(line, ASKED)
    await people.undo(house, workspace, identity, person("ida"))
    row = await workspace.db.read(learned.read_row, identity)
    assert (row.state, row.title, row.body) == ("accepted", ASKED, WAX)
    assert identity in await searched(line, ASKED)
    await people.reject(house, workspace, identity, person("ida"))
    assert identity not in await searched(line, ASKED)
    await people.undo(house, workspace, identity, person("ida"))
    assert identity in await searched(line, ASKED)
    with pytest.raises(ConflictError, match="take back"):
        await people.undo(house, workspace, identity, person("ida"))
    events = await line.rows(
        "SELECT action FROM audit_events WHERE subject = ? ORDER BY sequence",
        f"knowledge:{identity}",
    )
    assert [row["action"].removesuffix("-knowledge") for row in events] == [
        "accept",
        "edit",
        "undo",
        "reject",
        "undo",
    ]


async def test_what_was_rejected_is_not_proposed_again(line: Line) -> None:
    """The same question and answer of another contact make no second proposal."""
    await replied(line, ASKED, WAX)
    identity = str((await proposed(line))[0].id)
    await people.reject(line.house, line.workspace, identity, person("ida"))
    await replied(line, ASKED, WAX, sender="jon@bittern.example")
    assert await proposed(line) == []


@pytest.mark.parametrize("change", ["verdict = 'flagged'", "released_by = 'ida'"])
async def test_mail_that_is_not_clean_teaches_nothing(line: Line, change: str) -> None:
    """What the screen has flagged, or a person let out of quarantine, makes no proposal."""
    line.send(ASKED)
    await line.intake()
    await line.workspace.db.write(
        lambda cursor: cursor.execute(f"UPDATE messages SET {change}") and None  # noqa: S608  # ours
    )
    await line.work()
    (row,) = await line.rows("SELECT id FROM cases")
    given = Proposed(title=ASKED, body=WAX, origin=LearnedOrigin.REPLY)

    def act(cursor: object) -> str | None:
        return propose(
            cursor, given, source="x", case_id=str(row["id"]), user="ida", now=line.clock()
        )

    assert await line.workspace.db.write(act) is None
    assert await proposed(line) == []


async def test_a_sent_reply_counts_for_the_entries_it_cites(line: Line) -> None:
    """Usage is counted once per reply that has left, with when and for which case."""
    case = await replied(line, "When is the workshop open?", "See you.")
    await delivery_batch(line.house, line.workspace)
    used = await line.workspace.db.read(knowing.read_usage)
    assert (used["opening-hours"].used, used["opening-hours"].last_case_id) == (1, case)
    (line.workspace.sources / "knowledge" / "opening-hours.md").unlink()
    await sync_one(line.house, line.workspace)
    assert "opening-hours" not in await line.workspace.db.read(knowing.read_usage)
