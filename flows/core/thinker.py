"""Asking models within the caps: reserved before, settled after, tried again, recorded.

This is the one place where a failed call is tried again. Whatever goes wrong ends in a fault of
the closed set; the stage then takes the embedded provider's answer, and the fact is kept with it.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from data.errors import ManifestError
from data.ids import new_id
from data.manifest import Manifest, load_roster
from data.records.core.asking import (
    PASSING,
    REMEDIES,
    UNBILLED,
    Brief,
    Charge,
    Fault,
    ModelFaultError,
    ModelReply,
    OnText,
    Provider,
    Question,
    TokenUsage,
)
from data.records.core.manifest_format import ModelTier
from data.records.core.messages import ModelRequest, ModelResponse
from data.records.core.prices import ModelPrice, price_of
from data.settings import Settings
from data.store.core import histories, usage
from data.store.core.database import Connection
from data.store.core.usage import Call
from flows.core.workspace import Workspace
from tasks.core.asking.packing import system_prompt
from tasks.core.leaks.canary import echoes

log = logging.getLogger("postern.models")
TRIES, TURN_TRIES = 2, 3
"""Calls for one question at most: of the line, whose stages are tried again, and of a turn."""
PAUSE, LONGEST_PAUSE = 1.0, 15.0
"""Seconds before the second try, when the provider names none; what it names is not exceeded."""


class Exchange(NamedTuple):
    """What a call has added to a history."""

    request: ModelRequest
    response: ModelResponse
    follows: str | None
    """The call before it."""


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
    _chat_room: asyncio.Semaphore = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make room for the calls that may run at the same time.

        Somebody who chats waits for no batch of mail: chats have a room of their own.
        """
        self._room = asyncio.Semaphore(self.settings.llm_concurrency)
        self._chat_room = asyncio.Semaphore(self.settings.llm_chat_concurrency)

    def read_brief(self, workspace: Workspace, agent: str) -> Brief:
        """Return system prompt, class of model and limit of an agent, read once per version.

        Raises:
            NotFoundError: the organization's roster has no agent of that slug.
            ManifestError: the agent runs elsewhere, which is not possible yet.

        """
        key = (workspace.slug, agent, workspace.config_version)
        if key not in self._briefs:
            self._briefs[key] = _read_brief(workspace, agent, self.provider.name)
        return self._briefs[key]

    def find_model(self, workspace: Workspace, agent: str) -> str:
        """Return the name of the model that an agent is."""
        brief = self.read_brief(workspace, agent)
        return brief.model or self.provider.model_of(brief.tier)

    def find_price(self, question: Question) -> ModelPrice | None:
        """Return the price of the model that is asked, or None when nobody has said it."""
        return price_of(self._model_of(question), self.settings.llm_prices)

    def _model_of(self, question: Question) -> str:
        return question.model or self.provider.model_of(question.tier)

    async def ask(
        self,
        workspace: Workspace,
        question: Question,
        charge: Charge,
        on_text: OnText | None = None,
    ) -> ModelReply:
        """Return the answer, after another try where that may help, each after a longer pause.

        Args:
            workspace: the organization.
            question: what is asked, and of which agent.
            charge: whom the calls are counted for.
            on_text: hears the text as it comes.

        Raises:
            ModelFaultError: there is none; also when the caps do not leave enough for the call, or
                a turn asks while sending is stopped.

        """
        room = self._chat_room if charge.turn else self._room
        tries = TURN_TRIES if charge.turn else TRIES
        for attempt in range(1, tries + 1):
            try:
                async with room:  # money is reserved for what is sent, not for what waits
                    return await self._ask_once(workspace, question, charge, attempt, on_text)
            except ModelFaultError as error:
                pause = self.pause * 2 ** (attempt - 1)
                wait = error.retry_after if error.retry_after is not None else pause
                again = attempt < tries and error.fault in PASSING and wait <= LONGEST_PAUSE
                log.warning(
                    "%s: %s%s",
                    question.agent,
                    error,
                    "; tried again" if again else f". {REMEDIES.get(error.fault, '')}".rstrip(),
                    extra={"fields": {"organization": workspace.slug, "item": charge.item}},
                )
                if not again:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError  # the last try returns or raises

    async def _ask_once(
        self,
        workspace: Workspace,
        question: Question,
        charge: Charge,
        attempt: int,
        on_text: OnText | None,
    ) -> ModelReply:
        price = self.find_price(question)
        call = self._build_call(question, charge, attempt, price)
        if question.budget and call.cost > question.budget:
            raise ModelFaultError(Fault.BUDGET, detail=_explain_over_budget(question))
        await workspace.db.write(usage.reserve, call, self.settings.model_caps)
        began = time.perf_counter()
        try:
            self._refuse_turn_while_stopped(charge)
            reply = await self.provider.ask(question, on_text)
        except ModelFaultError as error:
            used = error.usage or TokenUsage()
            begun = error.fault not in UNBILLED if error.begun is None else error.begun
            counted = _count_cost_and_tokens(used, call, price) if begun or used.known else (0.0, 0)
            await self._settle_call(workspace, call, error.fault.value, used, counted, began)
            raise
        except asyncio.CancelledError:  # somebody may have to pay for what had begun
            most = (call.cost, call.tokens)
            await self._settle_call(
                workspace, call, Fault.CANCELLED.value, TokenUsage(), most, began
            )
            raise
        leaked = question.void_if_leaked and echoes(_text_of_reply(reply), workspace.canary)
        outcome = Fault.LEAKED.value if leaked else usage.ANSWERED
        counted = _count_cost_and_tokens(reply.usage, call, price)
        follows = question.talk.follows if question.talk is not None else None
        exchange = Exchange(question.request, reply.answer, follows)
        await self._settle_call(workspace, call, outcome, reply.usage, counted, began, exchange)
        if leaked:
            raise ModelFaultError(Fault.LEAKED)
        return replace(reply, call_id=call.id)

    def _refuse_turn_while_stopped(self, charge: Charge) -> None:
        """Refuse what a turn asks while sending is stopped, at the last moment.

        Raises:
            ModelFaultError: it is.

        """
        if charge.turn and self.settings.stop_file.exists():
            raise ModelFaultError(Fault.STOPPED, begun=False)

    def _build_call(
        self, question: Question, charge: Charge, attempt: int, price: ModelPrice | None
    ) -> Call:
        now = self.clock()
        most_in = question.most_tokens_in
        return Call(
            id=new_id(now),
            agent=question.agent,
            turn=charge.turn,
            principal=charge.principal,
            teams=charge.teams,
            item_id=charge.item,
            sender=charge.sender.lower() if charge.sender is not None else None,
            provider=self.provider.name,
            model=self._model_of(question),
            tier=question.tier.value,
            attempt=attempt,
            started_at=now,
            cost=price.at_most(most_in, question.max_tokens) if price else 0.0,
            tokens=most_in + question.max_tokens,
            priced=price is not None,
        )

    async def _settle_call(
        self,
        workspace: Workspace,
        call: Call,
        outcome: str,
        used: TokenUsage,
        counted: tuple[float, int],
        began: float,
        exchange: Exchange | None = None,
    ) -> None:
        cost, tokens = counted
        milliseconds = (time.perf_counter() - began) * 1000

        def settle(cursor: Connection) -> None:
            usage.settle(
                cursor, call.id, outcome, used, cost=cost, tokens=tokens, milliseconds=milliseconds
            )
            if exchange is not None:
                histories.keep_call(cursor, call, *exchange)

        await workspace.db.write(settle)


