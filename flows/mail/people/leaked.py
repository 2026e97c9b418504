"""The case of a message whose answer repeated private context, once that is decided on.

Other messages are stopped before there is a case. These were put into quarantine with one, which
stays before a person: whoever decides on the message decides that nothing of that case is sent.
"""

from datetime import datetime

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.states import CaseState, MessageStatus
from data.store.core.database import Connection
from data.store.mail import cases, messages
from data.store.mail.cases import CaseRow
from data.store.mail.messages import MessageRow
from data.store.mail.moves import move
from flows.mail.line.case_family import list_others
from flows.mail.line.leaks import LEAKED
from flows.mail.line.owner_questions import withdraw_case_questions

CLOSED = "its message was decided on in the quarantine"
_OPEN = (CaseState.IN_REVIEW, CaseState.ESCALATED)


def detach(cursor: Connection, row: MessageRow, principal: Principal, now: datetime) -> str:
    """Close the case of a message that is released, which then becomes part of a new one.

    Returns:
        The id of the case, empty where the message has none.

    Raises:
        ConflictError: the case is answered or in work, or others answer parts of the message.

    """
    if row.status != MessageStatus.QUARANTINED or not row.case_id:
        return ""
    case = cases.read_row(cursor, row.case_id)
    if list_others(cursor, case):
        raise ConflictError("parts of this message have cases of their own; decide there")
    if case.state == CaseState.SENT:
        raise ConflictError("this message is answered already; confirm or block it")
    _close(cursor, case, principal, now)
    messages.change(cursor, [{"id": row.id, "case_id": None}])
    return str(case.id)


def close(cursor: Connection, row: MessageRow, principal: Principal, now: datetime) -> str:
    """Close the case of a message that is rejected, and those of its parts; return its id.

    Raises:
        ConflictError: one of them is in work, or its reply waits to leave.

    """
    if not row.case_id:
        return ""
    case = cases.read_row(cursor, row.case_id)
    for other in (case, *list_others(cursor, case)):
        _close(cursor, other, principal, now)
    return str(case.id)


def reopen(
    cursor: Connection, message_id: str, case_id: str, principal: Principal, now: datetime
) -> list[str]:
    """Put the case before a person again that a decision had closed, and its message into it.

    Where other messages of it are decided on, it stays closed until that is taken back too.

    Returns:
        The cases that are before a person again.

    """
    case = cases.read_row(cursor, case_id)
    messages.change(cursor, [{"id": message_id, "case_id": case_id, "note": LEAKED}])
    stopped = messages.read_messages(cursor, case.message_ids).values()
    if any(message_row.status != MessageStatus.QUARANTINED for message_row in stopped):
        return []
    opened: list[str] = []
    for other in (case, *list_others(cursor, case)):
        if other.note == CLOSED and move(
            cursor,
            [other.id],
            CaseState.IN_REVIEW,
            actor=principal.name,
            now=now,
            note="taken back",
        ):
            cases.change(cursor, [{"id": other.id, "note": f"Quarantined: {LEAKED}."}])
            cases.advance_versions(cursor, [other.id], now)
            opened.append(other.id)
    return opened


def _close(cursor: Connection, case: CaseRow, principal: Principal, now: datetime) -> None:
    """Close a case that is before a person; one that is at its end stays as it is."""
    if case.state in (CaseState.RUNNING, CaseState.APPROVED):
        raise ConflictError(f"the case of this message is {case.state!r} now; decide there")
    if case.state not in _OPEN:
        return
    withdraw_case_questions(cursor, case.id, principal.name, now)
    move(cursor, [case.id], CaseState.ARCHIVED, actor=principal.name, now=now, note=CLOSED)
    cases.change(cursor, [{"id": case.id, "note": CLOSED}])
    cases.advance_versions(cursor, [case.id], now)
