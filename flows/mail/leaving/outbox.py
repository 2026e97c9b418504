"""Putting into the outbox what was approved: replies, and what is passed on to a colleague."""

from datetime import datetime, timedelta
from typing import Any

from data.ids import new_id
from data.records.mail.delivery import Outgoing
from data.records.mail.passing_on import Purpose
from data.states import CaseState, DeliveryState, MessageStatus
from data.store.core.database import Connection, insert
from data.store.core.moves import note_events
from data.store.mail import cases
from data.store.mail.moves import move
from flows.mail.line.family import hand_back


def enqueue(
    cursor: Connection,
    case: dict[str, Any],
    outgoing: Outgoing,
    *,
    approved_by: str,
    automatic: bool,
    undo_seconds: float,
    now: datetime,
) -> str:
    """Put a rendered reply into the outbox and move its case on; return the delivery's id.

    The caller has kept `outgoing.raw` in the archive before, so that the row never points to
    nothing.
    """
    delivery = put(
        cursor,
        case,
        outgoing,
        purpose=Purpose.REPLY,
        approved_by=approved_by,
        automatic=automatic,
        undo_seconds=undo_seconds,
        now=now,
    )
    move(cursor, [case["id"]], CaseState.APPROVED, actor=approved_by, now=now)
    ids, of = case["message_ids"], [case["id"]]
    hand_back(cursor, case, approved_by, now)
    move(cursor, ids, MessageStatus.APPROVED, actor=approved_by, now=now, of=of)
    cases.touch(cursor, [case["id"]], now)
    return delivery


def put(
    cursor: Connection,
    case: dict[str, Any],
    outgoing: Outgoing,
    *,
    purpose: Purpose,
    approved_by: str,
    automatic: bool,
    undo_seconds: float,
    now: datetime,
) -> str:
    """Put rendered bytes into the outbox and leave the case as it is; return the delivery's id."""
    delivery = new_id(now)
    record = {
        "id": delivery,
        "case_id": case["id"],
        "state": DeliveryState.QUEUED,
        "mail_from": outgoing.mail_from,
        "rcpt_to": list(outgoing.rcpt_to),
        "message_id": outgoing.message_id,
        "subject": outgoing.subject,
        "body": outgoing.body,
        "sha256": outgoing.sha256,
        "due_at": now + timedelta(seconds=undo_seconds),
        "approved_by": approved_by,
        "automatic": automatic,
        "purpose": purpose,
        "created_at": now,
    }
    insert(cursor, "deliveries", [record])
    ours = {"message_id": outgoing.message_id, "thread_id": case["thread_id"], "created_at": now}
    insert(cursor, "own_message_ids", [ours])
    note_events(cursor, "delivery", [delivery], DeliveryState.QUEUED, actor=approved_by, now=now)
    return delivery
