"""Lessons about spam, of people's decisions, and which of them a filter of others was told."""

from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import records


class UntoldRow(NamedTuple):
    """A lesson that a filter was not told as it is now."""

    message_id: str
    spam: bool
    raw_sha256: str


def list_untold(cursor: Connection, filter_name: str, most: int) -> list[UntoldRow]:
    """Return lessons that a filter was not told as they are now."""
    return records(
        cursor,
        UntoldRow,
        "SELECT l.message_id, l.spam, m.raw_sha256 FROM spam_lessons l "
        "JOIN messages m ON m.id = l.message_id "
        "LEFT JOIN filter_lessons f ON f.message_id = l.message_id AND f.filter = ? "
        "WHERE f.message_id IS NULL OR f.spam <> l.spam ORDER BY l.taught_at LIMIT ?",
        [filter_name, most],
    )


def note(
    cursor: Connection, message_id: str, filter_name: str, spam: bool, refusal: str, now: datetime
) -> None:
    """Note that a filter was told a lesson, or refused it for good."""
    values = [message_id, filter_name]
    cursor.execute("DELETE FROM filter_lessons WHERE message_id = ? AND filter = ?", values)
    cursor.execute(
        "INSERT INTO filter_lessons VALUES (?, ?, ?, ?, ?)", [*values, spam, refusal[:300], now]
    )
