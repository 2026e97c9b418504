"""Tools of planning: what they take and give, and what each may do; see docs/pipeline.md#plan.

Arguments never name an organization or a contact: whom a tool sees is not the caller's word.
"""

from pydantic import AwareDatetime, Field, field_validator

from data.records.core.accounts import Account
from data.records.core.record import Record


class Nothing(Record):
    """No arguments."""


class WordQuery(Record):
    """Words to look for."""

    words: str = Field(min_length=1, max_length=400)

    @field_validator("words")
    @classmethod
    def _encodable(cls, value: str) -> str:
        """Return words that can be written down: lone surrogates become question marks."""
        return value.encode("utf-8", "replace").decode("utf-8")


class ContactFacts(Record):
    """Who is writing; the contact of the case and no other."""

    email: str
    name: str = ""
    company: str = ""
    language: str = ""
    first_seen_at: AwareDatetime | None = None
    cases: int = 0
    """Cases of this contact so far."""
    open_tickets: int = 0
    plan: str = ""
    """What her file names as plan or account; only of an established sender, as what follows."""
    notes: str = ""
    """The organization's own notes; no reply tells them."""
    accounts: tuple[Account, ...] = ()
    """Her account records: plan, status, renewal, balance, orders."""


class KnownFact(Record):
    """A public entry that the organization vouches for."""

    ref: str
    title: str
    text: str
    language: str = "und"


class KnownFacts(Record):
    """What the search has found, best first."""

    found: tuple[KnownFact, ...] = ()


class Passage(Record):
    """A message of the case's conversation; untrusted unless it is ours."""

    ref: str
    outbound: bool
    at: AwareDatetime
    subject: str
    text: str


class Passages(Record):
    """Messages that hold the words, newest first."""

    found: tuple[Passage, ...] = ()


class LikeTicket(Record):
    """An open ticket that may be about the same; without the words of another contact."""

    id: str
    number: int
    likeness: float


class LikeTickets(Record):
    """Open tickets, most alike first."""

    found: tuple[LikeTicket, ...] = ()


class FileName(Record):
    """Which attachment of the case to read."""

    words: str = Field(min_length=1, max_length=255)
    """Its file name, as the message lists it."""


class FileText(Record):
    """The text of an attachment: somebody else's words."""

    name: str = ""
    """Empty where the case has no such file: what was asked for is not told back."""
    kind: str = ""
    text: str = ""
    """Its beginning, at most 8,000 characters."""
    summary: str = ""
    trouble: str = ""
    """Why there is no text; empty when there is."""


class ReplyTitle(Record):
    """A saved reply, and what it is for."""

    id: str
    title: str
    language: str
    intent: str
    """The kind of wish that it answers; empty for any."""
    categories: tuple[str, ...] = ()
    """What it is for; empty for anything."""
    begins: str = ""
    """How its text begins, on one line."""


class ReplyTitles(Record):
    """The organization's saved replies."""

    found: tuple[ReplyTitle, ...] = ()
    left_off: int = 0
    """How many more there are."""
