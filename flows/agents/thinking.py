"""A turn of an agent with a model: it is asked, looks things up, and answers, within limits.

Each request and each call is a move of the journal. A turn that is taken up again after a kill
has the answers that came before: no model is asked twice for one thing.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from data.asking import Charge, Question, Talk, ToolOffer
from data.errors import PosternError
from data.portable import read_portable
from data.records.agents.chats import ChatMessage
from data.records.agents.turns import MoveKind, Turn
from data.records.core.messages import (
    CallPart,
    ModelRequest,
    ModelResponse,
    ResultPart,
)
from data.records.core.record import Record
from data.records.core.tools import Effect, Label, Source, ToolResult
from data.store.agents import chats
from flows.agents.configuring import version_of
from flows.agents.journal import Journal, UnknownOutcomeError
from flows.agents.memory import recalled_layers
from flows.core.thinker import Thinker, brief_of, new_marker
from flows.core.tools import Calling, Toolbox, ToolCallError, UnknownToolError
from tasks.agents.conversing import Answer
from tasks.agents.thinking import (
    EARLIER,
    ChatForm,
    answer_of,
    chat_request,
    failed_message,
    result_message,
    sources_of,
)

MOST_REQUESTS = 8
"""Requests of one turn; the last of them is offered no tools."""
MOST_CALLS = 16
"""Calls of tools in one turn."""
_SAME = 3
"""The same call is answered by code from this one on."""
_TOKENS = 3_000


class Thought(Record):
    """What a model gave back, as the journal keeps it."""

    content: JsonValue = None
    calls: tuple[CallPart, ...] = ()
    response: ModelResponse
    call_id: str
    """Of the request, on the books of usage."""


class _Given(NamedTuple):
    """What a call gave: what the model is told, and whether it failed."""

    text: str
    failed: bool = False


@dataclass
class _Thinking:
    """A turn that is being thought about."""

    calling: Calling
    turn: Turn
    tools: Toolbox
    journal: Journal
    marker: str
    on_move: Callable[[str], None]
    sources: list[Source] = field(default_factory=list)
    labels: frozenset[Label] = frozenset()
    calls: Counter[str] = field(default_factory=Counter)


async def think(
    thinker: Thinker,
    calling: Calling,
    turn: Turn,
    asked: ChatMessage,
    tools: Toolbox,
    journal: Journal,
    on_move: Callable[[str], None],
) -> Answer:
    """Return what a model answers, after whatever it has looked up.

    Args:
        thinker: who asks models, within the caps.
        calling: in whose name, and where.
        turn: the agent's turn; what it costs is counted for it.
        asked: the message that began it.
        tools: those of the agent that the person may use.
        journal: of the turn.
        on_move: is told in words what is being done.

    Raises:
        ModelFaultError: no model answers; the caps may be reached.
        PosternError: what it answered is no answer.

    """
    kept = await calling.workspace.db.read(version_of, turn.agent, turn.agent_version)
    brief = brief_of(calling.workspace, read_portable(kept.manifest))
    first = await journal.move(MoveKind.THINK, lambda: _assembled(calling, asked), name="assemble")
    marker, user = (str(part) for part in first) if isinstance(first, list) else ("", "")
    state = _Thinking(calling, turn, tools, journal, marker, on_move)
    question = brief.question(user, ChatForm, _TOKENS, tools=_offers(tools))
    tokens = 0
    for place in range(MOST_REQUESTS):
        last = place == MOST_REQUESTS - 1 or state.calls.total() >= MOST_CALLS
        thought = await _ask(
            thinker, state, replace(question, tools=() if last else question.tools)
        )
        if not thought.calls:
            answer = answer_of(thought.content, state.sources)
            if answer is None:
                raise PosternError("the model gave no answer that can be used")
            return answer
        if last:
            break
        results = [await _carry_out(state, call) for call in thought.calls]
        parts = tuple(
            ResultPart(call_id=call.id, tool=call.tool, text=given.text, failed=given.failed)
            for call, given in zip(thought.calls, results, strict=True)
        )
        tokens += sum(len(part.text.encode()) for part in parts) + _TOKENS
        messages = question.messages.followed_by(thought.response, ModelRequest(parts=parts))
        talk = Talk(messages=messages, follows=thought.call_id, tokens=tokens)
        question = replace(question, talk=talk)
    raise PosternError("the model went on looking things up and never answered")


async def _assembled(calling: Calling, asked: ChatMessage) -> JsonValue:
    """Return the marker of the turn's fences, and what the model is asked first."""
    house, workspace = calling.house, calling.workspace
    earlier, _ = await workspace.db.read(
        chats.messages,
        asked.chat_id,
        before=asked.place,
        limit=EARLIER,
        session=asked.session,
    )
    known: Mapping[str, str] = {}
    if calling.occasion is not None:
        known = await recalled_layers(house, workspace, calling.occasion, asked.text)
    preferred = await workspace.db.read(chats.preferences, calling.principal.id)
    now = house.clock().astimezone(ZoneInfo(workspace.organization.timezone))
    marker = new_marker()
    moment = f"{now:%A %-d %B %Y, %H:%M %Z}"
    return [marker, chat_request(marker, asked, earlier, known, preferred, moment)]


