"""Uses of knowledge, and the last sync's warnings of entries that do not fit together."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.core.knowledge import Usage
from data.store.core.database import Connection
from data.store.core.statements import insert, records


class _UsageRow(NamedTuple):
    """How often sent replies rested on one entry."""

    entry_id: str
    used: int
    last_used_at: datetime
    last_case_id: str


def read_usage(cursor: Connection) -> dict[str, Usage]:
    """Return how often sent replies rested on each entry, by id; unused ones are missing."""
    return {
        row.entry_id: Usage(
            used=row.used, last_used_at=row.last_used_at, last_case_id=row.last_case_id
        )
        for row in records(cursor, _UsageRow, "SELECT * FROM knowledge_usage")
    }


def note_use(cursor: Connection, entry_ids: Collection[str], case_id: str, now: datetime) -> None:
    """Count one sent reply for each of the entries that it rests on."""
    used_ids = sorted(set(entry_ids))
    cursor.execute(
        "INSERT INTO knowledge_usage SELECT one, 0, ?, '' FROM (SELECT unnest(?) AS one) "
        "WHERE one NOT IN (SELECT entry_id FROM knowledge_usage)",
        [now, used_ids],
    )
    cursor.execute(
        "UPDATE knowledge_usage SET used = used + 1, last_used_at = ?, last_case_id = ? "
        "WHERE entry_id IN (SELECT unnest(?))",
        [now, case_id, used_ids],
    )


def forget_unknown(cursor: Connection, known_ids: Collection[str]) -> None:
    """Drop the counts of entries that are gone, so that there is one row per entry at most."""
    cursor.execute(
        "DELETE FROM knowledge_usage WHERE entry_id NOT IN (SELECT unnest(?::VARCHAR[]))",
        [sorted(known_ids)],
    )


def replace_warnings(
    cursor: Connection, warned: Sequence[tuple[str, Sequence[str]]], now: datetime
) -> None:
    """Replace the warnings: a sentence and the entries that it is about."""
    cursor.execute("DELETE FROM knowledge_warnings")
    insert(
        cursor,
        "knowledge_warnings",
        [{"sentence": said, "entry_ids": list(ids), "noted_at": now} for said, ids in warned],
    )


class KnowledgeWarningRow(NamedTuple):
    """A warning of the last sync, and the entries that it is about."""

    sentence: str
    entry_ids: list[str]


def list_warnings(cursor: Connection) -> list[KnowledgeWarningRow]:
    """Return the warnings of the last sync with the entries that each is about."""
    return records(
        cursor,
        KnowledgeWarningRow,
        "SELECT sentence, entry_ids FROM knowledge_warnings ORDER BY sentence",
    )
