"""Counts of the reply governor: what left lately, to whom, and who could not be reached."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import first, records


class AutomaticReplyRow(NamedTuple):
    """A reply that left by itself."""

    contact_email: str
    subject: str
    created_at: datetime


def count_left_since(cursor: Connection, since: datetime) -> int:
    """Return how many replies left since then, to anybody."""
    row = first(
        cursor,
        "SELECT count(*) FROM deliveries WHERE state <> 'cancelled' AND purpose = 'reply' "
        "AND created_at >= ?",
        [since],
    )
    return int(row[0]) if row else 0


def count_automatic_by_hour(cursor: Connection, since: datetime, now: datetime) -> dict[int, int]:
    """Return how many replies left by themselves, by whole hours ago: 0 is the last hour."""
    rows = cursor.execute(
        "SELECT greatest(0, floor(epoch(?::TIMESTAMPTZ - created_at) / 3600))::INTEGER, count(*) "
        "FROM deliveries WHERE automatic AND state <> 'cancelled' AND created_at >= ? GROUP BY 1",
        [now, since],
    ).fetchall()
    return {int(hour): int(count) for hour, count in rows}


def list_automatic_to(
    cursor: Connection, emails: Sequence[str], since: datetime
) -> list[AutomaticReplyRow]:
    """Return the replies that left by themselves to these contacts since then."""
    return records(
        cursor,
        AutomaticReplyRow,
        "SELECT c.contact_email, d.subject, d.created_at "
        "FROM deliveries d JOIN cases c ON c.id = d.case_id "
        "WHERE d.automatic AND d.state <> 'cancelled' AND d.created_at >= ? "
        "AND c.contact_email IN (SELECT unnest(?))",
        [since, list(emails)],
    )


def list_unreachable(cursor: Connection, emails: Sequence[str], since: datetime) -> set[str]:
    """Return those of the addresses that a bounce since then says to have failed for good."""
    rows = cursor.execute(
        """
        SELECT DISTINCT wanted.email
        FROM (SELECT unnest(?) AS email) wanted
        JOIN messages m ON m.automated_kind = 'bounce' AND m.received_at >= ?
        JOIN steps s ON s.item_id = m.id AND s.stage = 'screen' AND NOT s.superseded
        WHERE contains(lower(s.output), concat('"address":"', lower(wanted.email), '"'))
          AND NOT contains(s.output, '"delayed":true')
        """,
        [list(emails), since],
    ).fetchall()
    return {str(email) for (email,) in rows}


def count_automatic_since(cursor: Connection, moment: datetime) -> int:
    """Return how many replies left by themselves since a moment."""
    counted = first(
        cursor,
        "SELECT count(*) FROM deliveries WHERE automatic AND state <> 'cancelled' "
        "AND created_at >= ?",
        [moment],
    )
    return int(counted[0]) if counted else 0


class RecentReplies(NamedTuple):
    """How many replies left lately, of those that count for a case."""

    in_thread: int
    to_contact: int


def count_recent_by_case(
    cursor: Connection, case_ids: Sequence[str], thread_since: datetime, contact_since: datetime
) -> dict[str, RecentReplies]:
    """Return by case how many replies its thread and its contact had, each since a moment.

    The thread's moment is the later one. A case without any is left out.
    """
    rows = cursor.execute(
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
        [thread_since, contact_since, list(case_ids)],
    ).fetchall()
    return {
        str(case): RecentReplies(int(in_thread), int(to_contact))
        for case, in_thread, to_contact in rows
    }
