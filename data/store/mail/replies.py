"""Saved replies that people keep; those of the files are none of these."""

from typing import Any

from data.records.core.knowledge import SavedReply
from data.store.core.database import Connection, insert, only, rows, update


def add(cursor: Connection, reply: dict[str, Any]) -> None:
    """Insert one."""
    insert(cursor, "kept_replies", [reply])


def one(cursor: Connection, reply_id: str) -> dict[str, Any]:
    """Return one row.

    Raises:
        NotFoundError: nobody keeps one of that id.

    """
    return only(
        cursor,
        "SELECT * FROM kept_replies WHERE id = ?",
        reply_id,
        f"there is no saved reply {reply_id!r} that can be changed here",
    )


def lines(cursor: Connection) -> list[dict[str, Any]]:
    """Return every row, retired ones too, by id."""
    return rows(cursor, "SELECT * FROM kept_replies ORDER BY id")


def counting(cursor: Connection) -> list[SavedReply]:
    """Return those that nobody has retired, by id."""
    return [record(row) for row in lines(cursor) if row["retired_at"] is None]


def record(row: dict[str, Any]) -> SavedReply:
    """Return a row as drafts see it."""
    names = {name: row[name] for name in SavedReply.model_fields}
    return SavedReply(**{**names, "categories": tuple(row["categories"])})


def change(cursor: Connection, reply_id: str, **fields: object) -> None:
    """Set fields of one."""
    update(cursor, "kept_replies", [{"id": reply_id, **fields}])
