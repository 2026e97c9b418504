"""Links, joins, merges and splits of conversations, and what people order about them."""

from typing import Literal

from pydantic import AwareDatetime, Field

from data.records.core.parsed_mail import Address
from data.records.core.record import Line, Record
from data.states import CaseState

ThreadChangeKind = Literal["join", "merge", "split"]


class CaseLink(Record):
    """A case, named where it is not open."""

    id: str
    version: int
    state: CaseState
    subject: str
    received_at: AwareDatetime
    """When its last message came, or it was begun."""
    assignee: str | None = None
    thread_id: str
    again: bool = False
    """Whether it is a letter that a person or a follow-up has begun."""
    contact: Address | None = None
    """To whom its reply goes."""


class ThreadLink(Record):
    """Another conversation that this one refers to, or that refers to it."""

    id: str
    subject: str
    contact: Address


class ThreadChange(Record):
    """A joining, merge or split of conversations that was not taken back."""

    id: str
    kind: ThreadChangeKind
    """`join`: messages showed it; `merge` and `split`: a person did it."""
    thread_id: str
    """The conversation that grew, or that was split off."""
    other_id: str
    """The conversation that became part of it, or that it was split off from."""
    actor: str
    """`thread` for the stage, or a user."""
    note: str = ""
    messages: int
    """How many messages moved."""
    made_at: AwareDatetime
    undoable: bool = True
    """Whether it is the last change of its conversations; only that can be taken back."""


class ThreadPreview(Record):
    """What merging or splitting would do."""

    sentences: tuple[str, ...]
    """What will happen, one thing each."""
    warning: str = ""
    """What a person must say that they mean, or nothing."""


class MergeThreads(Record):
    """Make another conversation part of this one."""

    other: Line
    across_contacts: bool = False
    """Whether the person means it though the conversations are of different contacts."""


class SplitThread(Record):
    """Make a conversation of its own of some messages."""

    messages: tuple[Line, ...] = Field(min_length=1, max_length=500)
    """Ids of inbound messages."""


class UndoThreadChange(Record):
    """Take a joining, merge or split back."""

    change: Line
