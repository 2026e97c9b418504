"""Agents for any chat program: the routes of OpenAI's API that such programs ask."""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from data.errors import PosternError
from data.records.agents.completions import (
    Choice,
    Completion,
    CompletionMessage,
    CompletionRequest,
    OfferedModels,
)
from data.records.core.streams import StreamEvent
from data.settings import Settings
from flows.agents.completing import ask_by_program, offered_models
from flows.agents.keeping_chats import named_source
from flows.agents.listening import events_of
from flows.api.context import HouseOf, PrincipalOf
from flows.running.agents import TOOLS
from tasks.agents.conversing import with_few_escapes

router = APIRouter(prefix="/v1", tags=["agents"])


NO_END = "the engine ended before the answer; ask again in a moment"


class TurnFailedError(PosternError):
    """An agent could not answer."""


@router.get("/models")
async def list_models(house: HouseOf, principal: PrincipalOf) -> OfferedModels:
    """Return the agents of all organizations that who asks may talk to, as models."""
    return OfferedModels(data=tuple(await offered_models(house, principal)))


@router.post("/chat/completions", response_model=None)
async def complete(
    order: CompletionRequest, house: HouseOf, principal: PrincipalOf
) -> Completion | StreamingResponse:
    """Answer the last message of a conversation, whole or as it is said."""
    workspace, message_said = await ask_by_program(house, TOOLS, order, principal)
    created = int(message_said.message.said_at.timestamp())
    events = events_of(house, workspace, message_said.turn_id)
    if order.stream:
        chunks = _chunks(
            events, f"chatcmpl-{message_said.turn_id}", created, order.model, house.settings
        )
        return StreamingResponse(chunks, media_type="text/event-stream")
    pieces = [event async for event in _without_retracted(events)]
    if not pieces:  # the engine ends meanwhile: what it was at goes on at the next start
        raise TurnFailedError(NO_END)
    if pieces[-1].kind == "failed":
        raise TurnFailedError(pieces[-1].text)
    message = CompletionMessage(
        role="assistant", content="".join(_words_of(piece, house.settings) for piece in pieces)
    )
    return Completion(
        id=f"chatcmpl-{message_said.turn_id}",
        object="chat.completion",
        created=created,
        model=order.model,
        choices=(Choice(message=message, finish_reason="stop"),),
    )


async def _chunks(
    events: AsyncIterator[tuple[int, StreamEvent]],
    identity: str,
    created: int,
    model: str,
    settings: Settings,
) -> AsyncIterator[str]:
    """Yield an answer as server-sent events; what goes wrong is said in its place."""
    began = False
    event: StreamEvent | None = None
    async for event in _without_retracted(events):
        text = event.text if event.kind == "failed" else _words_of(event, settings)
        if event.kind == "failed" and began:
            text = f"\n\n{text}"
        if text:
            delta = CompletionMessage(role=None if began else "assistant", content=text)
            yield _chunk(identity, created, model, Choice(delta=delta))
            began = True
    if event is None:
        delta = CompletionMessage(role="assistant", content=NO_END)
        yield _chunk(identity, created, model, Choice(delta=delta))
    end = Choice(delta=CompletionMessage(), finish_reason="stop")
    yield _chunk(identity, created, model, end)
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


def _chunk(identity: str, created: int, model: str, choice: Choice) -> str:
    completion = Completion(
        id=identity,
        object="chat.completion.chunk",
        created=created,
        model=model,
        choices=(choice,),
    )
    return f"data: {completion.model_dump_json(exclude_none=True)}\n\n"


def _words_of(event: StreamEvent, settings: Settings) -> str:
    """Return what an event adds to the answer: words, and at its end what they rest on."""
    if event.kind == "text":
        return with_few_escapes(event.text)
    sources_named = [
        f"[{at}] {named_source(one, settings)}" for at, one in enumerate(event.sources, 1)
    ]
    return "\n\n" + "\n".join(sources_named) if sources_named else ""
