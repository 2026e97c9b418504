"""Handling rules: a sentence of a person, compiled into a matcher; see docs/pipeline.md#plan.

A rule can only restrict or file. What it does is a closed set without a member that sends.
"""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record
from data.records.core.understanding import Category, IntentKind, Priority


class RuleEffect(StrEnum):
    """What a rule does."""

    ASK = "ask"  #: a person must say yes, whatever the policy allows
    HOLD = "hold"  #: nothing is drafted; a person looks
    ARCHIVE = "archive"  #: filed without a reply
    TAG = "tag"  #: the conversation gets a tag
    ASSIGN = "assign"  #: goes to a named person


class Deed(Record):
    """One effect of a rule, with its tag or address."""

    effect: RuleEffect
    argument: str = ""


class Matcher(Record):
    """What a message must be like; empty parts match everything, and all parts must match."""

    senders: tuple[str, ...] = ()
    """Addresses, lower-cased; one of them or of the domains."""
    domains: tuple[str, ...] = ()
    """Domains, with everything below them."""
    categories: tuple[Category, ...] = ()
    intents: tuple[IntentKind, ...] = ()
    priorities: tuple[Priority, ...] = ()
    topics: tuple[tuple[str, ...], ...] = ()
    """Topics, all needed; of each any of its words, as written by the person."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes."""
    attachments: bool | None = None
    """Whether it must or must not have attachments; None for either."""
    deeds: tuple[Deed, ...] = Field(min_length=1)
    """What follows."""


class RuleState(StrEnum):
    """Where a rule is."""

    PROPOSED = "proposed"  #: compiled and shown; does nothing
    CONFIRMED = "confirmed"  #: counts
    RETIRED = "retired"  #: counts no more


class RuleExample(Record):
    """A recent case that a rule would have matched; its words come from a mail."""

    case_id: str
    contact_email: str
    subject: str
    received_at: AwareDatetime


class RuleView(Record):
    """One rule."""

    id: str
    version: int
    """Goes up with every confirmation in the organization; plans name it."""
    state: RuleState
    sentence: str
    """What the person wrote."""
    matcher: Matcher
    plain: tuple[str, ...]
    """What was understood, in plain words."""
    created_by: str
    created_at: AwareDatetime
    confirmed_by: str = ""
    confirmed_at: AwareDatetime | None = None
    retired_by: str = ""
    retired_at: AwareDatetime | None = None
    matched: int = 0
    """Recent cases that it would have matched."""
    examples: tuple[RuleExample, ...] = ()
    """The newest of them."""


class ProposeRule(Record):
    """A sentence to be compiled."""

    sentence: str = Field(min_length=5, max_length=300)
