"""Tables that the first page counts: a few columns of each, as Arrow."""

import pyarrow as pa

from data.store.core.database import Connection
from data.store.mail.cases import QUEUE_STATES
from data.store.mail.snoozes import SNOOZED

_STATEMENTS = {
    "messages": "SELECT status, verdict, received_at FROM messages",
    "cases": (
        "SELECT category, state, priority, received_at AS accepted_at, drafted_at, "
        f"{SNOOZED} AS snoozed FROM cases WHERE state <> 'superseded'"
    ),
    "reviews": (
        "SELECT case_id, action, edit_distance, decided_at FROM reviews "
        "WHERE case_id IN (SELECT id FROM cases WHERE state IN ('approved', 'sent'))"
    ),
    "deliveries": "SELECT state, sent_at, purpose FROM deliveries",
}
_STATES = {"messages": "status", "cases": "state", "deliveries": "state", "forwards": "state"}
"""The column that says where a thing is, by table."""


def read_table(cursor: Connection, name: str) -> pa.Table:
    """Return the columns that are counted of `messages`, `cases`, `reviews` or `deliveries`."""
    return cursor.arrow(_STATEMENTS[name])


def count_waiting(cursor: Connection) -> tuple[int, int, int]:
    """Return how many cases, questions and stopped messages wait for a person."""
    row = cursor.execute(
        f"SELECT (SELECT count(*) FROM cases WHERE state IN (SELECT unnest(?)) AND NOT {SNOOZED}), "
        "(SELECT count(*) FROM owner_questions WHERE state = 'open'), "
        "(SELECT count(*) FROM messages WHERE status = 'quarantined')",
        [list(QUEUE_STATES)],
    ).fetchone()
    assert row is not None  # noqa: S101  # it always counts
    return int(row[0]), int(row[1]), int(row[2])


def count_by_state(cursor: Connection, name: str) -> dict[str, int]:
    """Return how many of `messages`, `cases`, `deliveries` or `forwards` are in each state."""
    column = _STATES[name]
    counted = cursor.execute(f"SELECT {column}, count(*) FROM {name} GROUP BY ALL").fetchall()
    return {str(state): int(count) for state, count in counted}
