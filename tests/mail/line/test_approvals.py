"""Replies as approvals: what waits, what was allowed, and that a delivery names it."""

from pathlib import Path

import pytest

from data.errors import ForbiddenError
from data.records.core.approvals import Approval
from data.records.core.principals import Principal
from data.records.mail.copies import ChooseCopies
from data.records.mail.deciding import RejectReason
from data.records.mail.orders import Approve, ArchiveCase, Reject
from data.records.mail.views import CaseView
from data.store.core import approvals
from data.store.core.audit_check import verify_log
from flows.api.mail.review.case_view import case_view
from flows.mail.leaving.approving import ask_missing
from flows.mail.leaving.preview import preview_text
from flows.mail.people import copying, outgoing, reopening, reviewing
from tests.core.small import Line
from tests.mail.line.sending_by_itself import QUESTION, one, open_live, write
from tests.people import person

IDA = person("ida")


async def asked(line: Line) -> CaseView:
    """Send a question, work on it, and return its case."""
    line.send("When is the workshop open?", message_id="<q1@heron.example>")
    await line.run()
    case = await one(line, "SELECT id FROM cases")
    return await case_view(line.house, line.workspace, case["id"])


async def shown(line: Line, case: CaseView) -> CaseView:
    """Return the case as it is now."""
    return await case_view(line.house, line.workspace, case.id)


async def listed(line: Line) -> list[Approval]:
    """Return every approval, newest first."""
    every = {"kind": None, "state": None, "subject": None, "viewer": ""}
    found, _ = await line.workspace.db.read(approvals.list_page, **every, limit=50, offset=0)  # type: ignore[arg-type]
    return found


async def states(line: Line) -> list[str]:
    """Return the states of the approvals, newest first."""
    return [str(approval.state) for approval in await listed(line)]


async def test_a_draft_before_a_person_waits_with_the_hash_that_is_shown(line: Line) -> None:
    """One approval waits, of the case, with the recipients and what the page shows as its hash."""
    case = await asked(line)
    (waiting,) = await listed(line)
    assert (waiting.kind, waiting.subject_id, waiting.state) == ("reply", case.id, "pending")
    assert waiting.sha256 == case.approval_hash
    assert case.recipients[0] in waiting.summary
    assert (waiting.floor, waiting.opened_by, waiting.expires_at) == ("person", "route", None)


async def test_a_delivery_and_the_audit_log_name_the_approval(line: Line) -> None:
    """What a person approves is the approval that waited; the row in the outbox bears its id."""
    case = await asked(line)
    (waiting,) = await listed(line)
    given = Approve(version=case.version, approval_hash=case.approval_hash)
    await reviewing.approve(line.house, line.workspace, case.id, given, IDA)
    (allowed,) = await listed(line)
    assert (allowed.id, allowed.state) == (waiting.id, "approved")
    assert (allowed.decided_by, allowed.decided_as) == ("ida", "person")
    assert (await one(line, "SELECT approval_id FROM deliveries"))["approval_id"] == allowed.id
    event = await one(line, "SELECT * FROM audit_events WHERE action = 'approve'")
    assert f"approval {allowed.id}" in event["detail"]


async def test_an_edit_is_another_approval(line: Line) -> None:
    """What waited is withdrawn, and what leaves is allowed under the hash of the edited text."""
    case = await asked(line)
    letter, _ = await preview_text(line.workspace, case.id, "Re: hours", "From nine.")
    _, signed = letter.preview(line.workspace, line.clock())
    given = Approve(
        version=case.version, approval_hash=signed, subject="Re: hours", body="From nine."
    )
    await reviewing.approve(line.house, line.workspace, case.id, given, IDA)
    allowed, older = await listed(line)
    assert (allowed.state, allowed.sha256) == ("approved", signed)
    assert (older.state, older.sha256) == ("withdrawn", case.approval_hash)


async def test_other_copies_are_another_approval(line: Line) -> None:
    """Choosing who gets a copy withdraws what waited; what waits then is what is shown then."""
    case = await asked(line)
    chosen = ChooseCopies(version=case.version, cc=("bo@quill.example",))
    await copying.choose_copies(line.house, line.workspace, case.id, chosen, IDA)
    waiting, older = await listed(line)
    assert (waiting.state, older.state) == ("pending", "withdrawn")
    assert waiting.sha256 == (await shown(line, case)).approval_hash
    assert "bo@quill.example" in waiting.summary


