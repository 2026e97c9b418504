"""Correspondence from before Postern, as the organization's files hold it."""

from collections.abc import Sequence

from data.store.core.database import Connection
from data.store.core.statements import Fields, insert


def list_refs(cursor: Connection) -> set[str]:
    """Return the references of the entries that there are."""
    return {str(row[0]) for row in cursor.execute("SELECT ref FROM history").fetchall()}


def list_conversations(cursor: Connection) -> dict[str | None, str]:
    """Return the conversation of each entry by its Message-ID."""
    return dict(cursor.execute("SELECT message_id, thread_id FROM history").fetchall())


def add(cursor: Connection, entries: Sequence[Fields]) -> None:
    """Insert new entries, as one batch."""
    insert(cursor, "history", entries)
