"""The progress of messages, for whoever sets an organization up."""

from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import first, records


class TrialRow(NamedTuple):
    """A message, and its case where it has one."""

    status: str
    note: str
    case_id: str | None
    state: str | None
    drafted: bool


def find_progress(cursor: Connection, id: str) -> TrialRow | None:
    """Return how far a message has come; None while it is not taken in."""
    listed = records(
        cursor,
        TrialRow,
        "SELECT m.status, m.note, m.case_id, c.state, coalesce(c.has_draft, false) AS drafted "
        "FROM messages m LEFT JOIN cases c ON c.id = m.case_id WHERE m.id = ?",
        [id],
    )
    return listed[0] if listed else None


def count_reached(cursor: Connection) -> tuple[int, int]:
    """Return how many messages came in from outside, and how many cases had a draft."""
    row = first(
        cursor,
        "SELECT (SELECT count(*) FROM messages WHERE channel IN ('smtp', 'imap', 'webhook')), "
        "(SELECT count(*) FROM cases WHERE has_draft)",
    )
    return (int(row[0]), int(row[1])) if row else (0, 0)
