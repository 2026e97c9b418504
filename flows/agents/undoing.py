"""Taking back what an agent stored at somebody's word: memory, tasks and events."""

from collections.abc import Mapping, Sequence

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.records.agents.turn_work import Stored
from data.records.agents.turns import Turn
from data.records.core.principals import Principal
from data.records.core.tools import Source
from data.states import TaskState
from data.store.agents import calendar, chats, memories, tasks, turn_work, turns
from data.store.core.database import Connection
from flows.agents.agenda import move_task, remove_event
from flows.agents.chats import viewer_of
from flows.agents.memory import layers_of_person
from flows.agents.memory_desk import PersonsMemory
from flows.core.house import House
from flows.core.workspace import Workspace

_KINDS = ("memory", "task", "event")


async def undo_turn(
    house: House, workspace: Workspace, turn_id: str, principal: Principal
) -> tuple[Stored, ...]:
    """Take back what was stored in a turn and is still there; return it.

    Raises:
        NotFoundError: there is no such turn in a chat that the person sees.
        ForbiddenError: somebody else said what it answers, or may not change that any more.
        ConflictError: nothing of it is there.

    """
    viewer = await viewer_of(house, workspace, principal)

    def read(cursor: Connection) -> tuple[Turn, tuple[Source, ...]]:
        turn = turns.turn(cursor, turn_id)
        chats.chat_of(cursor, turn.chat_id, viewer)
        shown = turn_work.shown_of(cursor, [turn_id]).get(turn_id)
        return turn, shown.stored if shown is not None else ()

    turn, sources = await workspace.db.read(read)
    if turn.asked_by != principal.id:
        raise ForbiddenError("only who said it takes it back")
    now_stored = await look_up(house, workspace, principal, {turn_id: sources})
    left = [each for each in now_stored[turn_id] if each.there]
    if not left:
        raise ConflictError("there is nothing left of it to be taken back")
    for each in left:
        if each.kind == "memory":
            await PersonsMemory(house, workspace, principal).take_back(each.id)
        elif each.kind == "task":
            await move_task(house, workspace, each.id, TaskState.DROPPED, principal)
        else:
            await remove_event(house, workspace, each.id, principal)
    return tuple(each.model_copy(update={"there": False}) for each in left)


async def look_up(
    house: House,
    workspace: Workspace,
    principal: Principal,
    by_turn: Mapping[str, Sequence[Source]],
) -> dict[str, tuple[Stored, ...]]:
    """Return what a person's turns stored, by the turns' ids, each with whether it is there."""
    sources = [source for of_turn in by_turn.values() for source in of_turn]
    if not sources:
        return dict.fromkeys(by_turn, ())
    layers = await layers_of_person(house, workspace, principal)
    ids = {kind: [source.id for source in sources if source.kind == kind] for kind in _KINDS}

    def read(cursor: Connection) -> set[str]:
        there = set(memories.those(cursor, layers, ids["memory"])) if ids["memory"] else set()
        if ids["task"]:
            there |= {task.id for task in tasks.of_owner(cursor, principal.id, [TaskState.OPEN])}
        return there | {id for id in ids["event"] if _stands(cursor, id, principal)}

    there = await workspace.db.read(read)
    return {
        turn_id: tuple(
            Stored(kind=source.kind, id=source.id, title=source.title, there=source.id in there)
            for source in of_turn
        )
        for turn_id, of_turn in by_turn.items()
    }


def _stands(cursor: Connection, event_id: str, principal: Principal) -> bool:
    try:
        calendar.event_of(cursor, event_id, principal.id)
    except NotFoundError:
        return False
    return True
