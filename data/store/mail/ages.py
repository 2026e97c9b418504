"""Ages of what is due, by where it waits."""

from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import records


class AgeRow(NamedTuple):
    """What waits in one place."""

    place: str
    waiting: int
    oldest: datetime | None


_AGES = """
SELECT 'messages' AS place, count(*) AS waiting, min(due_at) AS oldest FROM messages
WHERE status IN ('received', 'screening') AND due_at <= $now
UNION ALL SELECT 'cases', count(*), min(due_at) FROM cases
WHERE state = 'running' AND due_at <= $now
UNION ALL SELECT 'deliveries', count(*), min(due_at) FROM deliveries
WHERE state IN ('queued', 'deferred') AND due_at <= $now
UNION ALL SELECT 'failed cases', count(*), min(changed_at) FROM cases WHERE state = 'failed'
UNION ALL SELECT 'failed messages', count(*), min(received_at) FROM messages
WHERE status = 'failed'
UNION ALL SELECT 'undecided deliveries', count(*), min(created_at) FROM deliveries
WHERE state IN ('failed', 'unknown')
UNION ALL SELECT 'failed forwards', count(*), min(created_at) FROM forwards WHERE state = 'failed'
"""


def read_ages(cursor: Connection, now: datetime) -> dict[str, AgeRow]:
    """Return by place what is due there and since when, and what a person has to look at."""
    return {row.place: row for row in records(cursor, AgeRow, _AGES, {"now": now})}
