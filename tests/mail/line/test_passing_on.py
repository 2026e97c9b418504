"""Passing a case on to a colleague: a person says to whom, and it leaves as replies do, once."""

from email import message_from_bytes
from email.policy import default

import pytest

from data.errors import ConflictError
from data.records.core.approvals import Floor
from data.records.core.organization import Route, RouteMode
from data.records.mail.orders import Approve
from data.records.mail.passing_on import ForwardDraft, PassOn
from data.records.mail.planning import ActionType
from data.records.mail.views import CaseView
from data.states import DeliveryState
from data.store.core import control
from data.store.core.database import Connection
from data.store.core.statements import update
from data.store.mail.moves import move
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.leaving.sending import settle_interrupted
from flows.mail.people import outgoing, passing_on, reviewing
from tests.core.small import ADDRESS, CUSTOMER, Line
from tests.people import person

TO = "ida@teasel.example"
ACCOUNTS = "accounts@teasel.example"


async def opened(line: Line, text: str = "When is the workshop open?", **how: object) -> CaseView:
    """Return a case that waits for a person."""
    line.send(text, **how)  # type: ignore[arg-type]
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases WHERE state IN ('in_review', 'escalated')")
    return await case_view(line.house, line.workspace, str(row["id"]))


async def passed(line: Line, case: CaseView, to: str = TO, note: str = "") -> str:
    """Pass a case on as its preview shows it; return the delivery."""
    draft = ForwardDraft(to=to, note=note)
    shown = await passing_on.preview_passing_on(
        line.house, line.workspace, case.id, draft, person("ida")
    )
    order = PassOn(to=to, note=note, version=case.version, approval_hash=shown.approval_hash)
    return await passing_on.pass_on_case(line.house, line.workspace, case.id, order, person("ida"))


async def barred(line: Line, case: CaseView, to: str) -> str:
    """Return why a case may not go there; the order is refused with the same sentence."""
    draft = ForwardDraft(to=to)
    shown = await passing_on.preview_passing_on(
        line.house, line.workspace, case.id, draft, person("ida")
    )
    assert (shown.text, shown.approval_hash) == ("", "")
    order = PassOn(to=to, version=case.version, approval_hash="0" * 64)
    with pytest.raises(ConflictError) as refused:
        await passing_on.pass_on_case(line.house, line.workspace, case.id, order, person("ida"))
    assert str(refused.value) == shown.barred
    return shown.barred


def left(line: Line) -> list[bytes]:
    """Return what has left, as bytes."""
    folder = line.house.settings.home / "outgoing" / "new"
    return [path.read_bytes() for path in sorted(folder.iterdir())] if folder.exists() else []


async def test_it_leaves_once_with_the_original_as_it_arrived(line: Line) -> None:
    """The colleague gets a note and the very bytes; the case stays, and shows what was done."""
    case = await opened(line)
    (message,) = await line.rows("SELECT raw_sha256 FROM messages")
    delivery = await passed(line, case, note="Can you take this one?")
    await delivery_batch(line.house, line.workspace)
    await delivery_batch(line.house, line.workspace)
    (raw,) = left(line)
    read = message_from_bytes(raw, policy=default)
    note, original = list(read.iter_parts())  # type: ignore[attr-defined]
    assert (read["To"], read["Subject"]) == (TO, "Fwd: Opening hours")
    assert "Can you take this one?" in note.get_content()
    assert CUSTOMER in note.get_content()
    assert original.get_content_type() == "message/rfc822"
    assert line.workspace.archive.read(str(message["raw_sha256"])) in raw
    after = await case_view(line.house, line.workspace, case.id)
    assert after.state == "in_review"
    (done,) = after.passed_on
    assert (done.id, done.to, done.state, done.approved_by) == (delivery, TO, "sent", "ida")
    (event,) = await line.rows("SELECT actor, detail FROM audit_events WHERE action = 'pass-on'")
    assert event["actor"] == "ida"
    assert TO in str(event["detail"])


async def test_the_reply_leaves_all_the_same(line: Line) -> None:
    """A case that was passed on is answered as usual, and only the reply ends it."""
    case = await opened(line)
    await passed(line, case)
    again = await case_view(line.house, line.workspace, case.id)
    assert again.delivery_id is None
    given = Approve(version=again.version, approval_hash=again.approval_hash)
    await reviewing.approve(line.house, line.workspace, case.id, given, person("ida"))
    await delivery_batch(line.house, line.workspace)
    assert len(left(line)) == 2
    assert (await case_view(line.house, line.workspace, case.id)).state == "sent"
    assert len((await case_view(line.house, line.workspace, case.id)).passed_on) == 1


async def test_only_the_organizations_own_people_get_it(line: Line) -> None:
    """Not a stranger, not the sender, not the mailbox itself, not an address that leads here."""
    case = await opened(line, f"Please forward this to boss@heron.example and {CUSTOMER}.")
    assert "not of this organization" in await barred(line, case, "boss@heron.example")
    assert "not of this organization" in await barred(line, case, CUSTOMER)
    assert "not of this organization" in await barred(line, case, ADDRESS)
    policy = {"forwards": {"billing": CUSTOMER, "sales": "hello+x@teasel.example"}}
    line.workspace.policy = line.workspace.policy.model_copy(update=policy)
    assert "passed back to its sender" in await barred(line, case, CUSTOMER)
    assert "not of this organization" in await barred(line, case, "hello+x@teasel.example")
    route = Route(pattern=TO, organization=line.workspace.slug, mode=RouteMode.AGENT)
    await line.house.control.write(control.set_route, route)
    await line.house.publish_routes()
    assert "comes back here" in await barred(line, case, TO)
    assert left(line) == []


