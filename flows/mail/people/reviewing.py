"""Decisions on a case: approve, edit and approve, reject, reassign, close, try again."""

import asyncio
from datetime import datetime

from data.errors import ConflictError
from data.ids import new_id
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.mail.deciding import RejectReason, ReviewAction
from data.records.mail.drafting import Checked, Draft, Severity
from data.records.mail.orders import Approve, Archive, Reassign, Reject
from data.states import BranchState, CaseState, MessageStatus
from data.store.core import audit, journal
from data.store.core.database import Connection, insert, update
from data.store.mail import cases
from data.store.mail.moves import move
from data.store.mail.thread_status import settle_threads_of_cases
from flows.core.bindings import CASE_STAGES
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.letters import hash_of, letter_or_refuse, render
from flows.mail.leaving.outbox import enqueue
from flows.mail.leaving.outgoing_check import refuse_leak, written
from flows.mail.leaving.preview import check_draft
from flows.mail.leaving.signing import sign_outgoing
from flows.mail.line.family import hand_on
from flows.mail.line.owner_questions import withdraw_of
from tasks.compose.edit_distance import measure_edit

DECIDABLE = (CaseState.IN_REVIEW, CaseState.ESCALATED)


async def approve(
    house: House, workspace: Workspace, case_id: str, given: Approve, principal: Principal
) -> str:
    """Approve a reply as shown, or as edited; return the delivery's id.

    Raises:
        ConflictError: the case or what would leave is no longer what was shown, or the check found
            what bars sending and the person did not say that they stand by it.

    """
    edit_distance = 0.0
    if given.body is not None:
        draft_shown = await workspace.db.read(_latest, case_id)
        edit_distance = await asyncio.to_thread(measure_edit, draft_shown, given.body)

    def act(cursor: Connection) -> str:
        now = house.clock()
        row = cases.claim_version(cursor, case_id, given.version, now)
        must_be_decidable(row["state"])
        shown = _latest(cursor, case_id)
        edited = given.body is not None or given.subject is not None
        draft = _edited(shown, given, workspace.organization, principal) if edited else shown
        letter = letter_or_refuse(cursor, workspace, row, draft)
        outgoing = render(
            workspace, letter, hostname=house.settings.smtp_hostname, auto=False, now=now
        )
        if hash_of(outgoing) != given.approval_hash:
            raise ConflictError(
                "what would leave is not what you were shown; look at the preview again"
            )
        refuse_leak(workspace, outgoing)
        outgoing = sign_outgoing(house.settings, workspace.organization, outgoing)
        checked = check_draft(cursor, workspace, row, letter.draft)
        _stand_by(checked, given)
        if edited:
            _keep_revision(cursor, case_id, letter.draft, checked, principal, now)
        workspace.archive.keep([outgoing.raw])
        _review(
            cursor,
            case_id,
            principal,
            ReviewAction.EDIT_AND_APPROVE if edited else ReviewAction.APPROVE,
            now,
            edit_distance=edit_distance,
        )
        withdraw_of(cursor, case_id, principal.name, now)
        _audit(cursor, principal, "approve", case_id, f"sha256 {outgoing.sha256}", now)
        return enqueue(
            cursor,
            row,
            outgoing,
            approved_by=principal.name,
            automatic=False,
            undo_seconds=workspace.policy.undo_seconds,
            now=now,
        )

    return await written(house, workspace, act, case_id, principal.name)


async def reject(
    house: House, workspace: Workspace, case_id: str, given: Reject, principal: Principal
) -> None:
    """Say that a draft is not good: another is written, or the case stays for a person to write.

    Only where the reason is that no reply should go is the case closed without one.
    """

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = cases.claim_version(cursor, case_id, given.version, now)
        must_be_decidable(row["state"])
        _review(
            cursor,
            case_id,
            principal,
            ReviewAction.REJECT,
            now,
            reason=given.reason,
            note=given.note,
        )
        _audit(cursor, principal, "reject", case_id, f"{given.reason} {given.note}".strip(), now)
        if given.redraft:
            work_again(cursor, case_id, row["message_ids"], "draft", principal, now)
        elif given.reason is RejectReason.SHOULD_NOT_REPLY:
            _close(cursor, row["message_ids"], case_id, principal, now, str(given.reason))

    await workspace.db.write(act)


async def reassign(
    house: House, workspace: Workspace, case_id: str, given: Reassign, principal: Principal
) -> None:
    """Give a case to another person, or back to nobody.

    Raises:
        ConflictError: the person is not of this organization.

    """
    people = {person.email.lower() for person in workspace.organization.people}
    if given.assignee and given.assignee.lower() not in people:
        raise ConflictError(
            f"{given.assignee!r} is not one of the organization's people: {', '.join(people)}"
        )

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = cases.claim_version(cursor, case_id, given.version, now)
        must_be_decidable(row["state"])
        update(cursor, "cases", [{"id": case_id, "assignee": given.assignee.lower() or None}])
        settle_threads_of_cases(cursor, [case_id])
        _review(cursor, case_id, principal, ReviewAction.REASSIGN, now, note=given.assignee)
        _audit(cursor, principal, "reassign", case_id, given.assignee or "nobody", now)

    await workspace.db.write(act)


