"""The agents of the mail line: which stage asks which, for what, and who answers without a model.

The core knows agents by their slugs alone. What each of the line's fills in, what is made of that,
and the function that makes the same without a model is said here and nowhere else.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from data.records.core.briefing import Snippet
from data.records.core.record import Record
from data.records.core.screening import Screening
from data.records.core.tools import Label
from data.records.core.understanding import Classification
from data.records.mail.drafting import Draft
from data.records.mail.planning import Plan, Slot
from tasks.mail.classify.classify_cases import classify_cases
from tasks.mail.context.compacting import summarize
from tasks.mail.draft.draft_cases import draft_cases
from tasks.mail.forms import ClassifyForm, DraftForm, ExtractForm, GuardForm, PlanForm, SummaryForm
from tasks.mail.plan.plan_cases import by_rules
from tasks.mail.plan.slots import found_slots
from tasks.mail.screen.screen_messages import screen_messages

EmbeddedT_co = TypeVar("EmbeddedT_co", covariant=True)
_UNTRUSTED = frozenset({Label.UNTRUSTED})
_BOTH = frozenset({Label.PRIVATE, Label.UNTRUSTED})


@dataclass(frozen=True, kw_only=True)
class LineAgent(Generic[EmbeddedT_co]):
    """An agent that a stage asks."""

    slug: str
    """By which the roster knows it."""
    stage: str
    form: type[BaseModel]
    """What a model fills in."""
    gives: type[Record]
    """What the stage keeps of it."""
    embedded: EmbeddedT_co
    """The function of `tasks` that makes it without a model."""
    holds: frozenset[Label]
    """What it has before it, whatever it is offered."""
    looks_up: bool = False
    """Whether it may be offered tools."""


GUARD = LineAgent(
    slug="guard", stage="screen", form=GuardForm, gives=Screening, embedded=screen_messages,
    holds=_UNTRUSTED,
)  # fmt: skip
SUMMARIZER = LineAgent(
    slug="summarizer", stage="context", form=SummaryForm, gives=Snippet, embedded=summarize,
    holds=_BOTH,
)  # fmt: skip
CLASSIFIER = LineAgent(
    slug="classifier", stage="classify", form=ClassifyForm, gives=Classification,
    embedded=classify_cases, holds=_BOTH,
)  # fmt: skip
PLANNER = LineAgent(
    slug="planner", stage="plan", form=PlanForm, gives=Plan, embedded=by_rules, holds=_BOTH,
    looks_up=True,
)  # fmt: skip
EXTRACTOR = LineAgent(
    slug="extractor", stage="plan", form=ExtractForm, gives=Slot, embedded=found_slots,
    holds=_BOTH,
)  # fmt: skip
DRAFTER = LineAgent(
    slug="drafter", stage="draft", form=DraftForm, gives=Draft, embedded=draft_cases, holds=_BOTH,
)  # fmt: skip

LINE_AGENTS: dict[str, LineAgent[object]] = {
    line_agent.slug: line_agent
    for line_agent in (GUARD, SUMMARIZER, CLASSIFIER, PLANNER, EXTRACTOR, DRAFTER)
}
"""Every agent of the line by its slug, in the order of the stages."""


def agents_of(stage: str) -> tuple[str, ...]:
    """Return the slugs of the agents that a stage asks."""
    return tuple(
        line_agent.slug for line_agent in LINE_AGENTS.values() if line_agent.stage == stage
    )
