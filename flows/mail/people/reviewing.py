"""Decisions on a reply: approve, edit and approve, choose, reject, reassign, close, try again."""

from datetime import datetime
from typing import NamedTuple

from data.errors import ConflictError
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.mail.approval_kinds import REPLY
from data.records.mail.deciding import RejectReason, ReviewAction
from data.records.mail.delivery import Outgoing
from data.records.mail.drafting import BEGUN, Checked, Draft, Severity
from data.records.mail.orders import Approve, ArchiveCase, Choose, Reassign, Reject
from data.states import BranchState, CaseState, MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.core.statements import Fields
from data.store.mail import cases, follow_ups
from data.store.mail.moves import move
from data.store.mail.thread_status import settle_threads_of_cases
from flows.core.acting import Act, carry_out
from flows.core.bindings import CASE_STAGES
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import allow, ask, refuse, request_for
from flows.mail.leaving.letters import hash_of, letter_or_refuse, render
from flows.mail.leaving.outbox import Departure, enqueue
from flows.mail.leaving.outgoing_check import refuse_leak
from flows.mail.leaving.signing import sign_outgoing
from flows.mail.line.case_family import hand_messages_on
from flows.mail.line.check_basis import read_basis
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.owner_questions import withdraw_case_questions
from flows.mail.people.annotating import add_on_case, whom_it_tells
from flows.mail.people.deciding import (
    DECIDABLE,
    Deciding,
    Review,
    decide,
    keeping_leaks,
    must_be_in,
)
from flows.mail.people.scheduling import departure_of
from flows.mail.people.vigilance import end_planted
from tasks.mail.check.check_drafts import check_draft
from tasks.mail.compose.edit_distance import measure_edit

NOT_DRAFTED = "this letter was begun by a person or a follow-up, and no draft is written for it"


class Prepared(NamedTuple):
    """A reply that may leave as it was shown, made before anything is written."""

    draft: Draft
    outgoing: Outgoing
    """Signed."""
    checked: Checked
    edit_distance: float
    departure: Departure | None
    """When it is to leave, where that was chosen."""
    drafted: bool
    """Whether the machine has drafted it; not where a person began the letter."""
    revision: Fields
    """The row of the draft as edited, without its time."""


async def approve(
    house: House, workspace: Workspace, case_id: str, order: Approve, principal: Principal
) -> str:
    """Approve a reply as shown, or as edited; return the delivery's id.

    Raises:
        ConflictError: the case or what would leave is no longer what was shown, or the check found
            what bars sending and the person did not say that they stand by it, or the moment to
            leave is over or too far ahead.
        LeakError: it would tell private context.
        PlantedFaultError: the letter was shown with a planted fault; nothing leaves.

    """
    await end_planted(house, workspace, case_id, order.version, principal, order)
    edited = order.body is not None or order.subject is not None
    async with keeping_leaks(house, workspace, case_id, principal):
        reply = await workspace.db.read(_prepare, house, workspace, case_id, order, principal)
    outgoing, departure = reply.outgoing, reply.departure
    await workspace.keep_bytes([outgoing.raw], house.clock())

    def act(deciding: Deciding) -> str:
        if edited:
            cases.add_drafts(deciding.cursor, [{**reply.revision, "created_at": deciding.now}])
        withdraw_case_questions(deciding.cursor, case_id, principal.name, deciding.now)
        asked = request_for(case_id, outgoing, order.approval_hash)
        approval = allow(deciding.cursor, workspace, REPLY, asked, principal, deciding.now)
        leaves = f"to leave {departure.at.isoformat(timespec='minutes')}, " if departure else ""
        if order.follow_up_days:
            by, days = principal, order.follow_up_days
            follow_ups.add(deciding.cursor, case_id, days, None, by.name, by.email, deciding.now)
        deciding.detail = f"{leaves}approval {approval.id}, sha256 {outgoing.sha256}"
        return enqueue(
            deciding.cursor,
            deciding.case,
            outgoing,
            approval,
            undo_seconds=workspace.policy.undo_seconds,
            now=deciding.now,
            departure=departure,
        )

    review = Review(
        ReviewAction.EDIT_AND_APPROVE if edited else ReviewAction.APPROVE,
        edit_distance=reply.edit_distance,
        looked_seconds=order.looked_seconds,
        letter_words=len(reply.draft.body.split()),
    )
    return await decide(
        house, workspace, case_id, order.version, principal, "approve", act,
        review=review if reply.drafted else None,  # a letter of one's own says nothing of drafts
    )  # fmt: skip


