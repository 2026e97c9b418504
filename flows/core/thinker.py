"""Asking models within the caps: reserved before, settled after, tried twice at most, recorded.

This is the one place where a failed call is tried again. Whatever goes wrong ends in a fault of
the closed set; the stage then takes the embedded provider's answer, and the fact is kept with it.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from data.asking import (
    PASSING,
    REMEDIES,
    SENTENCES,
    UNBILLED,
    Fault,
    ModelFaultError,
    OnText,
    Provider,
    Question,
    Reply,
    Usage,
)
from data.errors import ManifestError
from data.ids import new_id
from data.manifest import Task, load_roster
from data.manifest_format import Tier
from data.prices import ModelPrice, price_of
from data.settings import Settings
from data.store.core import usage
from data.store.core.usage import Call, Caps
from flows.core.workspace import Workspace
from tasks.asking.packing import system_prompt
from tasks.check.canary import echoes

log = logging.getLogger("postern.models")
TRIES = 2
"""Calls for one question at most."""
PAUSE, LONGEST_PAUSE = 1.0, 15.0
"""Seconds before the second try, when the provider names none; what it names is not exceeded."""


@dataclass(frozen=True, kw_only=True)
class Brief:
    """What every question of one task has in common for one organization."""

    system: str
    tier: Tier
    budget: float
    """Most that one call may cost, US dollars."""
    tools: tuple[str, ...] = ()
    """Names of what may be looked up."""


@dataclass
class Thinker:
    """Asks the provider on behalf of organizations."""

    provider: Provider
    settings: Settings
    clock: Callable[[], datetime]
    pause: float = PAUSE
    partial: dict[tuple[str, str, int], str] = field(default_factory=dict)
    """Drafts that are being written, by organization, case and branch; gone when it is kept."""

    _briefs: dict[tuple[str, str, str], Brief] = field(default_factory=dict)
    _room: asyncio.Semaphore = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make room for the calls that may run at the same time."""
        self._room = asyncio.Semaphore(self.settings.llm_concurrency)

    def brief(self, workspace: Workspace, task: Task) -> Brief:
        """Return system prompt, class of model and limit of a task, read once per version.

        Raises:
            ManifestError: the agent of the task runs elsewhere, which is not possible yet.

        """
        key = (workspace.slug, task, workspace.config_version)
        if key not in self._briefs:
            self._briefs[key] = _brief(workspace, task)
        return self._briefs[key]

    def model(self, workspace: Workspace, task: Task) -> str:
        """Return the name of the model that is asked a task."""
        return self.provider.model_of(self.brief(workspace, task).tier)

    @property
    def caps(self) -> Caps:
        """What the settings allow."""
        return Caps(
            daily=self.settings.llm_daily_cap,
            monthly=self.settings.llm_monthly_cap,
            sender=self.settings.llm_sender_cap,
            item_calls=self.settings.llm_item_calls,
        )

    def price(self, tier: Tier) -> ModelPrice | None:
        """Return the price of the model of a class, or None when nobody has said it."""
        return price_of(self.provider.model_of(tier), self.settings.llm_prices)

    async def ask(
        self,
        workspace: Workspace,
        question: Question,
        *,
        item: str,
        sender: str,
        on_text: OnText | None = None,
    ) -> Reply:
        """Return the answer, after a second try where that may help.

        Raises:
            ModelFaultError: there is none; also when the caps do not leave enough for the call.

        """
        for attempt in range(1, TRIES + 1):
            try:
                async with self._room:  # money is reserved for what is sent, not for what waits
                    return await self._once(workspace, question, item, sender, attempt, on_text)
            except ModelFaultError as error:
                wait = error.retry_after if error.retry_after is not None else self.pause
                again = attempt < TRIES and error.fault in PASSING and wait <= LONGEST_PAUSE
                log.warning(
                    "%s: %s%s",
                    question.task,
                    SENTENCES[error.fault],
                    "; tried again" if again else f". {REMEDIES.get(error.fault, '')}".rstrip(),
                    extra={"fields": {"organization": workspace.slug, "item": item}},
                )
                if not again:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError  # the last try returns or raises

    async def _once(
        self,
        workspace: Workspace,
        question: Question,
        item: str,
        sender: str,
        attempt: int,
        on_text: OnText | None,
    ) -> Reply:
        price = self.price(question.tier)
        call = self._call(question, item, sender, attempt, price)
        if price is None and self.caps.money:
            raise ModelFaultError(Fault.PRICE)
        if question.budget and call.cost > question.budget:
            raise ModelFaultError(Fault.BUDGET)
        refused = await workspace.db.write(usage.reserve, call, self.caps)
        if refused is not None:
            raise ModelFaultError(refused)
        began = time.perf_counter()
        try:
            reply = await self.provider.ask(question, on_text)
        except ModelFaultError as error:
            used, cost = _charged(error, call, price)
            await self._settle(workspace, call, error.fault.value, used, cost, began)
            raise
        leaked = question.task != "draft" and echoes(_written(reply), workspace.canary)
        outcome = Fault.LEAKED.value if leaked else usage.ANSWERED
        cost = _cost(reply.usage, call, price)
        await self._settle(workspace, call, outcome, reply.usage, cost, began)
        if leaked:
            raise ModelFaultError(Fault.LEAKED)
        return reply

    def _call(
        self, question: Question, item: str, sender: str, attempt: int, price: ModelPrice | None
    ) -> Call:
        now = self.clock()
        most = price.at_most(question.most_tokens_in, question.max_tokens) if price else 0.0
        return Call(
            id=new_id(now),
            item_id=item,
            task=question.task,
            sender=sender.lower(),
            provider=self.provider.name,
            model=self.provider.model_of(question.tier),
            tier=question.tier.value,
            attempt=attempt,
            started_at=now,
            cost=most,
            priced=price is not None,
        )

    async def _settle(
        self, workspace: Workspace, call: Call, outcome: str, used: Usage, cost: float, began: float
    ) -> None:
        milliseconds = (time.perf_counter() - began) * 1000
        await workspace.db.write(usage.settle, call.id, outcome, used, cost, milliseconds)


