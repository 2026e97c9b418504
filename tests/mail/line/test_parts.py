"""A message with several wishes: its parts are decided on by themselves, and answered once."""

from collections.abc import AsyncIterator
from email import message_from_bytes
from pathlib import Path

import pytest

from data.records.core.organization import Mode
from data.records.mail.copies import ChooseCopies
from data.records.mail.orders import Approve, ArchiveCase, Join, Reject
from flows.mail.people import outgoing, reviewing
from flows.mail.people import setting_apart as setting_apart
from flows.mail.people.copying import choose_copies
from tests.core.small import Line
from tests.mail.line.parts_of import (
    ANSWER,
    BOTH,
    FOLLOWS,
    KNOWN,
    MONEY,
    body,
    both,
    cases_of,
    leave,
    open_parts,
    view,
)
from tests.mail.line.sending_by_itself import one, write
from tests.mail.line.test_attaching import attach
from tests.people import person

ASKED = "<both@heron.example>"


@pytest.fixture
async def parts(tmp_path: Path) -> AsyncIterator[Line]:
    """A line that may answer parts of a message."""
    async with open_parts(tmp_path / "var") as line:
        yield line


async def approve(line: Line, case_id: str, *, text: str | None = None) -> None:
    """Approve a case as a person does who has looked at it."""
    seen = await view(line, case_id)
    given = Approve(version=seen.version, approval_hash=seen.approval_hash, confirmed=True)
    await reviewing.approve(line.house, line.workspace, case_id, given, person("ida"))


async def test_a_part_about_money_holds_itself_and_no_other(parts: Line) -> None:
    """The question is answered at once and says that the rest follows; the refund waits."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    first, rest = await both(parts)
    assert (first.state, rest.state) == ("approved", "in_review")
    assert ANSWER in body(first)
    assert FOLLOWS in body(first)
    assert "request" not in body(first)
    assert ANSWER not in body(rest)
    assert FOLLOWS not in body(rest)
    assert [branch.intent.category for branch in first.branches] == ["support"]
    assert [branch.intent.category for branch in rest.branches] == ["billing"]
    assert [link.id for link in first.others] == [rest.id]
    assert [link.id for link in rest.others] == [first.id]
    message = await one(parts, "SELECT status, case_id FROM messages")
    assert message == {"status": "draft_ready", "case_id": rest.id}


async def test_both_answers_are_in_the_thread_and_each_leaves_once(parts: Line) -> None:
    """Two deliveries answer the same message; the message is sent when the last of them has."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    await leave(parts)
    first, rest = await both(parts)
    assert (first.state, rest.state) == ("sent", "in_review")
    assert await parts.status(first.messages[0].id) == "draft_ready"
    assert (await one(parts, "SELECT status FROM threads"))["status"] == "pending_review"
    promised = await parts.rows("SELECT sentence FROM promises WHERE closed_at IS NULL")
    assert [FOLLOWS in str(row["sentence"]) for row in promised] == [True]
    await approve(parts, rest.id)
    await leave(parts)
    await leave(parts)
    sent = await parts.rows("SELECT sha256, automatic FROM deliveries ORDER BY created_at")
    assert [row["automatic"] for row in sent] == [True, False]
    archive = parts.workspace.archive
    for row in sent:
        raw = message_from_bytes(archive.read(str(row["sha256"])))
        assert raw["In-Reply-To"] == ASKED
        assert raw["To"] == "mara@heron.example"
    assert await parts.status(first.messages[0].id) == "sent"
    assert (await one(parts, "SELECT status FROM threads"))["status"] == "resolved"
    assert (
        await parts.rows(
            "SELECT 1 FROM promises WHERE sentence LIKE '%separate%' AND closed_at IS NULL"
        )
        == []
    )


async def test_a_policy_that_says_together_holds_everything_and_names_the_part(
    tmp_path: Path,
) -> None:
    """One case with one reply to both waits, and says which part holds the other."""
    async with open_parts(tmp_path / "var", answer_parts="together") as line:
        write(line, BOTH, ASKED, subject="Repair and invoice")
        await line.run()
        (row,) = await cases_of(line)
        case = await view(line, str(row["id"]))
        assert await line.rows("SELECT 1 FROM deliveries") == []
    assert case.state == "in_review"
    assert case.decision is not None
    assert case.decision.reason.startswith("The part about billing holds the rest")
    assert {
        str(branch.intent.category): str(branch.decision.outcome)
        for branch in case.branches
        if branch.decision
    } == {"support": "auto_send", "billing": "review"}
    assert [bool(branch.draft and branch.checked) for branch in case.branches] == [True, True]
    assert body(case).count("Hello") == 1
    assert ANSWER in body(case)
    assert "request" in body(case)


async def test_flagged_mail_gains_nothing(parts: Line) -> None:
    """What the screen finds odd is answered by nobody, in no part."""
    parts.workspace.policy = parts.workspace.policy.model_copy(update={"flag_threshold": 0.0})
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    (row,) = await cases_of(parts)
    assert row["state"] == "in_review"
    assert await parts.rows("SELECT 1 FROM deliveries") == []


async def test_shadow_mode_sends_no_part(parts: Line) -> None:
    """In shadow mode a case stays one, before a person."""
    parts.workspace.policy = parts.workspace.policy.model_copy(update={"mode": Mode.SHADOW})
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    (row,) = await cases_of(parts)
    assert (row["state"], row["part_of"]) == ("in_review", None)


