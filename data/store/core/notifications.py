"""What happened that people should know, and whether anybody has read it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.ids import new_id
from data.store.core.database import Connection, insert, page

_SUBJECTS = """
    SELECT n.*, CASE
        WHEN EXISTS (SELECT 1 FROM messages m WHERE m.id = n.subject_id) THEN 'message'
        WHEN EXISTS (SELECT 1 FROM cases c WHERE c.id = n.subject_id) THEN 'case'
        WHEN EXISTS (SELECT 1 FROM deliveries d WHERE d.id = n.subject_id) THEN 'delivery'
        ELSE 'other' END AS subject_kind
    FROM notifications n
"""
_MINE = "(n.addressee = '' OR n.addressee = ? OR ? = '')"


def listed(
    cursor: Connection, email: str, *, unseen: bool, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Return one page of a person's notifications, newest first, and how many there are in all.

    What is for somebody else by name is not among them. Where nobody knows the person's address,
    `email` is empty, and everything is.
    """
    return page(
        cursor,
        f"{_SUBJECTS} WHERE {_MINE}" + (" AND n.seen_at IS NULL" if unseen else ""),
        order="created_at DESC, id DESC",
        given=[email, email],
        limit=limit,
        offset=offset,
    )


def settle(cursor: Connection, kind: str, subjects: Sequence[str], now: datetime) -> None:
    """Mark what was told of that kind about these things as seen: nobody has to act any more."""
    cursor.execute(
        "UPDATE notifications SET seen_at = ? WHERE seen_at IS NULL AND kind = ? "
        "AND subject_id IN (SELECT unnest(?))",
        [now, kind, list(subjects)],
    )


def prune(cursor: Connection, before: datetime) -> int:
    """Remove what was told before then, read or not; return how many."""
    gone = "DELETE FROM notifications WHERE created_at < ? RETURNING id"
    return len(cursor.execute(gone, [before]).fetchall())


def see(cursor: Connection, email: str, ids: Sequence[str] | None, now: datetime) -> int:
    """Mark a person's notifications as seen, all of them for None; return how many were new."""
    marked = cursor.execute(
        f"UPDATE notifications n SET seen_at = ? WHERE seen_at IS NULL AND {_MINE} "
        "AND (? OR id IN (SELECT unnest(?))) RETURNING id",
        [now, email, email, ids is None, list(ids or ())],
    ).fetchall()
    return len(marked)


def notify(
    cursor: Connection,
    kind: str,
    sentences: Mapping[str, str],
    now: datetime,
    addressees: Mapping[str, str] | None = None,
) -> None:
    """Tell people about something, once per thing.

    `addressees` are the mail addresses of those whom it is for alone, by thing; what it leaves out
    is for everybody.
    """
    insert(
        cursor,
        "notifications",
        [
            {
                "id": new_id(now),
                "kind": kind,
                "subject_id": item,
                "sentence": sentence[:500],
                "created_at": now,
                "seen_at": None,
                "addressee": (addressees or {}).get(item, "").lower(),
            }
            for item, sentence in sentences.items()
        ],
    )