async def test_the_same_person_gets_it_once(line: Line) -> None:
    """A second order, from another page or a double click, is refused and says who did it."""
    case = await opened(line)
    await passed(line, case)
    again = await case_view(line.house, line.workspace, case.id)
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # of which each has another day
        own = line.workspace.organization.model_copy(update={"timezone": zone})
        line.workspace.organization = own
        sentence = f"ida has passed this on to '{TO}' at {own.day(line.clock())} "
        assert sentence in await barred(line, again, TO)
    with pytest.raises(ConflictError, match="has changed since"):
        await passed(line, case)
    assert len(await line.rows("SELECT id FROM deliveries")) == 1


async def test_what_was_not_shown_does_not_leave(line: Line) -> None:
    """A note that is not the one that was shown, or control letters in it, are refused."""
    case = await opened(line)
    shown = await passing_on.preview_passing_on(
        line.house, line.workspace, case.id, ForwardDraft(to=TO, note="a"), person("ida")
    )
    order = PassOn(to=TO, note="b", version=case.version, approval_hash=shown.approval_hash)
    with pytest.raises(ConflictError, match="not what you were shown"):
        await passing_on.pass_on_case(line.house, line.workspace, case.id, order, person("ida"))
    bell = ForwardDraft(to=TO, note="ring\x07")
    odd = await passing_on.preview_passing_on(
        line.house, line.workspace, case.id, bell, person("ida")
    )
    assert "control character" in odd.barred
    assert await line.rows("SELECT id FROM deliveries") == []


async def test_quarantined_goes_to_nobody_and_flagged_says_so(line: Line) -> None:
    """What the screen has stopped is not passed on; what it flagged carries a warning."""
    case = await opened(line)
    draft = ForwardDraft(to=TO)
    clean = await passing_on.preview_passing_on(
        line.house, line.workspace, case.id, draft, person("ida")
    )
    assert "Careful" not in clean.text

    async def judged(verdict: str, released_by: str | None) -> None:
        (row,) = await line.rows("SELECT id FROM messages")
        fields = {"id": row["id"], "verdict": verdict, "released_by": released_by}
        await line.workspace.db.write(update, "messages", [fields])

    for verdict, by in (("flagged", None), ("quarantine", "ida"), ("clean", "ida")):
        await judged(verdict, by)
        told = await passing_on.preview_passing_on(
            line.house, line.workspace, case.id, draft, person("ida")
        )
        assert "Careful: the screening found something suspicious" in told.text
    await judged("quarantine", None)
    assert "in the quarantine; it goes to nobody" in await barred(line, case, TO)


async def test_it_can_be_taken_back_until_it_leaves(line: Line) -> None:
    """Taken back in its window it never leaves, the case is untouched, and it may go again."""
    case = await opened(line)
    delivery = await passed(line, case)
    await outgoing.cancel(line.house, line.workspace, delivery, person("ida"))
    assert await delivery_batch(line.house, line.workspace) == 0
    after = await case_view(line.house, line.workspace, case.id)
    assert (after.state, after.passed_on) == ("in_review", ())
    await passed(line, after)
    await delivery_batch(line.house, line.workspace)
    assert len(left(line)) == 1


async def test_newer_mail_leaves_it_on_its_way(line: Line) -> None:
    """A reply that waits is taken back by newer mail; what was passed on is not."""
    case = await opened(line, message_id="<a@heron.example>")
    delivery = await passed(line, case)
    line.send(
        "And on Sunday?", subject="Re: Opening hours", headers={"In-Reply-To": "<a@heron.example>"}
    )
    await line.run()
    (row,) = await line.rows("SELECT state FROM deliveries WHERE id = ?", delivery)
    assert row["state"] == "queued"


async def test_a_crash_after_the_dot_is_for_a_person_and_the_case_stays(line: Line) -> None:
    """Over SMTP nobody knows then; whoever says that it arrived does not end the case by it."""
    case = await opened(line)
    delivery = await passed(line, case)

    def walk(cursor: Connection) -> None:
        for state in (DeliveryState.SENDING, DeliveryState.DOT_SENT, DeliveryState.UNKNOWN):
            assert move(cursor, [delivery], state, actor="delivery", now=line.clock())

    await line.workspace.db.write(walk)
    await settle_interrupted(line.house, line.workspace)
    await outgoing.resolve(line.house, line.workspace, delivery, "sent", person("ida"))
    after = await case_view(line.house, line.workspace, case.id)
    assert (after.state, after.passed_on[0].state) == ("in_review", "sent")
    assert await line.rows("SELECT id FROM promises") == []


async def test_the_policy_proposes_and_a_person_decides(line: Line) -> None:
    """Where the policy names a colleague, that is planned, needs a person, and sends nothing."""
    named = {"forwards": {"support": ACCOUNTS, "billing": ACCOUNTS, "sales": ACCOUNTS, "other": TO}}
    line.workspace.policy = line.workspace.policy.model_copy(update=named)
    case = await opened(line, "Please send me a copy of the invoice 4711.", subject="Invoice")
    (plan,) = [branch.plan for branch in case.branches if branch.plan]
    (action,) = [one for one in plan.actions if one.type is ActionType.FORWARD]
    assert (action.argument, action.floor, action.inverse) == (ACCOUNTS, Floor.PERSON, "")
    assert not action.reversible
    assert case.decision is not None
    assert "approval_floor" in [gate.name for gate in case.decision.gates if not gate.passed]
    assert await line.rows("SELECT id FROM deliveries") == []
    await passed(line, case, ACCOUNTS)
    await delivery_batch(line.house, line.workspace)
    assert ACCOUNTS.encode() in left(line)[0]
