"""Saved replies that people keep; those of the files are none of these."""

from datetime import datetime
from typing import NamedTuple

from data.records.core.knowledge import SavedReply
from data.store.core.database import Connection
from data.store.core.statements import Fields, insert, one_record, records, update


class ReplyRow(NamedTuple):
    """A saved reply that people keep."""

    id: str
    version: int
    title: str
    language: str
    intent: str
    categories: list[str]
    body: str
    created_by: str
    created_at: datetime
    changed_by: str
    changed_at: datetime
    retired_by: str
    retired_at: datetime | None


def add(cursor: Connection, reply: Fields) -> None:
    """Insert one."""
    insert(cursor, "kept_replies", [reply])


def read_row(cursor: Connection, reply_id: str) -> ReplyRow:
    """Return one row.

    Raises:
        NotFoundError: nobody keeps one of that id.

    """
    return one_record(
        cursor,
        ReplyRow,
        "SELECT * FROM kept_replies WHERE id = ?",
        reply_id,
        f"there is no saved reply {reply_id!r} that can be changed here",
    )


def list_rows(cursor: Connection) -> list[ReplyRow]:
    """Return every row, retired ones too, by id."""
    return records(cursor, ReplyRow, "SELECT * FROM kept_replies ORDER BY id")


def list_counting(cursor: Connection) -> list[SavedReply]:
    """Return those that nobody has retired, by id."""
    return [as_saved_reply(row) for row in list_rows(cursor) if row.retired_at is None]


def as_saved_reply(row: ReplyRow) -> SavedReply:
    """Return a row as drafts see it."""
    names = {name: getattr(row, name) for name in SavedReply.model_fields}
    return SavedReply(**{**names, "categories": tuple(row.categories)})


def change(cursor: Connection, reply_id: str, **fields: object) -> None:
    """Set fields of one."""
    update(cursor, "kept_replies", [{"id": reply_id, **fields}])
