"""Tickets, and what people do with them; see docs/pipeline.md#plan.

Titles and texts hold the sender's words: whoever draws them must draw them inert.
"""

from enum import StrEnum
from typing import NamedTuple

from pydantic import AwareDatetime, Field

from data.records.core.record import Record


class TicketState(StrEnum):
    """Where a ticket is."""

    OPEN = "open"  #: somebody has to carry it out
    CLOSED = "closed"  #: done, or given up; the reason says which


class NoteKind(StrEnum):
    """What a note on a ticket is."""

    OPENED = "opened"
    COMMENT = "comment"
    CLOSED = "closed"
    REOPENED = "reopened"


class OpenTicket(NamedTuple):
    """What a plan sees of an open ticket, which its own may repeat."""

    id: str
    number: int
    title: str
    text: str
    thread_id: str


class TicketNote(Record):
    """One thing that happened to a ticket."""

    kind: NoteKind
    author: str
    text: str = ""
    noted_at: AwareDatetime


class TicketView(Record):
    """One ticket."""

    id: str
    number: int
    """What people call it by, from 1."""
    state: TicketState
    title: str
    text: str
    """What the sender wants, as written."""
    category: str
    case_id: str
    thread_id: str
    contact_email: str
    duplicate_of: str = ""
    """An earlier ticket that may be about the same."""
    reason: str = ""
    """Why it was closed or opened again last."""
    created_at: AwareDatetime
    changed_at: AwareDatetime
    closed_at: AwareDatetime | None = None
    letters: tuple[str, ...] = ()
    """What the sender wrote anew in each message of its case, as written; empty in lists."""
    untold: int = 0
    """How much of it an outside tracker has yet to hear; 0 in lists."""
    unheard: int = 0
    """How much the tracker has not taken, and is not told any more until a person says so."""
    tracker_answer: str = ""
    """How the last attempt to tell the tracker ended, while something is untold."""
    notes: tuple[TicketNote, ...] = ()
    """Oldest first; empty in lists."""


class Reason(Record):
    """Close or open a ticket, and say why."""

    reason: str = Field(min_length=1, max_length=2000)


class Comment(Record):
    """Say something about a ticket."""

    text: str = Field(min_length=1, max_length=8000)
