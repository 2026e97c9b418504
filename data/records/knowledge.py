"""What the organization knows, and whom it knows."""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.record import Record


class KnowledgeKind(StrEnum):
    """What sort of knowledge an entry holds."""

    FACT = "fact"
    PROCEDURE = "procedure"
    POLICY = "policy"
    FAQ = "faq"
    DECISION = "decision"


class KnowledgeEntry(Record):
    """One thing the organization knows and vouches for."""

    id: str
    """Stable name, e.g. `opening-hours`."""
    title: str
    kind: KnowledgeKind = KnowledgeKind.FACT
    language: str = "en"
    tags: tuple[str, ...] = ()
    significance: float = Field(default=0.5, ge=0, le=1)
    """How much it matters when room is short."""
    valid_from: date | None = None
    valid_until: date | None = None
    public: bool = True
    """Whether a reply may tell it; what is not public never reaches a draft."""
    trusted: bool = True
    """Whether the organization vouches for it; learned from mail: not until a person says so."""
    body: str
    source: str = ""
    """Where it was loaded from."""


class SavedReply(Record):
    """A template that a person wrote."""

    id: str
    title: str
    language: str = "en"
    intent: str = ""
    categories: tuple[str, ...] = ()
    body: str


class Contact(Record):
    """Somebody who writes to the organization."""

    id: str
    email: str
    """Lower-cased."""
    name: str = ""
    company: str = ""
    language: str = ""
    notes: str = ""
    blocked: bool = False
    first_seen_at: AwareDatetime | None = None


class HistoryEntry(Record):
    """An earlier message to or from a contact."""

    ref: str
    contact: str
    outbound: bool
    at: AwareDatetime
    subject: str
    text: str
    message_id: str | None = None
    in_reply_to: str | None = None
