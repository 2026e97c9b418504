"""The outbox."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from data.store.core.database import Connection, first, only, page, rows

_SEEN = (
    "SELECT d.*, a.decided_by AS approved_by FROM deliveries d "
    "LEFT JOIN approvals a ON a.id = d.approval_id"
)
"""A delivery with who approved it, which its approval says."""


def due(cursor: Connection, now: datetime, limit: int) -> list[dict[str, Any]]:
    """Return deliveries whose next attempt may start, oldest first."""
    return rows(
        cursor,
        "SELECT * FROM deliveries WHERE state IN ('queued', 'deferred') AND due_at <= ? "
        "ORDER BY due_at, id LIMIT ?",
        [now, limit],
    )


def interrupted(cursor: Connection) -> list[dict[str, Any]]:
    """Return deliveries that an engine which is gone had begun."""
    return rows(cursor, "SELECT * FROM deliveries WHERE state IN ('sending', 'dot_sent')")


def one(cursor: Connection, delivery_id: str) -> dict[str, Any]:
    """Return one delivery's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return only(
        cursor,
        f"{_SEEN} WHERE d.id = ?",
        delivery_id,
        f"there is no delivery {delivery_id!r} in the outbox",
    )


def lines(
    cursor: Connection, *, state: str | None, limit: int, offset: int, purpose: str | None = None
) -> tuple[list[dict[str, Any]], int]:
    """Return one page of the outbox, newest first, and how many there are in all."""
    return page(
        cursor,
        f"{_SEEN} WHERE (? IS NULL OR d.state = ?) AND (? IS NULL OR d.purpose = ?)",
        order="d.created_at DESC, d.id",
        given=[state, state, purpose, purpose],
        limit=limit,
        offset=offset,
    )


def passed_on(cursor: Connection, case_ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return what of these cases was passed on to colleagues and not taken back, oldest first."""
    found = rows(
        cursor,
        "SELECT d.id, d.case_id, d.rcpt_to[1] AS to, d.state, a.decided_by AS approved_by, "
        "d.created_at, d.sent_at, d.response "
        "FROM deliveries d JOIN approvals a ON a.id = d.approval_id "
        "WHERE d.case_id IN (SELECT unnest(?)) AND d.purpose = 'forward' "
        "AND d.state <> 'cancelled'",
        [list(case_ids)],
    )
    return sorted(found, key=lambda row: row["created_at"])


def consecutive_automatic(cursor: Connection, thread_ids: Sequence[str]) -> dict[str, int]:
    """Return per conversation how many replies left by themselves since a person's last one."""
    found = cursor.execute(
        """
        WITH ordered AS (
            SELECT c.thread_id, d.automatic, sum(CASE WHEN d.automatic THEN 0 ELSE 1 END) OVER (
                PARTITION BY c.thread_id ORDER BY d.created_at DESC
            ) AS by_people
            FROM deliveries d JOIN cases c ON c.id = d.case_id
            WHERE d.state <> 'cancelled' AND d.purpose = 'reply'
              AND c.thread_id IN (SELECT unnest(?))
        )
        SELECT thread_id, count(*) FROM ordered WHERE automatic AND by_people = 0
        GROUP BY thread_id
        """,
        [list(thread_ids)],
    ).fetchall()
    return {str(thread): int(count) for thread, count in found}


def repeated_bodies(
    cursor: Connection, drafted: dict[str, tuple[str, str]], since: datetime
) -> set[str]:
    """Return the cases whose drafted text went to the same contact since then (RFC 3834).

    Args:
        cursor: a reading cursor.
        drafted: contact address and drafted text by case.
        since: how far back a repetition counts.
    """
    emails = sorted({email for email, _ in drafted.values()})
    sent = rows(
        cursor,
        "SELECT c.contact_email, d.body FROM deliveries d JOIN cases c ON c.id = d.case_id "
        "WHERE d.state <> 'cancelled' AND d.purpose = 'reply' AND d.created_at >= ? "
        "AND c.contact_email IN (SELECT unnest(?))",
        [since, emails],
    )
    return {
        case
        for case, (email, text) in drafted.items()
        if text.strip()
        and any(
            row["contact_email"] == email and row["body"].startswith(text.strip()) for row in sent
        )
    }


def recent_counts(
    cursor: Connection, case_ids: Sequence[str], now: datetime, day: datetime
) -> tuple[int, dict[str, tuple[int, int]]]:
    """Return what the reply governor compares.

    Returns:
        How many replies left by themselves since `day`, and per case how many replies its thread
        had within 10 minutes and its contact within 180 minutes.

    """
    today = first(
        cursor,
        "SELECT count(*) FROM deliveries WHERE automatic AND state <> 'cancelled' "
        "AND created_at >= ?",
        [day],
    )
    found = cursor.execute(
        """
        SELECT mine.id,
               count(*) FILTER (other.thread_id = mine.thread_id AND d.created_at >= ?),
               count(*) FILTER (other.contact_id = mine.contact_id)
        FROM cases mine
        JOIN cases other ON other.thread_id = mine.thread_id OR other.contact_id = mine.contact_id
        JOIN deliveries d ON d.case_id = other.id AND d.state <> 'cancelled'
            AND d.purpose = 'reply' AND d.created_at >= ?
        WHERE mine.id IN (SELECT unnest(?))
        GROUP BY mine.id
        """,
        [now - timedelta(minutes=10), now - timedelta(minutes=180), list(case_ids)],
    ).fetchall()
    return (
        int(today[0]) if today else 0,
        {str(case): (int(thread), int(contact)) for case, thread, contact in found},
    )
