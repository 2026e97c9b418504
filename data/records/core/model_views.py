"""Language models as the API shows them: who thinks, what it has used, what it may cost."""

from typing import Literal

from pydantic import AwareDatetime

from data.records.core.caps import CapView
from data.records.core.kept_settings import SettingsChange
from data.records.core.messages import ModelMessage
from data.records.core.record import Record


class CallsView(Record):
    """Calls of models, added up."""

    name: str = ""
    """What they have in common: an agent, a model, a sender or a user; empty for all."""
    calls: int = 0
    failed: int = 0
    """Calls without a usable answer."""
    tokens_in: int = 0
    """Tokens that were read, those from the cache included."""
    cache_read: int = 0
    """Tokens that came from the provider's cache."""
    cache_write: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    """US dollars; what was reserved and never settled counts with its worst case."""
    unpriced: int = 0
    """Calls of models whose price is not set; they are not in the cost."""
    milliseconds: float = 0.0
    """Mean time of an answer."""


class TierView(Record):
    """One class of model."""

    tier: str
    model: str
    """Empty while Postern thinks by itself."""
    price: str = ""
    """US dollars for a million tokens in and out; empty when nobody has said it."""


class SpentView(Record):
    """What was spent of one cap."""

    name: str
    """`day` or `month`, UTC."""
    cost: float
    """US dollars."""
    cap: float
    """US dollars; 0 for none."""


class ModelsView(Record):
    """Who thinks for an organization, and what that costs it."""

    provider: str
    """`local`, `anthropic` or `openai`."""
    tiers: tuple[TierView, ...] = ()
    spent: tuple[SpentView, ...] = ()
    caps: tuple[CapView, ...] = ()
    """All that hold, and those that lift one of the settings."""
    today: CallsView = CallsView()
    by_day: tuple[CallsView, ...] = ()
    """The last fourteen days (UTC, named `2026-01-31`) on which models were asked, newest first."""
    by_agent: tuple[CallsView, ...] = ()
    """This month."""
    by_model: tuple[CallsView, ...] = ()
    by_sender: tuple[CallsView, ...] = ()
    """This month, the dearest twenty."""
    by_user: tuple[CallsView, ...] = ()
    """This month, by the ids of the users in whose name agents were asked."""
    faults: tuple[CallsView, ...] = ()
    """How calls of this month ended that gave no answer."""


class RequestView(Record):
    """One request that was answered: what it added to a history."""

    call_id: str
    follows: str | None = None
    """The call that it goes on from."""
    turn: str | None = None
    agent: str
    model: str
    asked_at: AwareDatetime
    outcome: str
    prompt: str = ""
    """Hash of the system prompt, which is not told; empty where it goes on from another call."""
    messages: tuple[ModelMessage, ...] = ()


class PartialDraft(Record):
    """A draft while a model writes it: not checked, and not kept."""

    writing: bool
    text: str = ""


class TryModel(Record):
    """An order to ask one model a short question, to see whether it answers."""

    tier: Literal["fast", "capable"] = "fast"
    """Which class of model."""
    change: SettingsChange | None = None
    """Settings as they would be; they are tried, and not kept. None tries what counts."""


class ModelSetup(Record):
    """Who thinks, with which models and prices, and whether that may be changed here."""

    provider: Literal["local", "anthropic", "openai"]
    base_url: str
    """Empty for the provider's own address."""
    dialect: Literal["full", "plain"]
    plain_http: bool
    has_key: bool
    """Whether there is a key; it is told to nobody."""
    model: str
    """Of every task that has none of its own."""
    model_fast: str
    model_capable: str
    usual_fast: str
    """Anthropic's where none is named."""
    usual_capable: str
    prices: tuple[str, ...]
    """A line each: model, input, output and, if known, cache read and write."""
    changeable: bool = False
    """Whether an administrator may change all of it while Postern runs."""
    kept_here: tuple[str, ...] = ()
    """Settings of it that administrators have changed, so that defaults do not count."""
    trouble: str = ""
    """A sentence that says why no model can be asked as it is set."""


class TriedModel(Record):
    """What came of asking a model one short question."""

    provider: str
    """`local` where Postern thinks by itself, and nobody was asked."""
    model: str = ""
    question: str = ""
    answer: str = ""
    """Empty where there was none."""
    milliseconds: float = 0.0
    used: CallsView = CallsView()
    """Tokens and cost of the call as they are on the books."""
    trouble: str = ""
    """A sentence that says why there is no answer."""
    remedy: str = ""
    """A sentence that says what to do about it."""
