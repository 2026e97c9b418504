"""Knowledge that came from owners' answers; the files that `sync` loads know nothing of it."""

from typing import Any

from data.errors import NotFoundError
from data.records.knowledge import KnowledgeEntry
from data.store.database import Connection, insert, rows, update


def add(cursor: Connection, entry: dict[str, Any]) -> None:
    """Insert one entry."""
    insert(cursor, "learned_entries", [entry])


def one(cursor: Connection, entry_id: str) -> dict[str, Any]:
    """Return one entry's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    found = rows(cursor, "SELECT * FROM learned_entries WHERE id = ?", [entry_id])
    if not found:
        raise NotFoundError(f"nothing was learned under the id {entry_id!r}")
    return found[0]


def everything(cursor: Connection) -> list[dict[str, Any]]:
    """Return every entry, newest first."""
    return rows(cursor, "SELECT * FROM learned_entries ORDER BY created_at DESC, id")


def change(cursor: Connection, entry_id: str, **fields: object) -> None:
    """Set fields of an entry."""
    update(cursor, "learned_entries", [{"id": entry_id, **fields}])


def remove(cursor: Connection, entry_id: str) -> None:
    """Forget an entry."""
    cursor.execute("DELETE FROM learned_entries WHERE id = ?", [entry_id])


def entries(cursor: Connection) -> list[KnowledgeEntry]:
    """Return what was learned as knowledge entries; what nobody has confirmed is not trusted."""
    return [
        KnowledgeEntry(
            id=row["id"],
            title=row["title"],
            body=row["body"],
            language=row["language"],
            trusted=row["trusted"],
            source=row["source"],
        )
        for row in sorted(everything(cursor), key=lambda row: str(row["id"]))
    ]
