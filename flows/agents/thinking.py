"""A turn of an agent with a model: it is asked, looks things up, and answers, within limits.

Each request and each call is a move of the journal. A turn that is taken up again after a kill
has the answers that came before: no model is asked twice for one thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from data.agent_settings import told_settings
from data.errors import PosternError
from data.manifest import Manifest
from data.records.agents.chats import ChatMessage
from data.records.agents.turns import CallFailure, FailureCode, MoveKind
from data.records.core.asking import (
    Charge,
    Fault,
    ModelFaultError,
    OnText,
    Question,
    Talk,
    ToolOffer,
)
from data.records.core.messages import (
    CallPart,
    ModelRequest,
    ModelResponse,
    ResultPart,
)
from data.records.core.record import Record
from data.records.core.tools import Source, ToolResult
from data.store.agents.turn_work import CLAIM_CHECK
from data.store.core import usage
from data.window_pages import link_formats
from flows.agents.assembling import assemble_request
from flows.agents.calls import CallOutcome, Calls
from flows.core.services import build_window_address
from flows.core.thinker import Thinker, build_brief
from flows.core.tools import ToolCallError, convert_arguments
from tasks.agents.claim_check import check_claims
from tasks.agents.conversing import Answer
from tasks.agents.thinking import (
    READ_ON,
    ChatForm,
    WhichPart,
    build_failure_message,
    build_result_message,
    build_whole_text,
    is_cut,
    read_answer,
    read_spoken_text,
    sources_of,
    text_without_sources,
    texts_of_sources,
)
from tasks.agents.whereabouts import describe_place

MOST_BYTES_IN = 720_000
"""What a model is told in a turn, about 180,000 tokens; beyond it no tool is offered any more."""
MOST_TOKENS_OUT = 4_096
"""Tokens of an answer, where the agent's manifest says nothing else."""


class Thought(Record):
    """What a model gave back, as the journal keeps it."""

    content: JsonValue = None
    calls: tuple[CallPart, ...] = ()
    response: ModelResponse
    call_id: str
    """Of the request, on the books of usage."""


@dataclass
class _Thinking:
    """A turn that is being thought about."""

    thinker: Thinker
    calls: Calls
    marker: str
    budget: float
    on_text: OnText
    sources: list[Source] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """What each of these says; empty for what was told before the first request."""
    beside: list[str] = field(default_factory=list)
    """What results say without a source."""
    cut: list[str] = field(default_factory=list)
    """The results that were told in part, whole."""

    def is_reading_on(self, call: CallPart) -> bool:
        """Return whether a call is for more of a result that was cut."""
        return bool(self.cut) and call.tool == READ_ON.name


async def answer_with_model(
    thinker: Thinker, calls: Calls, asked: ChatMessage, text: str, hint: str, on_text: OnText
) -> Answer:
    """Return what a model answers, after whatever it has looked up.

    Args:
        thinker: who asks models, within the caps.
        calls: those of the turn; what it costs is counted for the turn.
        asked: the message that began it.
        text: what is asked, with what was said just before.
        hint: what was recognized in it by its words alone.
        on_text: hears the answer as it is written.

    Raises:
        ModelFaultError: no model answers; the caps may be reached, or sending is stopped.
        ContextError: what it has to know could not be put together.
        TurnWaitsError: a person has to decide on a call first.
        PosternError: what it answered is no answer.

    """
    manifest = _build_manifest(calls)
    brief = build_brief(calls.calling.workspace, manifest, thinker.provider.name)
    most_out = manifest.agent.model_preference.max_tokens or MOST_TOKENS_OUT

    first, sources = await assemble_request(calls, asked, text, hint)
    calls.labels |= set(first.labels)
    state = _Thinking(thinker, calls, first.marker, calls.limits.budget, on_text, sources)
    state.texts = [""] * len(sources)
    question = brief.question(first.request, ChatForm, most_out, tools=calls.tools.offers)
    tokens = 0
    for place in range(calls.limits.most_moves):
        last = place == calls.limits.most_moves - 1 or calls.count >= calls.limits.most_calls
        last |= question.most_tokens_in > MOST_BYTES_IN
        thought = await _ask_model(state, replace(question, tools=() if last else question.tools))
        if not thought.calls:
            answer = read_answer(thought.content, state.sources)
            if answer is None:
                raise PosternError("the model gave no answer that can be used")
            await _check_answer(state, read_spoken_text(thought.content), first.request)
            return answer
        if last:
            break
        to_make = [call for call in thought.calls if not state.is_reading_on(call)]
        outcomes = await calls.make_calls([(call.tool, call.arguments) for call in to_make])
        parts = _build_results(state, thought.calls, outcomes)
        tokens += sum(len(part.text.encode()) for part in parts) + most_out
        messages = question.messages.followed_by(thought.response, ModelRequest(parts=parts))
        talk = Talk(messages=messages, follows=thought.call_id, tokens=tokens)
        question = replace(
            question, talk=talk, tools=(*calls.tools.offers, *_list_further_tools(state))
        )
    raise PosternError("the model went on looking things up and never answered")


