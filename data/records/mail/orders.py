"""Orders that people send to the engine's API: their decisions, with what they were shown."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from data.records.core.moments import Moment
from data.records.core.record import Line, Record
from data.records.core.understanding import Category, IntentKind
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import AlternativeKind
from data.records.mail.follow_ups import LONGEST_WAIT
from data.records.mail.notes import LONGEST_NOTE

LONGEST_BODY = 1_000_000
"""Letters of a reply that a person writes."""
LONGEST_SUBJECT = 2_000
"""Letters of its subject."""


class Approve(Record):
    """Approve a case, as shown or with another text."""

    version: int
    approval_hash: Line
    """The hash that was shown; refused when it no longer is what would leave."""
    subject: str | None = Field(default=None, max_length=LONGEST_SUBJECT)
    body: str | None = Field(default=None, max_length=LONGEST_BODY)
    """The edited text; None approves the shown one."""
    confirmed: bool = False
    """Whether the person stands by what the check would not let leave."""
    looked_seconds: float | None = Field(default=None, ge=0, le=86_400)
    """How long the letter was on the screen, in seconds; None where nobody measured."""
    leave: Moment | None = None
    """When the reply is to leave; None for as soon as its undo window has ended."""
    follow_up_days: int | None = Field(default=None, ge=1, le=LONGEST_WAIT)
    """Working days without an answer after which the case comes back; None for never."""


class Reject(Record):
    """Say that a draft is not good."""

    version: int
    reason: RejectReason
    note: str = Field(default="", max_length=2000)
    redraft: bool = False
    """Whether to write another draft at once. Without it the case stays, for a person to write it,
    unless the reason is that no reply should go: then it is closed."""
    looked_seconds: float | None = Field(default=None, ge=0, le=86_400)
    """How long the letter was on the screen, in seconds; None where nobody measured."""


class Choose(Record):
    """Take one of the other drafts that are offered."""

    version: int
    kind: AlternativeKind


class PartCase(Record):
    """Make a case of its own of some parts of a case."""

    version: int
    branches: tuple[Line, ...] = Field(min_length=1, max_length=10)
    """Ids of the branches that are set apart."""


class Join(Record):
    """Make one case of those that answer parts of the same messages."""

    version: int


class Reassign(Record):
    """Give a case to another person."""

    version: int
    assignee: Line
    """The person's address; empty gives it back to nobody."""
    note: str = Field(default="", max_length=LONGEST_NOTE)
    """What that person should know; kept as a note on the case."""


class ArchiveCase(Record):
    """Close a case without a reply."""

    version: int
    note: str = Field(default="", max_length=2000)


class ShownCase(Record):
    """A case as it was shown, to which a decision on it is bound."""

    id: Line
    version: int
    approval_hash: Line = ""
    """The hash of the reply that was shown; an approval is refused without it."""


def _one_word(tag: str) -> str:
    """Refuse what is no word, so that a tag can stand in an address and on a card."""
    if not all(part.isalnum() for part in tag.replace("_", "-").split("-")):
        raise ValueError(f"{tag!r} cannot be a tag; use letters, digits, '-' and '_'")
    return tag


MOST_CASES = 50
"""Cases that one decision may be about."""


class DecideCases(Record):
    """One decision on several cases, each exactly as it was shown."""

    action: Literal["approve", "archive", "reassign"]
    cases: tuple[ShownCase, ...] = Field(min_length=1, max_length=MOST_CASES)
    assignee: Line = ""
    """Who gets them; empty gives them back to nobody. For `reassign` alone."""
    note: str = Field(default="", max_length=2000)
    """For whoever looks at them later; for `archive` alone."""
    looked_seconds: float | None = Field(default=None, ge=0, le=86_400)
    """How long all of them were on the screen, in seconds; None where nobody measured."""


Tag = Annotated[
    str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1, max_length=60),
    AfterValidator(_one_word),
]  # fmt: skip
"""A word on a conversation: letters and digits, `-` and `_` between them."""


class TagCases(Record):
    """Give the conversations of several cases tags, and take tags away."""

    cases: tuple[Line, ...] = Field(min_length=1, max_length=MOST_CASES)
    add: tuple[Tag, ...] = Field(default=(), max_length=20)
    remove: tuple[Tag, ...] = Field(default=(), max_length=20)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.add and not self.remove:
            raise ValueError("name a tag in 'add' or 'remove', at least one")
        if both := sorted(set(self.add) & set(self.remove)):
            raise ValueError(f"{both[0]!r} is in 'add' and in 'remove'; name it once")
        return self


class Release(Record):
    """Let a message go on."""

    allow: tuple[Line, ...] = Field(default=(), max_length=100)
    """Rules that hit and are not to count for this sender from now on."""


class Confirm(Record):
    """Say that a quarantined message is what it was taken for."""

    spam: bool | None = None
    """Whether to learn from it as spam; None learns when a rule about its content hit."""


class Block(Record):
    """Block a sender of a quarantined message."""

    scope: Literal["sender", "domain"] = "sender"
    even_so: bool = False
    """Whether to block a domain at which unrelated people or a contact have their mail."""


class Decide(Record):
    """One decision on several messages."""

    ids: tuple[Line, ...] = Field(min_length=1, max_length=200)
    action: Literal["release", "confirm", "block_sender", "block_domain", "undo"]


class Correct(Record):
    """Say whether a message is spam, wherever it is; only learned from."""

    spam: bool


class Allow(Record):
    """Let a rule not count for a sender."""

    rule: Line
    sender: Line
    """An address, with or without a name, or `@domain`."""


class NameGroup(Record):
    """Name a group or list as the organization's own."""

    address: str = Field(min_length=3, max_length=320)


class MarkSeen(Record):
    """Mark notifications as read."""

    ids: tuple[Line, ...] | None = Field(default=None, max_length=500)
    """None marks all of them."""


class Resolve(Record):
    """A person's decision on a delivery whose outcome is unknown or failed."""

    outcome: Literal["sent", "retry", "cancel"]


ForwardOutcome = Literal["retry", "cancel", "undo"]
"""What a person says of a forward; `undo` takes a `cancel` back."""


class ResolveForward(Record):
    """A person's decision on a message that an endpoint has not taken."""

    outcome: ForwardOutcome


class StopSwitch(Record):
    """The kill switch: while stopped, nothing leaves, and agents ask no model."""

    stopped: bool


class SaveReply(Record):
    """The text of a saved reply that a person keeps, and for what it is."""

    title: str = Field(min_length=1, max_length=200, pattern=r"\S")
    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    """ISO 639-1."""
    intent: IntentKind | Literal[""] = ""
    """For which wishes; empty for none by name, which leaves it a source alone."""
    categories: tuple[Category, ...] = Field(default=(), max_length=50)
    """For mail of which categories; empty for all."""
    body: str = Field(min_length=1, max_length=8000, pattern=r"\S")
    version: int = 0
    """The version that is changed; unused for a new one."""
