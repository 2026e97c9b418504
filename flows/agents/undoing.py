"""Taking back what an agent changed at somebody's word: memory, tasks and events.

A call writes how a thing stood before and how it left it. It is taken back for as long as it stands
so; what somebody has changed since stays as it is. All of a turn is looked at and put back in one
transaction, the newest first, so that of two who take back at once one does.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from data.errors import ConflictError, ForbiddenError
from data.records.agents.memories import Layer, Memory, layer_of
from data.records.agents.tasks import EditTask
from data.records.agents.turn_work import Stands, Stored
from data.records.agents.turns import Turn
from data.records.core.calendar import CalendarEvent
from data.records.core.principals import Permission, Principal
from data.records.core.tools import Change, ChangeKind, ThingState
from data.states import MemoryState, TaskState
from data.store.agents import calendar, chats, memories, tasks, turn_work, turns
from data.store.core.database import Connection
from flows.agents.changes import standing_of
from flows.agents.chats import build_viewer
from flows.agents.memory_desk import take_back_item
from flows.agents.memory_layers import list_layers_of_person, may_change_layer
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace


@dataclass
class _Standings:
    """How things stand now, by id, and which of them the person may change."""

    standing: dict[str, ThingState] = field(default_factory=dict)
    may_change: set[str] = field(default_factory=set)

    def add(self, id: str, standing: ThingState, *, may_change: bool) -> None:
        """Take one in."""
        self.standing[id] = standing
        if may_change:
            self.may_change.add(id)


class _Shelf(Protocol):
    """Where things of one kind stand, as far as a person may change them."""

    def read_standings(self, cursor: Connection, changes: Sequence[Change]) -> _Standings:
        """Return how the things of these changes stand now, by id, and which the person may change.

        What the person does not see is not among them.
        """

    def put_back(self, act: Act, change: Change) -> None:
        """Let a thing stand as before."""


@dataclass(frozen=True)
class _Tasks:
    owner: str

    def read_standings(self, cursor: Connection, changes: Sequence[Change]) -> _Standings:
        looked = _Standings()
        for task in tasks.find_tasks(cursor, self.owner, [change.id for change in changes]):
            looked.add(task.id, standing_of(task), may_change=True)
        return looked

    def put_back(self, act: Act, change: Change) -> None:
        before = change.before or {}
        edit = EditTask.model_validate({key: before[key] for key in EditTask.model_fields})
        tasks.change(act.cursor, change.id, self.owner, edit, act.now)
        tasks.set_state(act.cursor, change.id, self.owner, TaskState(str(before["state"])), act.now)


@dataclass(frozen=True)
class _Events:
    viewer: str
    may_decide: bool

    def read_standings(self, cursor: Connection, changes: Sequence[Change]) -> _Standings:
        looked = _Standings()
        for change in changes:
            was = CalendarEvent.model_validate(change.before or change.after)
            now = calendar.find_event(cursor, was, self.viewer)
            may_change = self.may_decide or bool((now or was).owner)
            looked.add(change.id, standing_of(now) if now else None, may_change=may_change)
        return looked

    def put_back(self, act: Act, change: Change) -> None:
        if change.before is None:
            calendar.remove_event(act.cursor, change.id, self.viewer)
        else:
            was = CalendarEvent.model_validate(change.before)
            calendar.put_event(act.cursor, was.model_copy(update={"changed_at": act.now}))


@dataclass(frozen=True)
class _Memories:
    layers: dict[str, bool]
    """Those that the person sees, by key, and whether the person may say what is true there."""

    def read_standings(self, cursor: Connection, changes: Sequence[Change]) -> _Standings:
        deeds, looked = {change.id: change.deed for change in changes}, _Standings()
        for item in memories.list_in_any_state(cursor, self._list_layers(), list(deeds)):
            if deeds[item.id] is ChangeKind.FORGOTTEN and _is_replaced(cursor, item):
                continue  # what took its place since would end with it
            looked.add(item.id, standing_of(item), may_change=self.layers[item.layer])
        return looked

    def _list_layers(self) -> tuple[Layer, ...]:
        return tuple(map(layer_of, self.layers))

    def put_back(self, act: Act, change: Change) -> None:
        item = memories.read_memory(act.cursor, self._list_layers(), change.id)
        state = MemoryState(str((change.before or {})["state"]))
        if state is MemoryState.RETIRED:
            take_back_item(act.cursor, item, act.now, act.actor)
        else:
            memories.set_state(act.cursor, item, state, act.now)


def _is_replaced(cursor: Connection, item: Memory) -> bool:
    """Return whether something else is known in the place of an item that is forgotten."""
    retired = item.state is MemoryState.RETIRED
    return retired and bool(memories.list_successors(cursor, layer_of(item.layer), item))


async def undo_turn(
    house: House, workspace: Workspace, turn_id: str, principal: Principal
) -> tuple[Stored, ...]:
    """Take back what was changed in a turn and stands as it was left; return it, the newest first.

    Raises:
        NotFoundError: there is no such turn in a chat that the person sees.
        ForbiddenError: somebody else said what it answers, or may not change that any more.
        ConflictError: nothing of it stands as it was left.

    """
    viewer = await build_viewer(house, workspace, principal)
    shelves = await _build_shelves(house, workspace, principal)

    def work(act: Act) -> tuple[Stored, ...]:
        turn = turns.read_turn(act.cursor, turn_id)
        chats.read_chat(act.cursor, turn.chat_id, viewer)
        if turn.asked_by != principal.id:
            raise ForbiddenError("only who said it takes it back")
        return _undo_changes(act, turn, shelves)

    return await carry_out(house, workspace, principal, work)


def _undo_changes(act: Act, turn: Turn, shelves: Mapping[str, _Shelf]) -> tuple[Stored, ...]:
    shown = turn_work.list_shown_work(act.cursor, [turn.id]).get(turn.id)
    changes = shown.changes if shown is not None else ()
    stored = list(_list_newest_first(changes, _read_standings(act.cursor, shelves, changes)))
    undoable = [change for change, now in stored if now.undoable]
    if not undoable:
        raise _build_refusal([now for _, now in stored])
    for change in undoable:
        shelves[change.kind].put_back(act, change)
        act.note("take back", f"{change.kind}:{change.id}", f"{change.deed} in turn {turn.id}")
    return tuple(
        now.model_copy(update={"stands": Stands.BACK, "undoable": False})
        for _, now in stored
        if now.undoable
    )


def _build_refusal(stored: Sequence[Stored]) -> ConflictError | ForbiddenError:
    """Return why nothing of this is taken back."""
    if any(each.stands is Stands.LEFT for each in stored):
        return ForbiddenError("your role does not permit you to change that any more")
    for each in stored:
        if each.stands is Stands.CHANGED:
            return ConflictError(f"“{each.title}” was changed since, so it stays as it is")
    return ConflictError("there is nothing left of it to be taken back")


def _read_standings(
    cursor: Connection, shelves: Mapping[str, _Shelf], changes: Sequence[Change]
) -> dict[str, _Standings]:
    """Return how things stand now, by kind."""
    return {
        kind: shelf.read_standings(cursor, [change for change in changes if change.kind == kind])
        for kind, shelf in shelves.items()
        if any(change.kind == kind for change in changes)
    }


def _list_newest_first(
    changes: Sequence[Change], looked: Mapping[str, _Standings]
) -> Iterator[tuple[Change, Stored]]:
    """Yield what a turn changed, the newest first, each as it stands once what follows is back."""
    standing = {kind: dict(of_kind.standing) for kind, of_kind in looked.items()}
    for change in reversed(changes):
        now = standing[change.kind]
        is_there, stands = change.id in now, Stands.CHANGED
        if is_there and now[change.id] == change.after:
            stands, now[change.id] = Stands.LEFT, change.before
        elif is_there and now[change.id] == change.before:
            stands = Stands.BACK
        may_change = change.id in looked[change.kind].may_change
        yield (
            change,
            Stored(
                kind=change.kind,
                id=change.id,
                title=change.title,
                deed=change.deed,
                stands=stands,
                undoable=stands is Stands.LEFT and may_change,
            ),
        )


async def list_stored(
    house: House,
    workspace: Workspace,
    principal: Principal,
    by_turn: Mapping[str, Sequence[Change]],
) -> dict[str, tuple[Stored, ...]]:
    """Return what a person's turns changed, by the turns' ids, each with how it stands now."""
    changes = [change for of_turn in by_turn.values() for change in of_turn]
    if not changes:
        return dict.fromkeys(by_turn, ())
    shelves = await _build_shelves(house, workspace, principal)
    looked = await workspace.db.read(_read_standings, shelves, changes)
    return {
        turn_id: tuple(stored for _, stored in reversed([*_list_newest_first(of_turn, looked)]))
        for turn_id, of_turn in by_turn.items()
    }


async def _build_shelves(
    house: House, workspace: Workspace, principal: Principal
) -> dict[str, _Shelf]:
    """Return where the person's things stand, by kind."""
    layers = await list_layers_of_person(house, workspace, principal)
    return {
        "task": _Tasks(principal.id),
        "event": _Events(principal.id, principal.may(Permission.DECIDE, workspace.slug)),
        "memory": _Memories(
            {layer.key: may_change_layer(workspace, principal, layer) for layer in layers}
        ),
    }
