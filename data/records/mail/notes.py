"""Notes that colleagues write to each other beside the mail."""

from pydantic import AwareDatetime, Field

from data.records.core.record import Record

LONGEST_NOTE = 4_000
"""Letters of a note."""


class WriteNote(Record):
    """A note for colleagues; `@` before a name tells that one."""

    text: str = Field(min_length=1, max_length=LONGEST_NOTE, pattern=r"\S")


class NoteView(Record):
    """A note of a colleague, which never leaves."""

    id: str
    text: str
    mentions: tuple[str, ...] = ()
    """Names of those whom it tells."""
    author_id: str
    """The user who wrote it, and may take it away."""
    written_by: str
    written_at: AwareDatetime
    case_id: str = ""
    """The case that it was written on; empty where it was the conversation."""
