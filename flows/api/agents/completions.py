"""Agents for any chat program: the routes of OpenAI's API that such programs ask."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from functools import partial
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from data.errors import PosternError
from data.records.agents.completions import (
    Choice,
    Completion,
    CompletionMessage,
    CompletionRequest,
    CompletionUsage,
    OfferedModels,
)
from data.records.core.streams import StreamEvent
from data.settings import Settings
from flows.agents.chat_completions import begin_program_turn, list_offered_models, read_usage
from flows.agents.keeping_chats import name_source
from flows.agents.listening import follow_turn
from flows.api.core.context import HouseOf, PrincipalOf
from flows.api.core.event_stream import stream_events
from flows.running.agents import TOOLS
from tasks.agents.conversing import cut_needless_escapes

router = APIRouter(prefix="/v1", tags=["agents"])


NO_END = "the engine ended before the answer; ask again in a moment"


class TurnFailedError(PosternError):
    """An agent could not answer."""


@router.get("/models")
async def list_models(house: HouseOf, principal: PrincipalOf) -> OfferedModels:
    """Return the agents of all organizations that who asks may talk to, as models."""
    return OfferedModels(data=tuple(await list_offered_models(house, principal)))


@router.post("/chat/completions", response_model=None)
async def complete(
    order: CompletionRequest, house: HouseOf, principal: PrincipalOf
) -> Completion | StreamingResponse:
    """Answer the last message of a conversation, whole or as it is said."""
    workspace, message_said = await begin_program_turn(house, TOOLS, order, principal)
    turn_id = message_said.turn_id
    events = _without_retracted(follow_turn(house, workspace, turn_id))
    head = _Head(f"chatcmpl-{turn_id}", int(message_said.message.said_at.timestamp()), order.model)
    if order.stream:
        counted = order.stream_options is not None and order.stream_options.include_usage
        count = partial(read_usage, workspace, turn_id) if counted else None
        return stream_events(_chunks(events, head, house.settings, count))
    pieces = [event async for event in events]
    if not pieces:  # the engine ends meanwhile: what it was at goes on at the next start
        raise TurnFailedError(NO_END)
    if pieces[-1].kind == "failed":
        raise TurnFailedError(pieces[-1].text)
    message = CompletionMessage(
        role="assistant", content="".join(_words_of(piece, house.settings) for piece in pieces)
    )
    return Completion(
        **head._asdict(),
        object="chat.completion",
        choices=(Choice(message=message, finish_reason="stop"),),
        usage=await read_usage(workspace, turn_id),
    )


class _Head(NamedTuple):
    """What an answer and each piece of it begin with."""

    id: str
    created: int
    model: str

    def chunk(self, *choices: Choice, usage: CompletionUsage | None = None) -> str:
        """Return a piece of the answer as a server-sent event."""
        completion = Completion(
            **self._asdict(), object="chat.completion.chunk", choices=choices, usage=usage
        )
        return f"data: {completion.model_dump_json(exclude_none=True)}\n\n"


async def _chunks(
    events: AsyncIterator[StreamEvent],
    head: _Head,
    settings: Settings,
    count: Callable[[], Awaitable[CompletionUsage]] | None,
) -> AsyncGenerator[str]:
    """Yield an answer as server-sent events; what goes wrong is said in its place."""
    began = False
    event: StreamEvent | None = None
    async for event in events:
        text = event.text if event.kind == "failed" else _words_of(event, settings)
        if event.kind == "failed" and began:
            text = f"\n\n{text}"
        if text:
            delta = CompletionMessage(role=None if began else "assistant", content=text)
            yield head.chunk(Choice(delta=delta))
            began = True
    if event is None:
        yield head.chunk(Choice(delta=CompletionMessage(role="assistant", content=NO_END)))
    yield head.chunk(Choice(delta=CompletionMessage(), finish_reason="stop"))
    if count is not None:
        yield head.chunk(usage=await count())
    yield "data: [DONE]\n\n"


async def _without_retracted(
    events: AsyncIterator[tuple[int, StreamEvent]],
) -> AsyncIterator[StreamEvent]:
    """Yield the words of an answer once they hold, and how it ended.

    A chat program has no way to take words back, so it gets them when none can be retracted.
    """
    words: list[StreamEvent] = []
    async for _, event in events:
        if event.kind == "text":
            words.append(event)
        elif event.kind == "retract":
            words.clear()
        elif event.kind != "move":
            for word in words:
                yield word
            yield event


def _words_of(event: StreamEvent, settings: Settings) -> str:
    """Return what an event adds to the answer: words, and at its end what they rest on."""
    if event.kind == "text":
        return cut_needless_escapes(event.text)
    sources_named = [
        f"[{at}] {name_source(one, settings)}" for at, one in enumerate(event.sources, 1)
    ]
    return "\n\n" + "\n".join(sources_named) if sources_named else ""