def _charged(error: ModelFaultError, call: Call, price: ModelPrice | None) -> tuple[Usage, float]:
    """Return what a failed call counts with: what it said it used, nothing, or the worst."""
    used = error.usage or Usage()
    begun = error.fault not in UNBILLED if error.begun is None else error.begun
    return used, _cost(used, call, price) if begun or used.known else 0.0


def _cost(used: Usage, call: Call, price: ModelPrice | None) -> float:
    """Return what a call has cost; the most that was reserved where the provider does not tell."""
    if price is None:
        return 0.0
    if not used.known:
        return call.cost
    cost = price.cost(used)
    if cost > call.cost:
        log.warning("%s: the provider tells more tokens than it was allowed", call.task)
    return cost


def _written(reply: Reply) -> str:
    """Return all that a model has written, as text."""
    return f"{reply.content}\n" + "\n".join(f"{one.name} {one.arguments}" for one in reply.calls)


def new_marker() -> str:
    """Return a fence's marker: 96 random bits."""
    return secrets.token_hex(12)


def _brief(workspace: Workspace, task: Task) -> Brief:
    override = workspace.folder / "manifests"
    roster = load_roster(override=override if override.is_dir() else None)
    manifest = roster.for_task(task)
    if not manifest.prompt:
        raise ManifestError(
            f"agent {manifest.agent.slug!r} is external; the task {task!r} needs a platform agent"
        )
    return Brief(
        system=system_prompt(
            manifest.prompt, workspace.organization, workspace.policy, workspace.canary
        ),
        tier=manifest.agent.model_preference.tier or Tier.FAST,
        budget=manifest.agent.governance.budget_limit_per_interaction,
        tools=manifest.agent.tools,
    )