def _prepare(
    cursor: Connection,
    house: House,
    workspace: Workspace,
    case_id: str,
    order: Approve,
    principal: Principal,
) -> Prepared:
    """Render, check and sign what was approved; nothing is written.

    The case's version is claimed afterwards, so what was read here is still so then.
    """
    case = cases.read_version(cursor, case_id, order.version)
    must_be_in(DECIDABLE, case.state)
    shown = _latest(cursor, case_id)
    edited = order.body is not None or order.subject is not None
    if not edited and shown is not None and shown.provider == BEGUN:
        raise ConflictError("nothing is written in this letter yet; write it, then approve it")
    draft = _edited(shown, order, workspace.organization, principal) if edited else shown
    letter = letter_or_refuse(cursor, workspace, case, draft)
    now = house.clock()
    departure = departure_of(workspace, order.leave, principal, now)
    dated = departure.at if departure else now  # its Date says when it leaves
    hostname = house.settings.smtp_hostname
    outgoing = render(workspace, letter, hostname=hostname, auto=False, now=dated)
    if hash_of(outgoing) != order.approval_hash:
        raise ConflictError(
            "what would leave is not what you were shown; look at the preview again"
        )
    refuse_leak(workspace, outgoing.raw, len(outgoing.enclosed))
    checked = check_draft(mail_line_of(workspace).ground, read_basis(cursor, case), letter.draft)
    _stand_by(checked, order)
    return Prepared(
        draft=letter.draft,
        outgoing=sign_outgoing(house.settings, workspace.organization, outgoing),
        checked=checked,
        edit_distance=0.0 if order.body is None else measure_edit(shown, order.body),
        departure=departure,
        drafted=not case.is_own_letter,
        revision=_revision(cursor, case_id, letter.draft, checked),
    )


async def reject(
    house: House, workspace: Workspace, case_id: str, order: Reject, principal: Principal
) -> None:
    """Say that a draft is not good: another is written, or the case stays for a person to write.

    Only where the reason is that no reply should go is the case closed without one.

    Raises:
        ConflictError: the case has changed since it was shown, or is not before a person.
        PlantedFaultError: the letter was shown with a planted fault, which was seen by that.

    """
    await end_planted(house, workspace, case_id, order.version, principal)
    detail = f"{order.reason} {order.note}".strip()

    def act(deciding: Deciding) -> None:
        if order.redraft and deciding.case.is_own_letter:
            raise ConflictError(NOT_DRAFTED)
        refuse(deciding.cursor, workspace, case_id, principal, deciding.now, detail)
        if order.redraft:
            ids, now = deciding.message_ids, deciding.now
            work_again(deciding.cursor, case_id, ids, "draft", principal, now)
        elif order.reason is RejectReason.SHOULD_NOT_REPLY:
            _close(deciding, str(order.reason))

    review = Review(
        ReviewAction.REJECT, order.reason, order.note, looked_seconds=order.looked_seconds
    )
    await decide(
        house, workspace, case_id, order.version, principal, "reject", act,
        review=review, detail=detail,
    )  # fmt: skip


async def reassign(
    house: House, workspace: Workspace, case_id: str, order: Reassign, principal: Principal
) -> None:
    """Give a case to another person, who is told, or back to nobody; a note may go with it.

    Raises:
        ConflictError: the person is not of this organization, the case has changed since it was
            shown, or it is not before a person.
        NotFoundError: the note names somebody who is not known.

    """
    people = {person.email.lower() for person in workspace.organization.people}
    assignee = order.assignee.lower()
    if assignee and assignee not in (*people, principal.email.lower()):  # anybody may take one
        raise ConflictError(
            f"{order.assignee!r} is not one of the organization's people: {', '.join(people)}"
        )

    note = order.note.strip()
    colleagues = await whom_it_tells(house, workspace, note)

    def act(deciding: Deciding) -> None:
        cases.change(deciding.cursor, [{"id": case_id, "assignee": assignee or None}])
        settle_threads_of_cases(deciding.cursor, [case_id])
        if note:
            add_on_case(deciding, case_id, note, colleagues)
        if assignee and assignee != principal.email:
            subject = deciding.case.subject or "(no subject)"
            sentence = f"{principal.name} gave you a case: {subject}"
            notify(deciding.cursor, "given", {case_id: sentence}, deciding.now, {case_id: assignee})

    review = Review(ReviewAction.REASSIGN, note=order.assignee)
    detail = order.assignee or "nobody"
    await decide(
        house, workspace, case_id, order.version, principal, "reassign", act,
        review=review, detail=detail,
    )  # fmt: skip


async def archive(
    house: House,
    workspace: Workspace,
    case_id: str,
    archive_case: ArchiveCase,
    principal: Principal,
) -> None:
    """Close a case without a reply.

    Raises:
        ConflictError: the case has changed since it was shown, or there is nothing to decide.

    """

    def act(deciding: Deciding) -> None:
        refuse(deciding.cursor, workspace, case_id, principal, deciding.now, archive_case.note)
        _close(deciding, archive_case.note)

    await decide(
        house,
        workspace,
        case_id,
        archive_case.version,
        principal,
        "archive",
        act,
        states=(*DECIDABLE, CaseState.FAILED),
        review=Review(ReviewAction.ARCHIVE, note=archive_case.note),
        detail=archive_case.note,
    )


