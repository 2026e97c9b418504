"""Plain questions that can be answered without a model, and whether they are (docs/agents.md)."""

from pydantic import AwareDatetime

from data.records.core.record import Record


class ShadowAnswer(Record):
    """What would have been answered to a plain question, beside what a model answered."""

    turn_id: str
    asked: str
    would_say: str
    said: str
    """What the model answered; empty where it gave no answer."""
    said_at: AwareDatetime


class IntentSwitch(Record):
    """One kind of plain question."""

    intent: str
    """Its name, e.g. `urgent`."""
    switched_on: bool = False
    """Whether it is answered without the model."""
    changed_by: str = ""
    changed_at: AwareDatetime | None = None
    seen: int = 0
    """How often it was asked and answered by the model."""
    compared: int = 0
    """How many of the newest of these were compared with what the model answered."""
    agreed: int = 0
    """In how many of them the model's answer has what would have been answered without it."""
    shadows: tuple[ShadowAnswer, ...] = ()
    """The newest of these that the person may read."""


class IntentList(Record):
    """The kinds of plain questions, by name."""

    items: tuple[IntentSwitch, ...]
    with_model: bool = True
    """Whether there is a model that could answer them."""


class SwitchedIntent(Record):
    """Whether plain questions of a kind are answered without the model from now on."""

    switched_on: bool
