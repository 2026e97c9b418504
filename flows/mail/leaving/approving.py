"""Replies as approvals: what waits for a person's yes, and who gave it.

Whatever is before a person with a draft has one approval that waits, with the hash of what would
leave. Where that changes (another draft, other copies, an edit), the older one is withdrawn. What
leaves by itself is approved by the policy. So every delivery names the approval that let it leave.
"""

from collections.abc import Sequence
from datetime import datetime

from data.counting import plural
from data.errors import ForbiddenError
from data.records.core.approvals import Approval, ApprovalKind, ApprovalRequest, Floor
from data.records.core.principals import Principal
from data.records.mail.approval_kinds import REPLY
from data.records.mail.delivery import Outgoing
from data.states import ApprovalState, CaseState
from data.store.core import approvals
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.workspace import Workspace
from flows.mail.leaving.letters import Letter, hash_of, letter_of, wording_of
from tasks.mail.compose.composing import LetterWording
from tasks.mail.compose.headers import ComposeError

BEFORE_A_PERSON = (CaseState.IN_REVIEW, CaseState.ESCALATED)


def request_for(
    case_id: str, reply: Outgoing | LetterWording, sha256: str, floor: Floor = Floor.PERSON
) -> ApprovalRequest:
    """Return what is asked for with something that would leave."""
    addresses_shown = [address for address in reply.rcpt_to if address not in reply.bcc]
    blind = f", blind copy to {', '.join(reply.bcc)}" if reply.bcc else ""
    files = f", with {plural(len(reply.enclosed), 'file')}" if reply.enclosed else ""
    summary = f"to {', '.join(addresses_shown)}{blind}{files}: {reply.subject}"
    return ApprovalRequest(subject_id=case_id, summary=summary, sha256=sha256, floor=floor)


def request_of(workspace: Workspace, case_id: str, letter: Letter | None) -> ApprovalRequest | None:
    """Return what a person is asked with the reply of a case; None where nothing can leave."""
    if letter is None or not letter.recipients.to:
        return None
    try:
        wording = wording_of(workspace, letter)
    except ComposeError:  # the page of the case says why it cannot be sent as it stands
        return None
    return request_for(case_id, wording, hash_of(wording))


def ask(
    cursor: Connection,
    workspace: Workspace,
    case_ids: Sequence[str],
    actor: str,
    now: datetime,
    *,
    again: bool = False,
) -> None:
    """Have the newest draft wait for an approval, of each of these cases that is before a person.

    What a person has refused is not asked for a second time unless `again`.
    """
    rows = [
        row for row in cases.read_cases(cursor, case_ids).values() if row.state in BEFORE_A_PERSON
    ]
    requests = [request_of(workspace, row.id, letter_of(cursor, workspace, row)) for row in rows]
    requests_wanted = [request for request in requests if request is not None]
    if not again:
        refused = approvals.list_refused(
            cursor, REPLY, [request.subject_id for request in requests_wanted]
        )
        requests_wanted = [
            one for one in requests_wanted if (one.subject_id, one.sha256) not in refused
        ]
    approvals.open_many(cursor, REPLY, requests_wanted, opened_by=actor, now=now)


def ask_missing(cursor: Connection, workspace: Workspace, now: datetime) -> int:
    """Ask for the approvals that a state from before there were approvals lacks.

    Returns:
        How many cases were looked at.

    """
    missing = cases.list_without_approval(cursor, BEFORE_A_PERSON, REPLY.name)
    ask(cursor, workspace, missing, "upgrade", now)
    return len(missing)


def allow(
    cursor: Connection,
    workspace: Workspace,
    kind: ApprovalKind,
    request: ApprovalRequest,
    principal: Principal,
    now: datetime,
) -> Approval:
    """Approve exactly what was shown; what waited with another hash is withdrawn.

    Raises:
        ForbiddenError: the principal may not decide on it.
        ConflictError: somebody else has decided meanwhile.

    """
    subject, approved = request.subject_id, ApprovalState.APPROVED
    waiting = approvals.list_pending(cursor, kind, [subject]).get(subject)
    if waiting is not None and waiting.sha256 == request.sha256:
        return _decide(cursor, workspace, waiting, approved, principal, now)
    asked = approvals.make_waiting(kind, request, principal.name, now)
    _refuse_others(workspace, asked, principal)
    if waiting is not None:
        note, actor = approvals.REPLACED, principal.name
        approvals.withdraw(cursor, kind, [subject], actor=actor, now=now, note=note)
    return approvals.add_decided(cursor, asked, approved, principal, now)


def refuse(
    cursor: Connection,
    workspace: Workspace,
    case_id: str,
    principal: Principal,
    now: datetime,
    note: str,
) -> None:
    """Refuse the reply that waits for a case, if one does.

    Raises:
        ForbiddenError: the principal may not decide on it.

    """
    for waiting in approvals.list_pending(cursor, REPLY, [case_id]).values():
        _decide(cursor, workspace, waiting, ApprovalState.REFUSED, principal, now, note)


def _decide(
    cursor: Connection,
    workspace: Workspace,
    approval: Approval,
    state: ApprovalState,
    principal: Principal,
    now: datetime,
    note: str = "",
) -> Approval:
    _refuse_others(workspace, approval, principal)
    return approvals.decide(cursor, approval, state, principal, now, note)


def _refuse_others(workspace: Workspace, approval: Approval, principal: Principal) -> None:
    """Refuse a decision of somebody who may not make it.

    Raises:
        ForbiddenError: the principal may not.

    """
    if why := approval.why_not(principal, workspace.slug):
        raise ForbiddenError(why)
