"""Putting into the outbox what was approved: replies, and what is passed on to a colleague."""

from datetime import datetime, timedelta
from typing import NamedTuple

from data.ids import new_id
from data.records.core.approvals import Approval
from data.records.mail.delivery import Outgoing
from data.records.mail.passing_on import Purpose
from data.states import CaseState, DeliveryState, MessageStatus
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.mail import attached_files, deliveries
from data.store.mail.cases import CaseRow
from data.store.mail.moves import move
from flows.mail.line.case_family import hand_messages_back


class Departure(NamedTuple):
    """The moment that a person chose for a reply to leave."""

    at: datetime
    addressee: str
    """The mail address of who chose it, who is told where it comes back; empty for everybody."""


def enqueue(
    cursor: Connection,
    case: CaseRow,
    outgoing: Outgoing,
    approval: Approval,
    *,
    undo_seconds: float,
    now: datetime,
    departure: Departure | None = None,
) -> str:
    """Put a rendered reply into the outbox and move its case on; return the delivery's id.

    The caller has kept `outgoing.raw` in the archive before, so that the row never points to
    nothing, and has claimed the version of the case or moved it on.
    """
    delivery = put_delivery(
        cursor,
        case,
        outgoing,
        approval,
        purpose=Purpose.REPLY,
        undo_seconds=undo_seconds,
        now=now,
        departure=departure,
    )
    actor = approval.decided_by
    move(cursor, [case.id], CaseState.APPROVED, actor=actor, now=now)
    ids, of = case.message_ids, [case.id]
    hand_messages_back(cursor, case, actor, now)
    move(cursor, ids, MessageStatus.APPROVED, actor=actor, now=now, of=of)
    return delivery


def put_delivery(
    cursor: Connection,
    case: CaseRow,
    outgoing: Outgoing,
    approval: Approval,
    *,
    purpose: Purpose,
    undo_seconds: float,
    now: datetime,
    departure: Departure | None = None,
) -> str:
    """Put rendered bytes into the outbox and leave the case as it is; return the delivery's id."""
    delivery, soonest = new_id(now), now + timedelta(seconds=undo_seconds)
    record = {
        "id": delivery,
        "case_id": case.id,
        "state": DeliveryState.QUEUED,
        "mail_from": outgoing.mail_from,
        "rcpt_to": list(outgoing.rcpt_to),
        "bcc": list(outgoing.bcc),
        "files": len(outgoing.enclosed),
        "message_id": outgoing.message_id,
        "subject": outgoing.subject,
        "body": outgoing.body,
        "sha256": outgoing.sha256,
        "due_at": max(soonest, departure.at) if departure else soonest,
        "leaves_at": departure.at if departure else None,
        "scheduled_by": departure.addressee if departure else "",
        "approval_id": approval.id,
        "automatic": approval.decided_as == "system",
        "purpose": purpose,
        "created_at": now,
    }
    deliveries.add(cursor, record, case.thread_id)
    attached_files.add_enclosed(cursor, delivery, outgoing.enclosed)
    actor = approval.decided_by
    note_events(cursor, "delivery", [delivery], DeliveryState.QUEUED, actor=actor, now=now)
    return delivery