async def test_a_reply_that_is_taken_back_waits_anew(line: Line) -> None:
    """The yes stays as it was given; another approval waits with the same hash."""
    case = await asked(line)
    given = Approve(version=case.version, approval_hash=case.approval_hash)
    delivery = await reviewing.approve(line.house, line.workspace, case.id, given, IDA)
    await outgoing.cancel(line.house, line.workspace, delivery, IDA)
    waiting, allowed = await listed(line)
    assert (waiting.state, allowed.state) == ("pending", "approved")
    assert waiting.sha256 == allowed.sha256 == (await shown(line, case)).approval_hash


async def test_a_refused_draft_is_not_asked_for_again_until_its_case_is_reopened(
    line: Line,
) -> None:
    """Rejecting and closing say no; what opens the case again asks again."""
    case = await asked(line)
    wrong = Reject(version=case.version, reason=RejectReason.WRONG_FACT, note="not on Mondays")
    await reviewing.reject(line.house, line.workspace, case.id, wrong, IDA)
    (refused,) = await listed(line)
    assert (refused.state, refused.decided_by) == ("refused", "ida")
    assert "not on Mondays" in refused.note
    await line.workspace.db.write(ask_missing, line.workspace, line.clock())
    assert await states(line) == ["refused"]
    closing = ArchiveCase(version=(await shown(line, case)).version)
    await reviewing.archive(line.house, line.workspace, case.id, closing, IDA)
    await reopening.reopen(line.house, line.workspace, case.id, IDA)
    assert await states(line) == ["pending", "refused"]


async def test_a_case_that_is_worked_on_again_asks_for_its_new_draft_alone(line: Line) -> None:
    """What waited is withdrawn when its case leaves the person, and one waits when it is back."""
    case = await asked(line)
    await reviewing.retry(line.house, line.workspace, case.id, IDA)
    assert await states(line) == ["withdrawn"]
    await line.run()
    assert await states(line) == ["pending", "withdrawn"]


async def test_a_state_from_before_asks_for_what_is_before_a_person(line: Line) -> None:
    """Whatever waits with a draft and has no approval gets one, once."""
    case = await asked(line)
    await line.workspace.db.write(lambda cursor: cursor.execute("DELETE FROM approvals") and None)
    for _ in range(2):
        await line.workspace.db.write(ask_missing, line.workspace, line.clock())
        (waiting,) = await listed(line)
        assert (waiting.state, waiting.sha256) == ("pending", case.approval_hash)


async def test_who_may_not_decide_approves_nothing(line: Line) -> None:
    """Without the permission the reply stays where it is, and so does its approval."""
    case = await asked(line)
    given = Approve(version=case.version, approval_hash=case.approval_hash)
    nobody = Principal(kind="person", id="u9", name="nobody")
    with pytest.raises(ForbiddenError, match="may not decide"):
        await reviewing.approve(line.house, line.workspace, case.id, given, nobody)
    assert await states(line) == ["pending"]
    assert await line.rows("SELECT id FROM deliveries") == []
    assert (await shown(line, case)).version == case.version


async def test_what_leaves_by_itself_is_allowed_by_the_policy(tmp_path: Path) -> None:
    """The outbox names an approval that the policy gave, and the chain of the audit log holds."""
    async with open_live(tmp_path / "var") as line:
        write(line, QUESTION, "<q1@heron.example>")
        await line.run()
        (allowed,) = await listed(line)
        assert (allowed.state, allowed.floor) == ("approved", "policy")
        assert (allowed.decided_by, allowed.decided_as) == ("policy", "system")
        left = await one(line, "SELECT approval_id, automatic FROM deliveries")
        assert (left["approval_id"], left["automatic"]) == (allowed.id, True)
        event = await one(line, "SELECT actor, detail FROM audit_events WHERE action = 'approve'")
        assert event["actor"] == "policy"
        assert f"approval {allowed.id}" in event["detail"]
        assert (await line.workspace.db.read(verify_log)).broken_at is None
