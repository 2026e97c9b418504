"""Service targets that are near or broken, and of which of them people were told."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import insert, records
from data.store.mail.service_targets import PAUSED

NEAR, LATE = "near", "late"
"""What people are told of a target."""
NEAR_SECONDS = 2 * 3600
"""Seconds before a target from which it is near, once half of its time is over."""
_OPEN = "c.state IN ('in_review', 'escalated', 'failed')"
"""Condition on a case, `c`: it waits for an answer."""


class WarningRow(NamedTuple):
    """A target of a case that people are to be told of."""

    case_id: str
    kind: str
    """Of the target."""
    said: str
    """`near` or `late`."""
    due_at: datetime
    subject: str
    assignee: str | None


def list_untold(cursor: Connection, now: datetime, limit: int = 200) -> list[WarningRow]:
    """Return open cases' targets that are near or late and not yet told of, nearest first."""
    return records(
        cursor,
        WarningRow,
        "SELECT * FROM (SELECT c.id AS case_id, t.kind, "
        f"CASE WHEN t.due_at <= $now THEN '{LATE}' ELSE '{NEAR}' END AS said, t.due_at, "
        "c.subject, c.assignee FROM cases c JOIN service_targets t ON t.case_id = c.id "
        f"WHERE {_OPEN} AND NOT {PAUSED} "
        "AND t.due_at IS NOT NULL AND (t.due_at <= $now OR (t.due_at <= $soon "
        "AND t.due_at - $now <= $now - c.received_at))) n "
        "WHERE NOT EXISTS (SELECT 1 FROM service_warnings w WHERE w.case_id = n.case_id "
        f"AND w.kind = n.kind AND (w.said = n.said OR w.said = '{LATE}')) "
        "ORDER BY due_at, case_id LIMIT $limit",
        {"now": now, "soon": now + timedelta(seconds=NEAR_SECONDS), "limit": limit},
    )


def note_told(cursor: Connection, warning_rows: Sequence[WarningRow], now: datetime) -> None:
    """Note that people were told of these targets."""
    insert(
        cursor,
        "service_warnings",
        [
            {
                "case_id": warning_row.case_id,
                "kind": warning_row.kind,
                "said": warning_row.said,
                "told_at": now,
            }
            for warning_row in warning_rows
        ],
    )


def list_settled(cursor: Connection, kinds: Sequence[str]) -> list[str]:
    """Return ids of cases that wait no more, of which unread notifications of a kind tell."""
    listed = cursor.execute(
        "SELECT DISTINCT n.subject_id FROM notifications n LEFT JOIN cases c "
        f"ON c.id = n.subject_id AND {_OPEN} "
        "WHERE n.seen_at IS NULL AND n.kind IN (SELECT unnest(?)) AND c.id IS NULL",
        [list(kinds)],
    ).fetchall()
    return [str(case_id) for (case_id,) in listed]
