"""The organization's own entries of the library; each wording is kept, none is overwritten."""

from datetime import datetime
from typing import NamedTuple

from data.records.agents.library import EntryKind, LibraryVersion
from data.store.core.database import Connection
from data.store.core.statements import insert, records


class EntryRow(NamedTuple):
    """One wording of an entry."""

    kind: str
    name: str
    version: int
    content: str
    author: str
    note: str
    made_at: datetime

    @property
    def wording(self) -> LibraryVersion:
        """The wording as it is worked with."""
        return LibraryVersion(
            version=self.version,
            content=self.content,
            author=self.author,
            note=self.note,
            made_at=self.made_at,
        )


def list_newest(cursor: Connection) -> list[EntryRow]:
    """Return every entry in its newest wording; of one that was taken out that is empty."""
    return records(
        cursor,
        EntryRow,
        "SELECT * FROM library_entries "
        "QUALIFY row_number() OVER (PARTITION BY kind, name ORDER BY version DESC) = 1 "
        "ORDER BY kind, name",
    )


def list_versions(cursor: Connection, kind: EntryKind, name: str) -> list[LibraryVersion]:
    """Return every wording of an entry, the newest first; none where there is no such entry."""
    listed = records(
        cursor,
        EntryRow,
        "SELECT * FROM library_entries WHERE kind = ? AND name = ? ORDER BY version DESC",
        [kind, name],
    )
    return [row.wording for row in listed]


def write_wording(
    cursor: Connection, kind: EntryKind, name: str, wording: LibraryVersion, now: datetime
) -> None:
    """Write one more wording of an entry."""
    fields = wording.model_dump(include={"version", "content", "author", "note"})
    insert(cursor, "library_entries", [{"kind": kind, "name": name, **fields, "made_at": now}])