def _offers(tools: Toolbox) -> tuple[ToolOffer, ...]:
    """Return the tools as a model is offered them: what nobody outside would notice."""
    return tuple(
        offer
        for offer, one in zip(tools.offers, tools.declarations, strict=True)
        if one.effect is not Effect.OUTSIDE
    )


async def _ask(thinker: Thinker, state: _Thinking, question: Question) -> Thought:
    """Ask once, as a move; what an earlier try of the turn was answered is given back."""

    async def work() -> JsonValue:
        charge = Charge(turn=state.turn.id, principal=state.calling.principal.id)
        reply = await thinker.ask(state.calling.workspace, question, charge)
        answer = reply.answer
        calls = tuple(part for part in answer.parts if isinstance(part, CallPart))
        thought = Thought(
            content=reply.content if not reply.calls else None,
            calls=calls if reply.calls else (),
            response=answer,
            call_id=reply.call_id,
        )
        return thought.model_dump(mode="json")

    return Thought.model_validate(await state.journal.move(MoveKind.THINK, work, name="ask"))


async def _carry_out(state: _Thinking, call: CallPart) -> _Given:
    """Carry out one call, as a move; whatever is wrong with it is told to the model."""
    arguments = call.arguments if isinstance(call.arguments, dict) else None
    if arguments is None:
        return _failure("INVALID_INPUT", "The arguments of a tool are an object.")
    try:
        declaration = state.tools.declaration(call.tool)
    except UnknownToolError as error:
        return _failure("NOT_FOUND", str(error))
    if declaration.approval or declaration.effect is Effect.OUTSIDE:
        return _failure(
            "PERMISSION_DENIED", "A person has to say yes to that; say what you would do."
        )
    key = f"{call.tool} {json.dumps(arguments, sort_keys=True)}"
    state.calls[key] += 1
    if state.calls[key] >= _SAME or state.calls.total() > MOST_CALLS:
        return _failure("EXECUTION_FAILED", "This was asked before; use what was given.")
    if declaration.effect is not Effect.NONE and Label.UNTRUSTED in state.labels:
        return _failure(
            "PERMISSION_DENIED",
            "Words of strangers are before you, so nothing is changed in this turn. Say what you "
            "would change; the person can ask for it.",
        )
    state.on_move(declaration.description)

    async def work() -> JsonValue:
        result = await state.tools.call(state.calling, call.tool, arguments)
        return result.model_dump(mode="json")

    try:
        kept = await state.journal.move(
            MoveKind.ACT, work, name=call.tool, given=arguments, effect=declaration.effect
        )
    except UnknownOutcomeError as error:
        return _failure("INTERNAL_ERROR", f"{error}; do not try it again, and say so.")
    except ToolCallError as error:
        return _failure("INVALID_INPUT", str(error))
    except PosternError as error:
        return _failure("EXECUTION_FAILED", str(error), retriable=error.retryable)
    result = ToolResult.model_validate(kept)
    state.labels |= declaration.labels | result.labels
    told = result_message(state.marker, result, len(state.sources) + 1)
    state.sources.extend(sources_of(result))
    return _Given(told)


def _failure(code: str, sentence: str, *, retriable: bool = False) -> _Given:
    return _Given(failed_message(code, sentence, retriable=retriable), failed=True)
