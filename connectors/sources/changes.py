"""The difference between a table and its files: the rows to write, the ids to remove. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from connectors.sources.reading import TableReading
from connectors.sources.tables import SourceRow
from data.store.core.loaded import StoredHash


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Rows to write and ids to remove."""

    changed: tuple[SourceRow, ...]
    removed: tuple[str, ...]


def changes(reading: TableReading, stored: Mapping[str, StoredHash]) -> Changes:
    """Compare what the files say with what is loaded.

    A row is written when its hash or its file differs. A stored row whose id no file holds any
    more is removed, unless its file is broken: an unreadable file must not delete knowledge.
    """
    changed = [
        row
        for row_id, row in reading.rows.items()
        if stored.get(row_id) != StoredHash(row_id, row["file"], row["row_hash"])
    ]
    removed = [
        row_id
        for row_id, known in stored.items()
        if row_id not in reading.rows and known.file not in reading.broken
    ]
    return Changes(changed=tuple(changed), removed=tuple(removed))
