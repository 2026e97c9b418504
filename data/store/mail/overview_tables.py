"""Tables that the first page counts: a few columns of each, as Arrow."""

from typing import NamedTuple

import pyarrow as pa

from data.store.core.database import Connection
from data.store.core.statements import read_sums
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


class WaitingForPeople(NamedTuple):
    """How much waits for a person, by where it is looked at."""

    cases: int
    questions: int
    quarantined: int


def count_waiting(cursor: Connection) -> WaitingForPeople:
    """Return how many cases, questions and stopped messages wait for a person."""
    return read_sums(
        cursor,
        WaitingForPeople,
        "SELECT (SELECT count(*) FROM cases "
        f"WHERE state IN (SELECT unnest(?)) AND NOT {SNOOZED}) AS cases, "
        "(SELECT count(*) FROM owner_questions WHERE state = 'open') AS questions, "
        "(SELECT count(*) FROM messages WHERE status = 'quarantined') AS quarantined",
        [list(QUEUE_STATES)],
    )


def count_by_state(cursor: Connection, name: str) -> dict[str, int]:
    """Return how many of `messages`, `cases`, `deliveries` or `forwards` are in each state."""
    column = _STATES[name]
    counted = cursor.execute(f"SELECT {column}, count(*) FROM {name} GROUP BY ALL").fetchall()
    return {str(state): int(count) for state, count in counted}
