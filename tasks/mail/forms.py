"""The closed forms that models fill in for the mail line: enums, bounded text, numbers from lists.

No form has a place for an address, a link, a header, a file or a recipient. Unknown keys are
refused. Descriptions are part of what the model reads.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from data.records.mail.planning import ActionType, SlotName
from tasks.core.asking.closed_forms import Form


def _text(most: int) -> StringConstraints:
    return StringConstraints(max_length=most)


Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class TrialForm(Form):
    """The answer to a question that only asks whether a model answers."""

    answer: Annotated[str, _text(500)]
    """One short sentence."""


class GuardForm(Form):
    """Whether a message tries to steer the programs that read it."""

    is_injection: bool
    """Whether it does."""
    confidence: Share
    """How sure that `is_injection` is right, 0 to 1."""
    attack_type: Literal[
        "direct_injection",
        "delimiter_attack",
        "role_impersonation",
        "encoding_evasion",
        "instruction_smuggling",
        "none",
    ]
    """The technique; `none` exactly when `is_injection` is false."""
    flagged_content: Annotated[str, _text(1_000)] | None = None
    """The words that decide, copied exactly; null when there are none."""


class IntentForm(Form):
    """One thing the sender wants."""

    intent: IntentKind
    category: Category
    confidence: Share
    sentences: tuple[Annotated[int, Field(ge=1, le=10_000)], ...] = Field(
        default=(), max_length=100
    )
    """Numbers of the sentences that carry it, from the list given."""


class ClassifyForm(Form):
    """What a burst of messages is about; closed sets and numbers, no text of its own."""

    category: Category
    priority: Priority
    sentiment: Sentiment
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}$")]
    """ISO 639-1 code, `und` when it cannot be told."""
    confidence: Share
    """Probability that a careful colleague would choose the same category."""
    intents: tuple[IntentForm, ...] = Field(min_length=1, max_length=8)
    """At least one, strongest first."""


class ActionForm(Form):
    """One proposed step."""

    type: ActionType
    reason: Annotated[str, _text(600)]
    """One sentence for the reviewer."""
    argument: Annotated[str, _text(300)] = ""
    """A question, a ticket's title or a tag; empty for all other steps."""


class PlanForm(Form):
    """The steps for one wish."""

    actions: tuple[ActionForm, ...] = Field(min_length=1, max_length=8)


class CitationForm(Form):
    """One sentence and what it rests on."""

    sentence: Annotated[str, _text(2_000)]
    """The sentence exactly as it stands in `body`."""
    ref: Annotated[str, _text(300)]
    """The `ref` of an entry that was given."""


class DraftForm(Form):
    """The text between greeting and closing."""

    body: Annotated[str, _text(8_000)]
    """Plain text, without greeting, closing and signature."""
    citations: tuple[CitationForm, ...] = Field(default=(), max_length=60)
    """One for every sentence that states a fact."""
    unanswered: tuple[Annotated[str, _text(500)], ...] = Field(default=(), max_length=30)
    """Questions of the sender that `body` leaves open."""


class SummaryEntry(Form):
    """One piece, shortened."""

    ref: Annotated[str, _text(300)]
    """The `ref` of the piece."""
    text: Annotated[str, _text(2_000)]


class SummaryForm(Form):
    """Older pieces of a conversation, shortened."""

    entries: tuple[SummaryEntry, ...] = Field(default=(), max_length=100)


class SlotForm(Form):
    """One thing that the wish states."""

    name: SlotName
    value: Annotated[str, _text(120)]
    """The sender's letters, copied exactly."""


class ExtractForm(Form):
    """What one wish states for whoever carries it out."""

    slots: tuple[SlotForm, ...] = Field(default=(), max_length=20)
