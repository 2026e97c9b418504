"""Recall of earlier decisions by new mail, at once and long before its burst has gathered.

A burst gathers for up to `coalesce_windows` windows, and a reply leaves when its undo window ends,
which is sooner. So the reply is taken back when the mail is put into its conversation, and what a
person has before them cannot be approved unseen.
"""

from collections.abc import Sequence
from datetime import datetime

from data.states import CaseState, DeliveryState, MessageStatus
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases, deliveries
from data.store.mail.deliveries import WaitingReplyRow
from data.store.mail.moves import move

NOTE = "newer mail arrived"


def recall_replies(
    cursor: Connection, message_ids: Sequence[str], actor: str, now: datetime
) -> list[str]:
    """Take back what waits to leave in the conversations of these messages; return its cases.

    What a case's own contact writes takes back every reply that has not begun to leave. What
    somebody else of the conversation writes, a colleague of ours who answers by hand perhaps, takes
    back those that no person has approved, and those that wait for a moment that one chose.
    """
    waiting_rows = deliveries.list_waiting_replies(cursor, message_ids)
    recalled_ids: list[str] = []
    for row in waiting_rows:
        stale = row.own or row.automatic or row.scheduled
        if row.state == CaseState.APPROVED and stale and row.id not in recalled_ids:
            recalled_ids += _take_back_reply(cursor, row, actor, now)
    cases_before_people = {
        row.id for row in waiting_rows if row.own and row.state != CaseState.APPROVED
    }
    cases.advance_versions(cursor, sorted(cases_before_people | set(recalled_ids)), now)
    return recalled_ids


def recall_late_reply(
    cursor: Connection, case_id: str, delivery_id: str, actor: str, now: datetime
) -> list[str]:
    """Take back a reply that was refused for now, for mail that came while it was attempted.

    While a reply is on its way nothing can take it back, so what came meanwhile is looked at when
    it turns out that it has to wait.
    """
    return recall_replies(
        cursor, deliveries.list_messages_since(cursor, case_id, delivery_id), actor, now
    )


def _take_back_reply(
    cursor: Connection, row: WaitingReplyRow, actor: str, now: datetime
) -> list[str]:
    """Cancel a reply and put its case before a person; nothing when it has begun to leave."""
    ids = [row.delivery] if row.delivery else []
    if not move(cursor, ids, DeliveryState.CANCELLED, actor=actor, now=now, note=NOTE):
        return []
    put_before_person(cursor, row.id, row.message_ids, actor, now, NOTE)
    if row.scheduled:
        tell_taken_back(cursor, row.id, row.subject, row.scheduled_by, NOTE, now)
    return [row.id]


def put_before_person(
    cursor: Connection, case_id: str, ids: Sequence[str], actor: str, now: datetime, note: str
) -> None:
    """Put a case before a person again whose reply was taken back, with its messages."""
    move(cursor, [case_id], CaseState.IN_REVIEW, actor=actor, now=now, note=note)
    move(cursor, ids, MessageStatus.DRAFT_READY, actor=actor, now=now, note=note, of=[case_id])


def tell_taken_back(
    cursor: Connection, case_id: str, subject: str, addressee: str, why: str, now: datetime
) -> None:
    """Tell who chose when a reply leaves that it does not, and why."""
    sentence = f"{subject or '(no subject)'}: your reply has not left, {why}"
    notify(cursor, "not_left", {case_id: sentence}, now, {case_id: addressee})
