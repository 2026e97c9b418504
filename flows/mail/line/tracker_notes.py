"""News of a ticket, queued for the policy's tracker in the same transaction."""

from datetime import datetime

import orjson

from data.ids import new_id
from data.records.core.organization import Policy
from data.records.mail.tickets import NoteKind
from data.store.core.database import Connection
from data.store.mail import tickets

FIELDS = (
    "id", "number", "state", "title", "text", "category", "contact_email", "case_id", "thread_id",
    "duplicate_of", "reason",
)  # fmt: skip


def tell_tracker(
    cursor: Connection,
    policy: Policy,
    ticket_id: str,
    kind: NoteKind,
    author: str,
    text: str,
    now: datetime,
) -> None:
    """Queue what happened to a ticket for the policy's tracker; without one nothing is queued."""
    if policy.tracker is None:
        return
    row = tickets.read_row(cursor, ticket_id)
    identity = new_id(now)
    body = {
        "type": f"ticket.{kind}",
        "timestamp": now.isoformat(),
        "data": {
            **{name: getattr(row, name) for name in FIELDS},
            "note": {"author": author, "text": text},
        },
    }
    tickets.add_push(cursor, identity, ticket_id, orjson.dumps(body).decode(), now)
