"""The progress of messages, for whoever sets an organization up."""

from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import read_sums, records


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


class Reached(NamedTuple):
    """How far mail has come in an organization that is being set up."""

    received: int
    """Messages from outside."""
    drafted: int
    """Cases that had a draft."""


def count_reached(cursor: Connection) -> Reached:
    """Return how many messages came in from outside, and how many cases had a draft."""
    return read_sums(
        cursor,
        Reached,
        "SELECT (SELECT count(*) FROM messages WHERE channel IN ('smtp', 'imap', 'webhook')) "
        "AS received, (SELECT count(*) FROM cases WHERE has_draft) AS drafted",
    )
