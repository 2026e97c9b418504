"""The events of a turn for whoever listens: from its stream, later from the state."""

import asyncio
from collections.abc import AsyncIterator

from data.records.core.streams import StreamEvent
from data.states import TurnState
from data.store.agents import chats, turns
from data.window_pages import with_pages
from flows.agents.journal import list_undecided
from flows.core.house import House
from flows.core.streams import Stream
from flows.core.workspace import Workspace

_LOOK = 0.05
"""Seconds between two looks whether a turn has begun."""


def follow_turn(
    house: House, workspace: Workspace, turn_id: str, after: int = 0
) -> AsyncIterator[tuple[int, StreamEvent]]:
    """Return the events of a turn behind a place, each with its own place, until the turn ends."""
    stream = house.streams.find(turn_id)
    if stream is not None:
        return _follow_stream(house, workspace, turn_id, stream, after)
    return _follow_state(house, workspace, turn_id, after)


async def _follow_stream(
    house: House, workspace: Workspace, turn_id: str, stream: Stream, after: int
) -> AsyncIterator[tuple[int, StreamEvent]]:
    """Yield the events of a stream; what came of a turn that rested there is told by the state."""
    has_rested = stream.ended and [event.kind for event in stream.events[-1:]] == ["waiting"]
    place = after
    async for place, event in stream.follow_from(after):
        if has_rested and event.kind == "waiting":
            place -= 1
            break
        yield place, event
    if has_rested:
        async for numbered in _follow_state(house, workspace, turn_id, place):
            yield numbered


async def _follow_state(
    house: House, workspace: Workspace, turn_id: str, after: int
) -> AsyncIterator[tuple[int, StreamEvent]]:
    """Yield what a turn said whose stream is gone; one that is to begin is waited for.

    It is said whole: who has a part of it already has that taken back first.
    """
    turn = await workspace.db.read(turns.read_turn, turn_id)
    while turn.state is TurnState.ACTIVE:
        if await workspace.db.read(list_undecided, [turn]):
            yield after + 1, StreamEvent(kind="waiting")
            return
        await asyncio.sleep(_LOOK)
        stream = house.streams.find(turn_id)
        if stream is not None and not stream.ended:
            async for place, event in stream.follow_from(after):
                yield place, event
            return
        turn = await workspace.db.read(turns.read_turn, turn_id)
    answer = await workspace.db.read(chats.find_answer, turn_id)
    if answer is None:
        yield after + 1, StreamEvent(kind="failed", text=turn.note)
        return
    if after:
        yield after, StreamEvent(kind="retract")
    yield after + 1, StreamEvent(kind="text", text=answer.text)
    yield after + 2, StreamEvent(kind="done", sources=with_pages(answer.sources))
