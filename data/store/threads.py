"""Conversations: looking for the right one, and what was said in it."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from data.store.database import Connection, page, rows


def by_message_ids(cursor: Connection, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the thread that holds each of these Message-IDs, theirs or ours."""
    found = rows(
        cursor,
        """
        WITH wanted AS (SELECT unnest(?) AS message_id),
        known AS (
            SELECT message_id, thread_id FROM messages WHERE thread_id IS NOT NULL
            UNION ALL SELECT message_id, thread_id FROM own_message_ids
            UNION ALL SELECT message_id, thread_id FROM history WHERE thread_id IS NOT NULL
        )
        SELECT known.message_id AS wanted_id, threads.*
        FROM wanted JOIN known USING (message_id) JOIN threads ON threads.id = known.thread_id
        """,
        [list(ids)],
    )
    return {row.pop("wanted_id"): row for row in found}


def by_contacts(
    cursor: Connection, emails: Collection[str], since: datetime
) -> dict[str, list[dict[str, Any]]]:
    """Return each contact's threads that were active since then, newest first."""
    found = rows(
        cursor,
        "SELECT * FROM threads WHERE contact_email IN (SELECT unnest(?)) "
        "AND last_message_at >= ? ORDER BY last_message_at DESC",
        [list(emails), since],
    )
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in found:
        grouped.setdefault(row["contact_email"], []).append(row)
    return grouped


def own_ids(cursor: Connection, ids: Collection[str]) -> set[str]:
    """Return those of the Message-IDs that are ours."""
    found = cursor.execute(
        "SELECT message_id FROM own_message_ids WHERE message_id IN (SELECT unnest(?))",
        [list(ids)],
    ).fetchall()
    return {str(row[0]) for row in found}


def one(cursor: Connection, thread_id: str) -> dict[str, Any] | None:
    """Return one thread's row, or None."""
    found = rows(cursor, "SELECT * FROM threads WHERE id = ?", [thread_id])
    return found[0] if found else None


def lines(
    cursor: Connection, *, status: str | None, search: str, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Return one page of the conversations, newest first, and how many there are in all."""
    needle = search.strip().lower()
    return page(
        cursor,
        "SELECT * FROM threads WHERE (? IS NULL OR status = ?) AND "
        "contains(lower(concat_ws(' ', subject, contact_email, contact_name)), ?)",
        order="last_message_at DESC, id",
        given=[status, status, needle],
        limit=limit,
        offset=offset,
    )


def earlier(
    cursor: Connection, thread_ids: Sequence[str], emails: Sequence[str], per_contact: int
) -> list[dict[str, Any]]:
    """Return what was said in these threads and with these contacts, both ways, newest first.

    Columns: kind (`message`, `delivery`, `history`), ref, thread_id, contact_email, outbound,
    occurred_at, subject, body (JSON of the reading for messages), message_id.
    """
    return rows(
        cursor,
        """
        SELECT * FROM (
            SELECT 'message' AS kind, m.id AS ref, m.thread_id, m.sender_email AS contact_email,
                   false AS outbound, m.received_at AS occurred_at, m.subject,
                   s.output AS body, m.message_id, m.case_id, m.status AS state
            FROM messages m JOIN steps s ON s.item_id = m.id AND s.stage = 'parse'
                 AND s.status = 'done' AND NOT s.superseded
            WHERE m.thread_id IN (SELECT unnest($1)) OR m.sender_email IN (SELECT unnest($2))
            UNION ALL
            SELECT 'delivery', d.id, c.thread_id, c.contact_email, true,
                   coalesce(d.sent_at, d.created_at), d.subject, d.body, d.message_id, d.case_id,
                   d.state
            FROM deliveries d JOIN cases c ON c.id = d.case_id
            WHERE d.state <> 'cancelled'
              AND (c.thread_id IN (SELECT unnest($1)) OR c.contact_email IN (SELECT unnest($2)))
            UNION ALL
            SELECT 'history', h.ref, h.thread_id, h.contact_email, h.outbound, h.occurred_at,
                   h.subject, h.body, h.message_id, NULL, ''
            FROM history h
            WHERE h.thread_id IN (SELECT unnest($1)) OR h.contact_email IN (SELECT unnest($2))
        )
        QUALIFY row_number() OVER (PARTITION BY contact_email ORDER BY occurred_at DESC) <= $3
             OR thread_id IN (SELECT unnest($1))
        ORDER BY occurred_at DESC
        """,
        [list(thread_ids), list(emails), per_contact],
    )