def _explain_over_budget(question: Question) -> str:
    return (
        f"the call could cost more than the US$ {question.budget:.2f} that one call of agent "
        f"{question.agent!r} may cost"
    )


def _count_cost_and_tokens(
    used: TokenUsage, call: Call, price: ModelPrice | None
) -> tuple[float, int]:
    """Return cost and tokens that a call counts with; what was reserved where nobody tells."""
    if not used.known:
        return call.cost, call.tokens
    cost, tokens = price.cost(used) if price is not None else 0.0, used.tokens_in + used.tokens_out
    if cost > call.cost or tokens > call.tokens:
        log.warning("%s: the provider tells more tokens than it was allowed", call.agent)
    return cost, tokens


def _text_of_reply(reply: ModelReply) -> str:
    """Return all that a model has written, as text."""
    return f"{reply.content}\n" + "\n".join(f"{call.name} {call.arguments}" for call in reply.calls)


def make_marker() -> str:
    """Return a fence's marker: 96 random bits."""
    return secrets.token_hex(12)


def _read_brief(workspace: Workspace, slug: str, provider: str) -> Brief:
    manifest = load_roster(override=workspace.folder / "manifests").of(slug)
    if not manifest.prompt:
        raise ManifestError(
            f"agent {slug!r} is external; what is asked of it needs a platform agent"
        )
    return build_brief(workspace, manifest, provider)


def build_brief(workspace: Workspace, manifest: Manifest, provider: str) -> Brief:
    """Return what every question to the agent of a manifest has in common, asked of a provider."""
    preferred = manifest.agent.model_preference
    return Brief(
        agent=manifest.agent.slug,
        system=system_prompt(
            manifest.prompt, workspace.organization, workspace.policy, workspace.canary
        ),
        tier=preferred.tier or ModelTier.FAST,
        model=preferred.model_at(provider),
        temperature=preferred.temperature,
        budget=manifest.agent.governance.budget_limit_per_interaction,
        tools=manifest.agent.tools,
    )
