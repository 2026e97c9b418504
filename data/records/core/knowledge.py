"""Knowledge entries, saved replies, contacts and earlier messages of an organization."""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record


class KnowledgeKind(StrEnum):
    """What sort of knowledge an entry holds."""

    FACT = "fact"
    PROCEDURE = "procedure"
    POLICY = "policy"
    FAQ = "faq"
    DECISION = "decision"
    PREFERENCE = "preference"
    """How something is liked best; an entry of another kind that answers as well is preferred."""


class Superseding(Record):
    """Another entry that replaces or contradicts one, and the days on which it is valid."""

    by: str
    """Id of the other entry."""
    since: date | None = None
    until: date | None = None

    def holds(self, day: date) -> bool:
        """Return whether the other entry is valid on `day`."""
        return is_valid(self.since, self.until, day)


class Usage(Record):
    """How often sent replies rested on an entry."""

    used: int = Field(default=0, ge=0)
    last_used_at: AwareDatetime | None = None
    last_case_id: str = ""
    """The newest case whose reply cites it."""


class KnowledgeEntry(Record):
    """One thing the organization knows and vouches for."""

    id: str
    """Stable name, e.g. `opening-hours`."""
    title: str
    kind: KnowledgeKind = KnowledgeKind.FACT
    language: str = "en"
    tags: tuple[str, ...] = ()
    significance: float = Field(default=0.5, ge=0, le=1)
    """How much it matters when not everything fits into what a draft may read."""
    valid_from: date | None = None
    valid_until: date | None = None
    public: bool = True
    """Whether a reply may tell it; what is not public never reaches a draft."""
    trusted: bool = True
    """Whether the organization vouches for it; learned from mail: not until a person says so."""
    body: str
    source: str = ""
    """Where it was loaded from."""
    supersedes: tuple[str, ...] = ()
    """Ids of entries that no search returns while this one is valid."""
    belongs_to: tuple[str, ...] = ()
    """Ids of entries that it is a part of: no search returns it while something else has replaced
    one of them."""
    contradicts: tuple[str, ...] = ()
    """Ids of entries that cannot hold beside it; what rests on either is for a person to see."""
    half_life_days: int | None = Field(default=None, ge=1)
    """Days after which it counts half as much; None when it does not age."""
    checked_on: date | None = None
    """When somebody last made sure of it: it ages from then, else from `valid_from`."""
    learned: bool = False
    """Whether it came from an answer or a reply, and a person said yes to it."""
    superseded: tuple[Superseding, ...] = ()
    """By which entries and when; found out when the knowledge is indexed."""
    contradicted: tuple[Superseding, ...] = ()
    """Which entries contradict it, or it them, and while they hold; found out likewise."""


def is_valid(since: date | None, until: date | None, day: date) -> bool:
    """Return whether `day` lies between two days, both included; None is open."""
    return (since is None or since <= day) and (until is None or day <= until)


class SavedReply(Record):
    """A template that a person wrote."""

    id: str
    title: str
    language: str = "en"
    intent: str = ""
    """The kind of wish that it stands around the answers of; empty: it is a source alone."""
    categories: tuple[str, ...] = ()
    """Categories of mail that it is for; empty: every one."""
    body: str


class Contact(Record):
    """Somebody who writes to the organization."""

    id: str
    email: str
    """Lower-cased."""
    name: str = ""
    company: str = ""
    language: str = ""
    plan: str = ""
    """The plan or account that the organization's file names."""
    notes: str = ""
    """What the organization has noted, beginning with the plan; for its own eyes."""
    blocked: bool = False
    first_seen_at: AwareDatetime | None = None


class HistoryEntry(Record):
    """An earlier message to or from a contact."""

    ref: str
    contact: str
    """The contact's address, lower-cased."""
    outbound: bool
    at: AwareDatetime
    subject: str
    text: str
    message_id: str | None = None
    in_reply_to: str | None = None
