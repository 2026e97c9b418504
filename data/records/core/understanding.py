"""The classification of a case: the output of the stage *classify*; see docs/pipeline.md."""

from enum import StrEnum

from pydantic import Field

from data.records.core.record import Record


class Category(StrEnum):
    """The closed set of categories."""

    SUPPORT = "support"
    SALES = "sales"
    BILLING = "billing"
    FEATURE_REQUEST = "feature_request"
    COMPLAINT = "complaint"
    SPAM = "spam"
    INTERNAL = "internal"
    OTHER = "other"


class Priority(StrEnum):
    """The closed set of priorities."""

    URGENT = "urgent"
    NORMAL = "normal"
    LOW = "low"


class Sentiment(StrEnum):
    """The closed set of sentiments."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


class IntentKind(StrEnum):
    """The closed set of intents."""

    QUESTION = "question"
    COMPLAINT = "complaint"
    REQUEST = "request"
    INFORMATION = "information"
    ESCALATION = "escalation"
    ACKNOWLEDGMENT = "acknowledgment"


LEAVING = tuple(
    kind for kind in IntentKind if kind not in (IntentKind.COMPLAINT, IntentKind.ESCALATION)
)
"""Kinds of wishes that a rule can let leave by itself; the others always wait for a person."""


class Intent(Record):
    """One thing the sender wants; each becomes a branch."""

    intent: IntentKind
    """What kind of wish."""
    category: Category
    """What it concerns."""
    confidence: float = Field(ge=0, le=1)
    """Calibrated probability that both are right."""
    text: str = ""
    """The sentences that carry it, as written."""


class Classification(Record):
    """What a case is about."""

    category: Category
    """What it concerns, the strongest intent's."""
    priority: Priority
    """How soon."""
    sentiment: Sentiment
    """In what mood."""
    language: str
    """ISO 639-1 code of the sender's language; `und` when it cannot be told."""
    confidence: float = Field(ge=0, le=1)
    """Calibrated probability that the category is right."""
    intents: tuple[Intent, ...]
    """At least one, strongest first."""
    provider: str = "local"
    """Who answered: `local` or a model's name."""
    reasons: tuple[str, ...] = ()
    """What spoke for it, for the reviewer."""
    fallback: str = ""
    """Why the embedded provider answered although a model should have; empty when none failed."""
    embedded: "Classification | None" = None
    """What the embedded provider said, where a model's answer is shown; the gates ask both."""

    parts: tuple["Classification", ...] = ()
    """What each intent is about by itself, in their order; empty with one intent."""

    @property
    def judged(self) -> "Classification":
        """What no model had a say in; what decides how strictly a draft is checked."""
        return self.embedded or self
