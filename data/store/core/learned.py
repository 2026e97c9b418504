"""Knowledge learned from answers and replies; the files that `sync` loads know nothing of it.

An entry is *proposed* until a person has accepted or rejected it. Nothing rests on one that is not
accepted.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple

from data.records.core.knowledge import KnowledgeEntry
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    first,
    insert,
    one_record,
    record_page,
    records,
    update,
)

STATE = (
    "CASE WHEN trusted THEN 'accepted' WHEN rejected_at IS NOT NULL THEN 'rejected' "
    "ELSE 'proposed' END"
)


class LearnedRow(NamedTuple):
    """A learned entry."""

    id: str
    title: str
    body: str
    language: str
    question_id: str
    source: str
    trusted: bool
    created_by: str
    created_at: datetime
    confirmed_by: str
    confirmed_at: datetime | None
    kind: str
    origin: str
    case_id: str
    public: bool
    significance: float
    valid_until: date | None
    half_life_days: int | None
    supersedes: list[str]
    rejected_by: str
    rejected_at: datetime | None
    before: str
    """What it was before the newest decision, as JSON; empty when that cannot be taken back."""
    state: str

    @property
    def mark(self) -> str:
        """What stands for all that it says, 16 hexadecimal digits."""
        says = [getattr(self, name) for name in _SAYS]
        return hashlib.sha256(json.dumps(says, default=str).encode()).hexdigest()[:16]


_SAYS = (
    "title", "body", "kind", "public", "significance", "valid_until", "half_life_days",
    "supersedes",
)  # fmt: skip
"""What a person who says yes has read."""
_SEEN = f"SELECT *, {STATE} AS state FROM learned_entries"
_SELECT = f"SELECT * FROM ({_SEEN})"


def add(cursor: Connection, entry: Fields) -> None:
    """Insert one entry."""
    insert(cursor, "learned_entries", [entry])


def read_row(cursor: Connection, entry_id: str) -> LearnedRow:
    """Return one entry's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    missing = f"nothing was learned under the id {entry_id!r}"
    return one_record(cursor, LearnedRow, f"{_SELECT} WHERE id = ?", entry_id, missing)


def list_entries(cursor: Connection) -> list[LearnedRow]:
    """Return every entry, newest first."""
    return records(cursor, LearnedRow, f"{_SELECT} ORDER BY created_at DESC, id")


def list_page(
    cursor: Connection, *, state: str, search: str, limit: int, offset: int
) -> RowPage[LearnedRow]:
    """Return one page of the entries, newest first, and how many match; empty matches all."""
    needle = search.strip().lower()
    return record_page(
        cursor,
        LearnedRow,
        f"{_SELECT} WHERE (? = '' OR state = ?) "
        "AND contains(lower(concat_ws(' ', title, body)), ?)",
        order="created_at DESC, id",
        parameters=[state, state, needle],
        limit=limit,
        offset=offset,
    )


def count_waiting(cursor: Connection) -> int:
    """Return how many entries wait for a person."""
    row = first(cursor, f"SELECT count(*) FROM ({_SEEN}) WHERE state = 'proposed'")
    return int(row[0]) if row else 0


def change(cursor: Connection, entry_id: str, **fields: object) -> None:
    """Set fields of an entry."""
    update(cursor, "learned_entries", [{"id": entry_id, **fields}])


def drop_oldest(cursor: Connection, keep: int) -> None:
    """Forget all but the newest `keep` of those that nobody has decided on."""
    cursor.execute(
        "DELETE FROM learned_entries WHERE NOT trusted AND rejected_at IS NULL AND id NOT IN "
        "(SELECT id FROM learned_entries WHERE NOT trusted AND rejected_at IS NULL "
        "ORDER BY created_at DESC, id DESC LIMIT ?)",
        [keep],
    )


def list_for_index(cursor: Connection, day_of: Callable[[datetime], date]) -> list[KnowledgeEntry]:
    """Return what was learned as knowledge entries; what nobody has confirmed is not trusted.

    `day_of` tells on which day somebody has confirmed one, by the organization's clock.
    """
    return [
        KnowledgeEntry(
            id=row.id,
            title=row.title,
            kind=row.kind,
            body=row.body,
            language=row.language,
            public=row.public,
            trusted=row.trusted,
            source=row.source,
            significance=row.significance,
            valid_until=row.valid_until,
            half_life_days=row.half_life_days,
            checked_on=day_of(row.confirmed_at) if row.confirmed_at else None,
            supersedes=tuple(row.supersedes),
            learned=True,
        )
        for row in sorted(list_entries(cursor), key=lambda row: row.id)
        if row.state != "rejected"
    ]
