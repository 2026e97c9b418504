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