async def archive(
    house: House, workspace: Workspace, case_id: str, given: Archive, principal: Principal
) -> None:
    """Close a case without a reply."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = cases.claim_version(cursor, case_id, given.version, now)
        if row["state"] != CaseState.FAILED:
            must_be_decidable(row["state"])
        _review(cursor, case_id, principal, ReviewAction.ARCHIVE, now, note=given.note)
        _audit(cursor, principal, "archive", case_id, given.note, now)
        _close(cursor, row["message_ids"], case_id, principal, now, given.note)

    await workspace.db.write(act)


async def retry(house: House, workspace: Workspace, case_id: str, principal: Principal) -> None:
    """Work on a failed or undrafted case again, from its context on."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = cases.one(cursor, case_id)
        if row["state"] not in (CaseState.FAILED, CaseState.IN_REVIEW):
            raise ConflictError(f"a case that is {row['state']!r} cannot be worked on again")
        _audit(cursor, principal, "retry", case_id, "", now)
        work_again(cursor, case_id, row["message_ids"], "context", principal, now)

    await workspace.db.write(act)


def work_again(
    cursor: Connection,
    case_id: str,
    ids: list[str],
    stage: str,
    principal: Principal,
    now: datetime,
) -> None:
    """Make a case due again from `stage` on, with the messages `ids`."""
    later = CASE_STAGES[CASE_STAGES.index(stage) :]
    journal.supersede(cursor, [case_id], later)
    update(cursor, "cases", [{"id": case_id, "due_at": now}])
    move(cursor, [case_id], CaseState.RUNNING, actor=principal.name, now=now)
    for status in (MessageStatus.THREADED, MessageStatus.PROCESSING):
        move(cursor, ids, status, actor=principal.name, now=now, of=[case_id])
    branches = [row["id"] for row in cases.branches(cursor, [case_id])]
    move(cursor, branches, BranchState.RUNNING, actor=principal.name, now=now)
    cases.touch(cursor, [case_id], now)


def _close(
    cursor: Connection, ids: list[str], case_id: str, principal: Principal, now: datetime, note: str
) -> None:
    withdraw_of(cursor, case_id, principal.name, now)
    move(cursor, [case_id], CaseState.ARCHIVED, actor=principal.name, now=now, note=note)
    hand_on(cursor, cases.one(cursor, case_id), principal.name, now)
    move(
        cursor, ids, MessageStatus.ARCHIVED, actor=principal.name, now=now, note=note, of=[case_id]
    )


def must_be_decidable(state: str) -> None:
    """Refuse a decision on a case that is not before a person.

    Raises:
        ConflictError: it is not.

    """
    if state not in DECIDABLE:
        raise ConflictError(f"this case is {state!r} now; there is nothing to decide")


def _latest(cursor: Connection, case_id: str) -> Draft | None:
    revisions = cases.drafts(cursor, case_id)
    return Draft.model_validate_json(revisions[-1]["draft"]) if revisions else None


def _edited(
    shown: Draft | None, given: Approve, organization: Organization, principal: Principal
) -> Draft:
    base = shown or Draft(subject="", body="", language=organization.language)
    return base.model_copy(
        update={
            "subject": base.subject if given.subject is None else given.subject,
            "body": base.body if given.body is None else given.body,
            "provider": principal.name,
        }
    )


def _stand_by(checked: Checked, given: Approve) -> None:
    grave = [found for found in checked.findings if found.severity is Severity.BLOCK]
    if grave and not given.confirmed:
        raise ConflictError(
            f"the check would not let this leave: {grave[0].sentence}; change the text, or say "
            "that you stand by it"
        )


def _keep_revision(
    cursor: Connection,
    case_id: str,
    draft: Draft,
    checked: Checked,
    principal: Principal,
    now: datetime,
) -> None:
    insert(
        cursor,
        "drafts",
        [
            {
                "case_id": case_id,
                "revision": cases.next_revisions(cursor, [case_id])[case_id],
                "draft": draft.model_dump_json(),
                "checked": checked.model_dump_json(),
                "author": principal.name,
                "created_at": now,
            }
        ],
    )


def _review(
    cursor: Connection,
    case_id: str,
    principal: Principal,
    action: ReviewAction,
    now: datetime,
    *,
    reason: str | None = None,
    note: str = "",
    edit_distance: float = 0.0,
) -> None:
    insert(
        cursor,
        "reviews",
        [
            {
                "id": new_id(now),
                "case_id": case_id,
                "reviewer": principal.name,
                "action": action,
                "reason": reason,
                "note": note,
                "edit_distance": edit_distance,
                "decided_at": now,
            }
        ],
    )


def _audit(
    cursor: Connection, principal: Principal, action: str, case_id: str, detail: str, now: datetime
) -> None:
    audit.append(
        cursor,
        actor=principal.name,
        action=action,
        subject=f"case:{case_id}",
        detail=detail,
        now=now,
    )
