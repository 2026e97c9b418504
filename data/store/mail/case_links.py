"""Cases by what they belong to: a conversation, or a contact."""

from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import columns, records


class CaseLinkRow(NamedTuple):
    """A case, as it is named where it is not open."""

    id: str
    version: int
    state: str
    subject: str
    received_at: datetime
    assignee: str | None
    thread_id: str
    again_of: str | None
    contact_email: str
    contact_name: str


MOST = 20
"""Cases of a contact or a conversation that are named, the newest."""
_LINK = columns(CaseLinkRow)


def list_of_thread(cursor: Connection, thread_id: str) -> list[CaseLinkRow]:
    """Return the cases of a conversation that nothing has taken over, newest first."""
    return records(
        cursor,
        CaseLinkRow,
        f"SELECT {_LINK} FROM cases WHERE thread_id = ? AND state <> 'superseded' "
        "ORDER BY created_at DESC, id DESC LIMIT ?",
        [thread_id, MOST],
    )


def list_open_of_contact(cursor: Connection, contact_id: str, but: str) -> list[CaseLinkRow]:
    """Return the other cases of a contact that are not at an end, newest first."""
    return records(
        cursor,
        CaseLinkRow,
        f"SELECT {_LINK} FROM cases WHERE contact_id = ? AND id <> ? "
        "AND state IN ('running', 'in_review', 'escalated', 'approved', 'failed') "
        "ORDER BY created_at DESC, id DESC LIMIT ?",
        [contact_id, but, MOST],
    )
