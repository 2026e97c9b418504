"""Knowledge that people keep here; an entry of a file gives way to one of the same name."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from data.errors import ConflictError, NotFoundError
from data.records.core.kept_knowledge import KeptState, WriteEntry
from data.records.core.knowledge import KnowledgeEntry
from data.store.core.database import Connection
from data.store.core.statements import insert, records


class KeptRow(NamedTuple):
    """One wording of an entry."""

    id: str
    number: int
    state: str
    entry: str
    """As it was written, JSON."""
    author: str
    note: str
    written_at: datetime

    @property
    def written(self) -> WriteEntry:
        """The wording as a record."""
        return WriteEntry.model_validate_json(self.entry)


def read_newest(cursor: Connection) -> dict[str, KeptRow]:
    """Return the newest wording of every entry that was ever written here, by id."""
    listed = records(
        cursor,
        KeptRow,
        "SELECT * FROM knowledge_versions "
        "QUALIFY row_number() OVER (PARTITION BY id ORDER BY number DESC) = 1 ORDER BY id",
    )
    return {row.id: row for row in listed}


def list_versions(cursor: Connection, id: str) -> list[KeptRow]:
    """Return every wording of an entry, the newest first; none for one that only a file has."""
    statement = "SELECT * FROM knowledge_versions WHERE id = ? ORDER BY number DESC"
    return records(cursor, KeptRow, statement, [id])


def read_version(cursor: Connection, id: str, number: int) -> KeptRow:
    """Return one wording.

    Raises:
        NotFoundError: there is none of that number.

    """
    chosen = next((row for row in list_versions(cursor, id) if row.number == number), None)
    if chosen is None:
        raise NotFoundError(f"{id!r} has no version {number}; look at its versions")
    return chosen


def write_version(
    cursor: Connection,
    id: str,
    entry: WriteEntry,
    *,
    state: KeptState,
    was: int,
    author: str,
    now: datetime,
    note: str = "",
) -> int:
    """Keep another wording, which counts from now on; return its number.

    Raises:
        ConflictError: there is a newer one than `was`.

    """
    before = next(iter(list_versions(cursor, id)), None)
    number = before.number if before else 0
    if was != number:
        who = before.author if before else ""
        raise ConflictError(f"{who} has changed {id!r} meanwhile (version {number}); look again")
    insert(
        cursor,
        "knowledge_versions",
        [
            {
                "id": id,
                "number": number + 1,
                "state": state.value,
                "entry": entry.model_dump_json(),
                "author": author,
                "note": note,
                "written_at": now,
            }
        ],
    )
    return number + 1


def overlay_entries(cursor: Connection, entries: Iterable[KnowledgeEntry]) -> list[KnowledgeEntry]:
    """Return the entries of files with what is kept here in their place and beside them."""
    newest_entries = read_newest(cursor)
    here = {id: row for id, row in newest_entries.items() if row.state != KeptState.FILE}
    kept_entries = [_build_entry(row) for row in here.values() if row.state == KeptState.KEPT]
    return [*(entry for entry in entries if entry.id not in here), *kept_entries]


def list_retired(row_by_id: Mapping[str, KeptRow]) -> list[KnowledgeEntry]:
    """Return the entries that somebody has retired, which nothing rests on."""
    return [_build_entry(row) for row in row_by_id.values() if row.state == KeptState.RETIRED]


def _build_entry(row: KeptRow) -> KnowledgeEntry:
    fields = row.written.model_dump()
    return KnowledgeEntry(id=row.id, source=f"kept here, by {row.author}", **fields)
