"""Spam learning of an organization: counts of tokens, and the examples they are of.

Everything is in the organization's own file, so no organization's learning can reach another's.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import first, read_sums

LESSONS = 5_000
"""Examples that can be taken back; of older ones only the counts are kept."""


class SpamCount(NamedTuple):
    """In how many examples of either kind something stood."""

    spam: int
    ham: int
    """Wanted messages."""


def count_examples(cursor: Connection) -> SpamCount:
    """Return how many messages were called spam, and how many wanted."""
    statement = (
        "SELECT coalesce(sum(spam), 0)::BIGINT AS spam, coalesce(sum(ham), 0)::BIGINT AS ham "
        "FROM spam_examples"
    )
    return read_sums(cursor, SpamCount, statement)


def count_tokens(cursor: Connection, tokens: Collection[int]) -> dict[int, SpamCount]:
    """Return in how many examples of either kind each token stood; unseen ones are missing."""
    counted = cursor.execute(
        "SELECT token, spam, ham FROM spam_counts WHERE token IN (SELECT unnest(?))",
        [list(tokens)],
    ).fetchall()
    return {token: SpamCount(spam, ham) for token, spam, ham in counted}


def count_all_tokens(cursor: Connection) -> dict[int, SpamCount]:
    """Return in how many examples of either kind each token that was seen stood."""
    counted = cursor.execute("SELECT token, spam, ham FROM spam_counts").fetchall()
    return {token: SpamCount(spam, ham) for token, spam, ham in counted}


def find_lesson(cursor: Connection, message_id: str) -> bool | None:
    """Return what was learned from a message: spam, wanted, or nothing."""
    row = first(cursor, "SELECT spam FROM spam_lessons WHERE message_id = ?", [message_id])
    return bool(row[0]) if row else None


def learn(
    cursor: Connection,
    message_id: str,
    tokens: Sequence[int],
    *,
    spam: bool,
    user: str,
    now: datetime,
) -> None:
    """Take a message as an example; what was learned from it before is taken back first."""
    unlearn(cursor, message_id)
    cursor.execute(
        "INSERT INTO spam_lessons VALUES (?, ?, ?, ?, ?)",
        [message_id, spam, list(tokens), user, now],
    )
    cursor.execute(
        "INSERT INTO spam_counts SELECT token, 0, 0 FROM (SELECT unnest(?) AS token) "
        "WHERE token NOT IN (SELECT token FROM spam_counts)",
        [list(tokens)],
    )
    _add_counts(cursor, tokens, spam=spam, amount=1)
    cursor.execute(
        "DELETE FROM spam_lessons WHERE (taught_at, message_id) NOT IN "
        "(SELECT (taught_at, message_id) FROM spam_lessons ORDER BY taught_at DESC LIMIT ?)",
        [LESSONS],
    )


def unlearn(cursor: Connection, message_id: str) -> bool:
    """Take back what was learned from a message; return whether there was anything."""
    row = first(cursor, "SELECT spam, tokens FROM spam_lessons WHERE message_id = ?", [message_id])
    if row is None:
        return False
    _add_counts(cursor, row[1], spam=bool(row[0]), amount=-1)
    cursor.execute("DELETE FROM spam_counts WHERE spam <= 0 AND ham <= 0")
    cursor.execute("DELETE FROM spam_lessons WHERE message_id = ?", [message_id])
    return True


def _add_counts(cursor: Connection, tokens: Sequence[int], *, spam: bool, amount: int) -> None:
    kind = "spam" if spam else "ham"
    cursor.execute(
        f"UPDATE spam_counts SET {kind} = greatest({kind} + ?, 0) "  # our names
        "WHERE token IN (SELECT unnest(?))",
        [amount, list(tokens)],
    )
    cursor.execute(f"UPDATE spam_examples SET {kind} = greatest({kind} + ?, 0)", [amount])
