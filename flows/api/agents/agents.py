"""The turns in which agents work, and the calls in them that wait for a person."""

from collections.abc import AsyncGenerator, AsyncIterator

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from data.errors import NotFoundError
from data.records.agents.chats import Viewer
from data.records.agents.turn_work import StoredList
from data.records.agents.turns import (
    CallDecision,
    Replay,
    ReplayOrder,
    Turn,
    TurnView,
    WaitingCallList,
)
from data.records.core.record import Line
from data.records.core.streams import StreamEvent
from data.store.agents import chats, turns
from data.store.core.database import Connection
from flows.agents.asking_again import ask_again
from flows.agents.chats import build_viewer
from flows.agents.deciding_calls import decide_call, read_waiting_calls
from flows.agents.listening import follow_turn
from flows.agents.replaying import replay_turn
from flows.agents.running import stop_turn
from flows.agents.services import add_services
from flows.agents.undoing import undo_turn
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.event_stream import stream_events
from flows.core.services import build_run_address
from flows.running.agents import TOOLS

router = APIRouter(prefix="/v1/{org}", tags=["agents"])


@router.get("/turns/{turn_id}")
async def show_turn(
    turn_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> TurnView:
    """Return a turn with its moves; of a chat of who asks."""
    viewer = await build_viewer(house, workspace, principal)
    view = await workspace.db.read(_turn_of, turn_id, viewer)
    run_id = view.turn.run_id
    return view.model_copy(
        update={"run_url": build_run_address(house.settings, run_id) if run_id else ""}
    )


@router.get("/turns/{turn_id}/events")
async def listen(
    turn_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    after: int = Query(0, ge=0),
    last_event_id: int | None = Header(None, ge=0),
) -> StreamingResponse:
    """Send the events of a turn behind a place, as server-sent events, until it ends.

    A client that comes back names the last event that it had, by `after` or `Last-Event-ID`.
    """
    viewer = await build_viewer(house, workspace, principal)
    await workspace.db.read(_turn_of, turn_id, viewer)
    place = after if last_event_id is None else last_event_id
    events = follow_turn(house, workspace, turn_id, place)
    return stream_events(_as_server_sent_events(events))


@router.post("/turns/{turn_id}/stop")
async def stop(
    turn_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Turn:
    """End a turn; what was said in it so far stays."""
    viewer = await build_viewer(house, workspace, principal)
    return await stop_turn(house, workspace, TOOLS, turn_id, principal, viewer)


@router.post("/turns/{turn_id}/again")
async def retry_turn(
    turn_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Turn:
    """Have an agent answer once more what it failed at, in a turn of its own."""
    return await ask_again(house, workspace, TOOLS, turn_id, principal)


@router.post("/turns/{turn_id}/undo")
async def undo(
    turn_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> StoredList:
    """Take back what an agent stored in a turn at the word of who asks; return what that was."""
    return StoredList(items=await undo_turn(house, workspace, turn_id, principal))


@router.post("/turns/{turn_id}/replay")
async def replay(
    turn_id: str,
    order: ReplayOrder,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Replay:
    """Answer what was asked in a turn once more, with another version of its agent.

    Nothing is said in the chat, and no call that would change something is made.
    """
    return await replay_turn(house, workspace, TOOLS, turn_id, order.version, principal)


@router.get("/calls")
async def list_waiting_calls(workspace: WorkspaceOf, principal: PrincipalOf) -> WaitingCallList:
    """Return the calls of agents that wait for the yes of who asks, the oldest first."""
    tools = add_services(TOOLS, workspace)
    return WaitingCallList(items=await workspace.db.read(read_waiting_calls, tools, principal))


@router.post("/calls/{approval_id}")
async def decide(
    approval_id: Line,
    order: CallDecision,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> WaitingCallList:
    """Say yes or no to a call, or yes to other arguments; return what waits further."""
    tools = add_services(TOOLS, workspace)
    await decide_call(house, workspace, tools, approval_id, order, principal)
    return WaitingCallList(items=await workspace.db.read(read_waiting_calls, tools, principal))


def _turn_of(cursor: Connection, turn_id: str, viewer: Viewer) -> TurnView:
    """Return a turn of a chat that a person may see.

    Raises:
        NotFoundError: there is none of that id in them.

    """
    turn = turns.read_turn(cursor, turn_id)
    try:
        chats.read_chat(cursor, turn.chat_id, viewer)
    except NotFoundError as error:
        raise NotFoundError(f"there is no turn {turn_id!r}") from error
    return TurnView(turn=turn, moves=tuple(turns.list_moves(cursor, turn_id)))


async def _as_server_sent_events(
    events: AsyncIterator[tuple[int, StreamEvent]],
) -> AsyncGenerator[str]:
    async for place, event in events:
        yield f"id: {place}\nevent: {event.kind}\ndata: {event.model_dump_json()}\n\n"