async def test_undo_takes_one_part_back(parts: Line) -> None:
    """The reply that waits is cancelled, its part is before a person, the other is untouched."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    first, rest = await both(parts)
    assert first.delivery_id is not None
    await outgoing.cancel(parts.house, parts.workspace, first.delivery_id, person("ida"))
    after, still = await both(parts)
    assert (after.state, still.state, still.version) == ("in_review", "in_review", rest.version)
    await leave(parts)
    assert [row["state"] for row in await parts.rows("SELECT state FROM deliveries")] == [
        "cancelled"
    ]


async def test_what_people_chose_for_parts_goes_along_when_they_are_joined(parts: Line) -> None:
    """The one letter has the files of both, each once, and who was to get a copy of either."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    first, rest = await both(parts)
    await outgoing.cancel(parts.house, parts.workspace, first.delivery_id or "", person("ida"))
    for case, name in ((first.id, "plan.bin"), (rest.id, "plan.bin"), (rest.id, "bill.bin")):
        await attach(parts, case, name)
    version = (await view(parts, rest.id)).version
    chosen = ChooseCopies(version=version, cc=("vera@heron.example",), bcc=("zoe@kite.example",))
    await choose_copies(parts.house, parts.workspace, rest.id, chosen, person("ida"))

    order = Join(version=(await view(parts, first.id)).version)
    await setting_apart.join(parts.house, parts.workspace, first.id, order, person("ida"))
    joined = await view(parts, first.id)
    assert [file.filename for file in joined.attachments] == ["plan.bin", "bill.bin"]
    row = await one(parts, "SELECT cc, bcc, files FROM cases WHERE superseded_by IS NULL")
    assert row == {"cc": ["vera@heron.example"], "bcc": ["zoe@kite.example"], "files": 2}


async def test_a_part_is_drafted_again_without_the_other(parts: Line) -> None:
    """Another draft of the rest says nothing of what was answered, and the reverse."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    first, rest = await both(parts)
    given = Reject(version=rest.version, reason="tone", redraft=True)
    await reviewing.reject(parts.house, parts.workspace, rest.id, given, person("ida"))
    await parts.work()
    await reviewing.retry(parts.house, parts.workspace, rest.id, person("ida"))
    await parts.work()
    again = await view(parts, rest.id)
    assert (again.state in ("in_review", "escalated"), len(await cases_of(parts))) == (True, 2)
    assert ANSWER not in body(again)
    assert [branch.intent.category for branch in again.branches] == ["billing"]
    assert (await view(parts, first.id)).state == "approved"


async def test_closing_the_rest_leaves_the_first_as_it_is(parts: Line) -> None:
    """A message of which a part was answered and a part closed is sent, not archived."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    first, rest = await both(parts)
    await reviewing.archive(
        parts.house, parts.workspace, rest.id, ArchiveCase(version=rest.version), person("ida")
    )
    message = await one(parts, "SELECT status, case_id FROM messages")
    assert message == {"status": "approved", "case_id": first.id}
    await leave(parts)
    assert await parts.status(first.messages[0].id) == "sent"


async def test_new_mail_takes_over_only_what_is_open(parts: Line) -> None:
    """The refund waits on, the new question is answered; what has left is not told again."""
    write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    await leave(parts)
    first, rest = await both(parts)
    write(
        parts,
        "One more thing: when is the workshop open on weekdays?",
        "<more@heron.example>",
        to=ASKED,
        subject="Re: Repair and invoice",
    )
    await parts.run()
    states = {str(row["id"]): row["state"] for row in await parts.rows("SELECT * FROM cases")}
    assert (states.pop(first.id), states.pop(rest.id)) == ("sent", "superseded")
    assert sorted(states.values()) == ["approved", "in_review"]
    drafts = await parts.rows(
        "SELECT draft FROM drafts WHERE case_id IN (SELECT unnest(?))", list(states)
    )
    assert any("09:00 to 16:30" in str(row["draft"]) for row in drafts)
    assert all(ANSWER not in str(row["draft"]) for row in drafts)
    others = await view(parts, next(case for case in states if states[case] == "in_review"))
    assert {link.state for link in others.others} == {"sent", "approved"}
    assert len(await parts.rows("SELECT 1 FROM deliveries WHERE body LIKE ?", f"%{ANSWER}%")) == 1


async def test_new_mail_takes_back_what_waits_and_answers_all_in_one(parts: Line) -> None:
    """Before the first part has left, the new case has all parts again, each message once."""
    message = write(parts, BOTH, ASKED, subject="Repair and invoice")
    await parts.run()
    more = write(
        parts,
        "One more thing: when is the workshop open on weekdays?",
        "<more@heron.example>",
        to=ASKED,
        subject="Re: Repair and invoice",
    )
    await parts.run()
    delivered = await parts.rows("SELECT state FROM deliveries ORDER BY created_at")
    assert delivered[0]["state"] == "cancelled"
    (row, *_) = await cases_of(parts)
    assert list(row["message_ids"]) == [message, more]
    told = await parts.rows(
        "SELECT d.draft FROM drafts d JOIN cases c ON c.id = d.case_id "
        "WHERE c.state <> 'superseded' AND d.revision = 0"
    )
    assert any(ANSWER in str(one["draft"]) for one in told)


@pytest.mark.parametrize("text", [KNOWN, MONEY.removeprefix("Also, ")])
async def test_one_wish_is_one_case(parts: Line, text: str) -> None:
    """Nothing is parted where one thing is wanted."""
    write(parts, text, ASKED, subject="A question")
    await parts.run()
    (row,) = await cases_of(parts)
    assert (row["part_of"], row["left_out"]) == (None, "")
