"""The cases of a conversation that a person changes.

Their drafts were made for another context, so they are stale. What has left, or begun to leave,
stays as it is: nothing is sent twice.
"""

from collections.abc import Sequence
from datetime import datetime

from data.records.core.principals import Principal
from data.states import CaseState, DeliveryState, MessageStatus
from data.store.core.database import Connection
from data.store.mail import cases, deliveries
from data.store.mail.moves import move
from flows.mail.people.reviewing import work_again

NOTE = "its conversation was changed"


def queued(cursor: Connection, case_ids: Sequence[str]) -> dict[str, str]:
    """Return the delivery of each case that waits and has not begun to leave."""
    return {case: delivery for delivery, case in deliveries.list_queued(cursor, case_ids).items()}


def restart(
    cursor: Connection, thread_ids: Sequence[str], principal: Principal, now: datetime
) -> None:
    """Draft the open cases of these conversations again, and take back what waits to leave.

    A case that a stage has in work, or that a named person has, keeps its draft; its version
    moves on, so that what was shown before cannot be approved.
    """
    unsettled = cases.list_unsettled_in_threads(cursor, thread_ids)
    waiting = queued(cursor, [row.id for row in unsettled])
    for row in unsettled:
        case, state = row.id, row.state
        if state == CaseState.APPROVED:
            ids = [waiting[case]] if case in waiting else []
            if not move(
                cursor, ids, DeliveryState.CANCELLED, actor=principal.name, now=now, note=NOTE
            ):
                continue
            move(cursor, [case], CaseState.IN_REVIEW, actor=principal.name, now=now, note=NOTE)
            ids = row.message_ids
            move(cursor, ids, MessageStatus.DRAFT_READY, actor=principal.name, now=now, of=[case])
        if state in (CaseState.APPROVED, CaseState.IN_REVIEW):
            work_again(cursor, case, row.message_ids, "context", principal, now)
        else:
            cases.advance_versions(cursor, [case], now)