def _build_manifest(calls: Calls) -> Manifest:
    """Return a manifest whose prompt says how its agent is set up, and where it works.

    It is the same for every turn of a person, so that a provider can keep it.
    """
    manifest, calling = calls.manifest, calls.calling
    address = build_window_address(calling.house.settings, "")
    place = describe_place(
        manifest.agent.name,
        calling.workspace.organization.name,
        address,
        link_formats(address),
        (declaration.group for declaration in calls.tools.declarations),
    )
    prompt = f"{manifest.prompt}{told_settings(manifest.agent)}{place}"
    return manifest.model_copy(update={"prompt": prompt})


async def _ask_model(state: _Thinking, question: Question) -> Thought:
    """Ask once, as a move; what an earlier try of the turn was answered is given back."""
    calls = state.calls
    workspace, turn = calls.calling.workspace, calls.turn

    async def work() -> JsonValue:
        if calls.calling.house.stopped:
            raise ModelFaultError(Fault.STOPPED)
        left = state.budget
        if state.budget:
            left = state.budget - await workspace.db.read(usage.read_spent_in_turn, turn.id)
            if left <= 0:
                raise ModelFaultError(
                    Fault.BUDGET, detail=f"the US$ {state.budget:.2f} of a turn are used up"
                )
        charge = Charge(turn=turn.id, principal=calls.calling.principal.id, teams=calls.teams)
        reply = await state.thinker.ask(
            workspace, replace(question, budget=left), charge, state.on_text
        )
        answer = reply.answer
        call_parts = tuple(part for part in answer.parts if isinstance(part, CallPart))
        thought = Thought(
            content=reply.content if not reply.calls else None,
            calls=call_parts if reply.calls else (),
            response=answer,
            call_id=reply.call_id,
        )
        return thought.model_dump(mode="json")

    return Thought.model_validate(
        await calls.journal.do_move(MoveKind.THINK, work, name="ask", durable=True)
    )


async def _check_answer(state: _Thinking, text: str, request: str) -> None:
    """Keep, as a move, which of the things that an answer states its sources hold."""
    texts = {number: text for number, text in enumerate(state.texts, start=1) if text}

    async def work() -> JsonValue:
        stated = check_claims(text, texts, (request, *state.beside))
        return [claim.model_dump(mode="json") for claim in stated]

    await state.calls.journal.do_move(MoveKind.THINK, work, name=CLAIM_CHECK)


def _build_results(
    state: _Thinking, call_parts: Sequence[CallPart], outcomes: Sequence[CallOutcome]
) -> tuple[ResultPart, ...]:
    """Return what the model is told of its calls, in their order; sources count on."""
    parts, outcomes_left = [], iter(outcomes)
    reading = [state.is_reading_on(call) for call in call_parts]
    for call, reads in zip(call_parts, reading, strict=True):
        outcome = _read_further_part(state, call.arguments) if reads else next(outcomes_left)
        failed = isinstance(outcome, CallFailure)
        if isinstance(outcome, CallFailure):
            text = build_failure_message(
                outcome.code, outcome.sentence, retriable=outcome.retriable
            )
        elif isinstance(outcome, str):
            text = outcome
        else:
            text = _keep_result(state, outcome)
        parts.append(ResultPart(call_id=call.id, tool=call.tool, text=text, failed=failed))
    return tuple(parts)


def _keep_result(state: _Thinking, result: ToolResult) -> str:
    """Return what the model is told of a result, and keep what it may be asked about later."""
    whole = build_whole_text(result, len(state.sources) + 1)
    if is_cut(whole):
        state.cut.append(whole)
    state.sources.extend(sources_of(result))
    state.texts.extend(texts_of_sources(result))
    state.beside.append(text_without_sources(result))
    return build_result_message(state.marker, whole, total=result.total, place=len(state.cut))


def _list_further_tools(state: _Thinking) -> tuple[ToolOffer, ...]:
    """Return what is offered beside the agent's tools: to read on, where something was cut."""
    return (READ_ON,) if state.cut else ()


def _read_further_part(state: _Thinking, arguments: JsonValue) -> str | CallFailure:
    """Return a further part of a result that was cut; it changes nothing, and is no call."""
    try:
        which = convert_arguments(READ_ON.name, WhichPart, arguments)
    except ToolCallError as error:
        return CallFailure(code=FailureCode.INVALID_INPUT, sentence=str(error))
    if which.result > len(state.cut):
        sentence = f"{len(state.cut)} results were cut; there is no {which.result}"
        return CallFailure(code=FailureCode.INVALID_INPUT, sentence=sentence)
    whole = state.cut[which.result - 1]
    return build_result_message(state.marker, whole, total=1, place=which.result, begin=which.begin)
