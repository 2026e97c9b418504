"""Notes of colleagues to each other, beside a case or a conversation."""

from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import insert, one_record, records


class NoteRow(NamedTuple):
    """A note of a colleague."""

    id: str
    thread_id: str
    """The conversation that it was written beside."""
    case_id: str
    """The case that it was written on; empty where it was the conversation."""
    text: str
    mentions: list[str]
    """Names of those whom it tells."""
    author_id: str
    written_by: str
    written_at: datetime


def add(cursor: Connection, note: NoteRow) -> None:
    """Keep a note."""
    insert(cursor, "notes", [note._asdict()])


def read_note(cursor: Connection, note_id: str) -> NoteRow:
    """Return one note.

    Raises:
        NotFoundError: there is none of that id.

    """
    missing = f"there is no note {note_id!r}; somebody may have taken it away"
    return one_record(cursor, NoteRow, "SELECT * FROM notes WHERE id = ?", note_id, missing)


def remove(cursor: Connection, note_id: str) -> None:
    """Take a note away."""
    cursor.execute("DELETE FROM notes WHERE id = ?", [note_id])


def list_of_thread(cursor: Connection, thread_id: str) -> list[NoteRow]:
    """Return the notes of a conversation, oldest first.

    A note is where its case is by now, and where the conversation is that it was written beside.
    """
    note_rows = records(
        cursor,
        NoteRow,
        "WITH RECURSIVE parts(id) AS (SELECT ? UNION "
        "SELECT t.id FROM threads t JOIN parts ON t.merged_into = parts.id) "
        "SELECT n.* FROM notes n LEFT JOIN cases c ON c.id = n.case_id "
        "WHERE coalesce(c.thread_id, n.thread_id) IN (SELECT id FROM parts)",
        [thread_id],
    )
    return sorted(note_rows, key=lambda row: (row.written_at, row.id))