async def choose(
    house: House, workspace: Workspace, case_id: str, order: Choose, principal: Principal
) -> None:
    """Make an alternative the newest revision of the reply; the others stay on offer.

    Raises:
        ConflictError: the case has changed, or there is no such alternative.

    """

    def look(cursor: Connection) -> Fields:
        case = cases.read_version(cursor, case_id, order.version)
        must_be_in(DECIDABLE, case.state, "choose")
        revisions = cases.list_drafts(cursor, case_id)
        last_checked = revisions[-1].checked if revisions else None
        offered = Checked.model_validate_json(last_checked).alternatives if last_checked else ()
        chosen = next((offer for offer in offered if offer.kind is order.kind), None)
        if chosen is None:
            kinds = ", ".join(str(offer.kind) for offer in offered) or "none"
            raise ConflictError(
                f"there is no draft {str(order.kind)!r} to choose; there is {kinds}"
            )
        checked = check_draft(
            mail_line_of(workspace).ground, read_basis(cursor, case), chosen.draft
        )
        checked = checked.model_copy(update={"alternatives": offered})
        return _revision(cursor, case_id, chosen.draft, checked)

    revision = await workspace.db.read(look)

    def act(deciding: Deciding) -> None:
        cases.add_drafts(deciding.cursor, [{**revision, "created_at": deciding.now}])
        ask(deciding.cursor, workspace, [case_id], principal.name, deciding.now)

    await decide(
        house, workspace, case_id, order.version, principal, "choose draft", act,
        nothing_to="choose", detail=str(order.kind),
    )  # fmt: skip


async def retry(house: House, workspace: Workspace, case_id: str, principal: Principal) -> None:
    """Work on a failed or undrafted case again, from its context on."""

    def work(act: Act) -> None:
        row = cases.read_row(act.cursor, case_id)
        if row.state not in (CaseState.FAILED, CaseState.IN_REVIEW):
            raise ConflictError(f"a case that is {row.state!r} cannot be worked on again")
        if row.is_own_letter:
            raise ConflictError(NOT_DRAFTED)
        act.note("retry", f"case:{case_id}")
        work_again(act.cursor, case_id, row.message_ids, "context", principal, act.now)

    await carry_out(house, workspace, principal, work)


def work_again(
    cursor: Connection,
    case_id: str,
    ids: list[str],
    stage: str,
    principal: Principal,
    now: datetime,
) -> None:
    """Make a case due again from `stage` on, with the messages `ids`; not a person's own letter."""
    if cases.read_row(cursor, case_id).is_own_letter:
        return
    later = CASE_STAGES[CASE_STAGES.index(stage) :]
    journal.supersede_steps(cursor, [case_id], later)
    cases.change(cursor, [{"id": case_id, "due_at": now}])
    move(cursor, [case_id], CaseState.RUNNING, actor=principal.name, now=now)
    for status in (MessageStatus.THREADED, MessageStatus.PROCESSING):
        move(cursor, ids, status, actor=principal.name, now=now, of=[case_id])
    branches = [row.id for row in cases.list_branches(cursor, [case_id])]
    move(cursor, branches, BranchState.RUNNING, actor=principal.name, now=now)
    cases.advance_versions(cursor, [case_id], now)


def _close(deciding: Deciding, note: str) -> None:
    cursor, case_id, now = deciding.cursor, deciding.case_id, deciding.now
    actor = deciding.principal.name
    withdraw_case_questions(cursor, case_id, actor, now)
    move(cursor, [case_id], CaseState.ARCHIVED, actor=actor, now=now, note=note)
    hand_messages_on(cursor, cases.read_row(cursor, case_id), actor, now)
    ids = deciding.message_ids
    move(cursor, ids, MessageStatus.ARCHIVED, actor=actor, now=now, note=note, of=[case_id])


def _latest(cursor: Connection, case_id: str) -> Draft | None:
    revisions = cases.list_drafts(cursor, case_id)
    return Draft.model_validate_json(revisions[-1].draft) if revisions else None


def _edited(
    shown: Draft | None, order: Approve, organization: Organization, principal: Principal
) -> Draft:
    base = shown or Draft(subject="", body="", language=organization.language)
    return base.model_copy(
        update={
            "subject": base.subject if order.subject is None else order.subject,
            "body": base.body if order.body is None else order.body,
            "provider": principal.name,
        }
    )


def _stand_by(checked: Checked, order: Approve) -> None:
    grave = [finding for finding in checked.findings if finding.severity is Severity.BLOCK]
    if grave and not order.confirmed:
        raise ConflictError(
            f"the check would not let this leave: {grave[0].sentence}; change the text, or say "
            "that you stand by it"
        )


def _revision(cursor: Connection, case_id: str, draft: Draft, checked: Checked) -> Fields:
    """Return the row of a case's next revision without its time.

    The claim of the case's version keeps the number true.
    """
    return {
        "case_id": case_id,
        "revision": cases.read_next_revisions(cursor, [case_id])[case_id],
        "draft": draft.model_dump_json(),
        "checked": checked.model_dump_json(),
        "author": draft.provider,
        "unanswered": len(draft.unanswered),
    }
