"""Learned entries, proposed from answers and replies, and a person's decisions on them."""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.knowledge import KnowledgeKind, SavedReply, Usage
from data.records.core.record import Line, Record


class LearnedState(StrEnum):
    """Where a learned entry is."""

    PROPOSED = "proposed"  #: nothing rests on it
    ACCEPTED = "accepted"  #: knowledge like that of the files
    REJECTED = "rejected"  #: kept, so that it is not proposed again


class LearnedOrigin(StrEnum):
    """Where a learned entry came from."""

    ANSWER = "answer"  #: an owner answered a question
    REPLY = "reply"  #: a contact asked, and a person's reply answered
    EDIT = "edit"  #: a person added a fact to a draft
    AGENT = "agent"  #: an agent proposed it, with the yes of who asked the agent


class Proposed(Record):
    """What a reply that a person approved could teach; see `tasks/mail/learning/lessons.py`."""

    title: str
    body: str
    kind: KnowledgeKind = KnowledgeKind.FACT
    language: str = "en"
    origin: LearnedOrigin


class SavedReplyView(SavedReply):
    """A saved reply, and what drafts make of it."""

    cited: bool
    """Whether a draft may tell it as a source; else it only stands around answers."""
    open: tuple[str, ...] = ()
    """Placeholders in it that nothing fills, so that only a person can use it."""
    file: str = ""
    """The file of the organization's folder that it is kept in; empty when people keep it here."""
    version: int = 0
    """Goes up with every change; 0 for a file's."""
    changed_by: str = ""
    changed_at: AwareDatetime | None = None
    retired_by: str = ""
    retired_at: AwareDatetime | None = None
    """Since when no draft uses it."""


class ProposalView(Record):
    """A learned entry; its title may be a stranger's words and must be drawn inert."""

    id: str
    state: LearnedState
    title: str
    body: str
    kind: KnowledgeKind
    language: str
    origin: LearnedOrigin
    source: str
    """Where it came from, in words."""
    case_id: str = ""
    public: bool = True
    significance: float = 0.5
    valid_until: date | None = None
    half_life_days: int | None = None
    supersedes: tuple[str, ...] = ()
    created_by: str
    created_at: AwareDatetime
    confirmed_by: str = ""
    confirmed_at: AwareDatetime | None = None
    rejected_by: str = ""
    rejected_at: AwareDatetime | None = None
    undoable: bool = False
    """Whether the newest decision can be taken back."""
    mark: str = ""
    """Stands for what it says, so that a yes is to what somebody has read."""


class AcceptProposal(Record):
    """A yes to what was learned."""

    was: str = Field(default="", max_length=16)
    """The mark of what was read; empty where that does not matter."""


class EntryView(Record):
    """A knowledge entry with how it stands today."""

    id: str
    title: str
    kind: KnowledgeKind
    language: str
    body: str
    tags: tuple[str, ...] = ()
    source: str
    """File in the organization's folder, or what it was learned from."""
    learned: bool
    public: bool
    trusted: bool
    significance: float
    valid_from: date | None = None
    valid_until: date | None = None
    half_life_days: int | None = None
    freshness: float
    """How much of it is left by its half-life, 0 to 1."""
    supersedes: tuple[str, ...] = ()
    belongs_to: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    """Entries that contradict it today, whichever of the two says so."""
    superseded_by: tuple[str, ...] = ()
    """Entries that hold in its place today."""
    found: bool
    """Whether drafts can find it today: trusted, valid, not superseded."""
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    """What the last sync said about it."""
    version: int = 0
    """Number of its newest wording that was written here; 0 for one that only a file has."""
    kept: bool = False
    """Whether it is kept here; else in a file, or it was learned."""
    retired: bool = False
    """Whether somebody has retired it: nothing rests on it."""
    file: str = ""
    """The file that holds an entry of its name, whether that counts or not."""
    checked_on: date | None = None
    says_against: tuple[str, ...] = ()
    """Entries that it says itself it contradicts, as it is written."""


class EditProposal(Record):
    """Another wording, and what else a person can say of a learned entry."""

    title: str = Field(min_length=3, max_length=200)
    body: str = Field(min_length=3, max_length=4000)
    kind: KnowledgeKind = KnowledgeKind.FACT
    public: bool = True
    significance: float = Field(default=0.5, ge=0, le=1)
    valid_until: date | None = None
    half_life_days: int | None = Field(default=None, ge=1, le=36_500)
    supersedes: tuple[Line, ...] = Field(default=(), max_length=20)
