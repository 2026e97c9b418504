"""Changes that calls make at a person's word, with how things stood before and after."""

from datetime import UTC, datetime

from data.records.agents.memories import Memory, Remembered
from data.records.agents.tasks import Task
from data.records.core.calendar import CalendarEvent
from data.records.core.tools import Change, ChangeKind, ThingState
from data.states import MemoryState, TaskState

Thing = Task | CalendarEvent | Memory
_STANDS_BY = {
    Task: {"title", "due_at", "timed", "state"},
    CalendarEvent: set(CalendarEvent.model_fields) - {"first_at", "changed_at"},
    Memory: {"state"},
}
"""The fields that say how a thing stands; what the engine notes of it besides is not among them."""
_KINDS: dict[type, str] = {Task: "task", CalendarEvent: "event", Memory: "memory"}
_STORES = ("added", "superseded")
"""Outcomes of which something holds that did not before."""


def standing_of(thing: Thing) -> ThingState:
    """Return how a thing stands, to be compared with how it stood."""
    in_utc = {name: _as_utc(value) for name, value in thing if name in _STANDS_BY[type(thing)]}
    return thing.model_copy(update=in_utc).model_dump(mode="json", include=set(in_utc))


def _as_utc(value: object) -> object:
    """Return a value as the state gives it: what it is at, in UTC."""
    if isinstance(value, tuple):
        return tuple(map(_as_utc, value))
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def change_of(deed: ChangeKind, thing: Thing, before: ThingState, after: ThingState) -> Change:
    """Return what was done to a thing, by how it stood and how it was left."""
    title = thing.text if isinstance(thing, Memory) else thing.title
    kind = _KINDS[type(thing)]
    return Change(kind=kind, id=thing.id, title=title[:200], deed=deed, before=before, after=after)


def build_task_added(task: Task) -> Change:
    """Return that a task was noted; taken back, it is off the list, where its owner finds it."""
    dropped = task.model_copy(update={"state": TaskState.DROPPED})
    return change_of(ChangeKind.ADDED, task, standing_of(dropped), standing_of(task))


def build_task_changed(deed: ChangeKind, before: Task, after: Task) -> Change:
    """Return that something was done to a task."""
    return change_of(deed, before, standing_of(before), standing_of(after))


def build_event_added(event: CalendarEvent) -> Change:
    """Return that an event was put in."""
    return change_of(ChangeKind.ADDED, event, None, standing_of(event))


def build_event_removed(event: CalendarEvent) -> Change:
    """Return that an event was taken out."""
    return change_of(ChangeKind.REMOVED, event, standing_of(event), None)


def build_event_moved(before: CalendarEvent, after: CalendarEvent) -> Change:
    """Return that an event has another time."""
    return change_of(ChangeKind.MOVED, after, standing_of(before), standing_of(after))


def list_remembered_changes(remembered: Remembered, text: str) -> tuple[Change, ...]:
    """Return that something is remembered that was not before; nothing where it was, or is not.

    What is newer than these words, as of a turn that was taken up late, is not theirs.
    """
    item = remembered.memory
    if item is None or item.text != text or remembered.outcome not in _STORES:
        return ()
    retired = item.model_copy(update={"state": MemoryState.RETIRED})
    return (change_of(ChangeKind.ADDED, item, standing_of(retired), standing_of(item)),)
