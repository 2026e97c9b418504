"""Corrections of a case's labels, and what an organization's classifier made of them."""

from typing import Self

from pydantic import AwareDatetime, model_validator

from data.records.core.record import Record
from data.records.core.understanding import Category, IntentKind, Priority


class Relabel(Record):
    """Say what a case is really about; what is left out was right."""

    version: int
    category: Category | None = None
    priority: Priority | None = None
    intent: IntentKind | None = None
    """Of the strongest wish."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.category is None and self.priority is None and self.intent is None:
            raise ValueError("name a category, a priority or an intent")
        return self


class Training(Record):
    """How one training on an organization's examples went."""

    id: str
    trained_at: AwareDatetime
    corrections: int
    """Cases that a person corrected."""
    confirmed: int
    """Cases whose labels a person let stand."""
    held: int
    """Of both, those that were kept from training and judged on."""
    right_before: int
    """Labels (three a case) that were right on them with what was in use."""
    right_after: int
    """Labels that were right on them after this training."""
    taken: bool
    """Whether it is better and was therefore taken."""
    undone_at: AwareDatetime | None = None


class LearnedExamples(Record):
    """What an organization's classifier has learned from people."""

    corrections: int
    confirmed: int
    needed: int
    """Corrections before the first training."""
    in_use: str | None = None
    """The training that is in use."""
    trainings: tuple[Training, ...] = ()
    """Newest first."""
