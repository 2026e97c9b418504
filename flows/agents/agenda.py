"""A person's own tasks, and the events of the calendars that they see: add, change, remove.

Tasks are their owner's alone. Events are a person's own or the organization's; the latter are
seen by whoever works there, and changed by who may decide.
"""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from data.errors import ConflictError, ForbiddenError
from data.ids import new_id
from data.records.agents.tasks import EditTask, Task
from data.records.core.calendar import CalendarEvent, EditEvent
from data.records.core.principals import Permission, Principal
from data.states import TaskState
from data.store.agents import calendar, tasks
from data.store.core.database import Connection
from flows.agents.changes import standing_of
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.calendar.recurrence import all_occurrences, fit_rule


class TaskChange(NamedTuple):
    """A task before something was done to it, and after, as one transaction saw it."""

    before: Task
    after: Task


class EventChange(NamedTuple):
    """An event before it was written anew, and after, as one transaction saw it."""

    before: CalendarEvent
    after: CalendarEvent


async def add_task(
    house: House, workspace: Workspace, edit: EditTask, principal: Principal
) -> Task:
    """Note a task of a person's own."""
    task = build_task(edit, TaskState.OPEN, principal, house.clock())
    await workspace.db.write(tasks.add, task)
    return task


def build_task(edit: EditTask, state: TaskState, principal: Principal, now: datetime) -> Task:
    """Return a task of a person's own, to be added."""
    return Task(
        id=new_id(now),
        owner=principal.id,
        owner_email=principal.email,
        state=state,
        made_at=now,
        **edit.model_dump(),
    )


def _must_stand_as_seen(
    thing: Task | CalendarEvent, looked_at: Task | CalendarEvent | datetime | None
) -> None:
    """Refuse what would be done to a thing that stands otherwise than it was looked at.

    `looked_at` is the thing as it was then, or since when it stood so; None for however it stands.

    Raises:
        ConflictError: it does.

    """
    if looked_at is None:
        return
    stands = (
        thing.stands_since == looked_at
        if isinstance(looked_at, datetime)
        else standing_of(thing) == standing_of(looked_at)
    )
    if not stands:
        raise ConflictError(f"“{thing.title}” was changed meanwhile; look at it")


async def change_task(
    house: House,
    workspace: Workspace,
    task_id: str,
    edit: EditTask,
    principal: Principal,
    looked_at: Task | datetime | None = None,
) -> TaskChange:
    """Give a task another title or another time.

    Raises:
        NotFoundError: the person has no such task.
        ConflictError: it stands otherwise by now than it was `looked_at`.

    """

    def write(cursor: Connection) -> TaskChange:
        before = tasks.read_task(cursor, task_id, principal.id)
        _must_stand_as_seen(before, looked_at)
        tasks.change(cursor, task_id, principal.id, edit, house.clock())
        return TaskChange(before, tasks.read_task(cursor, task_id, principal.id))

    return await workspace.db.write(write)


async def move_task(
    house: House, workspace: Workspace, task_id: str, state: TaskState, principal: Principal
) -> TaskChange:
    """Say that a task is done, is to be done again, or is not to be done.

    Raises:
        NotFoundError: the person has no such task.
        ConflictError: it is in a state that does not lead there.

    """

    def write(cursor: Connection) -> TaskChange:
        before = tasks.read_task(cursor, task_id, principal.id)
        moved = tasks.set_state(cursor, task_id, principal.id, state, house.clock())
        if not moved and before.state is not state:
            raise ConflictError(f"“{before.title}” is {before.state} by now")
        return TaskChange(before, tasks.read_task(cursor, task_id, principal.id))

    return await workspace.db.write(write)


async def list_events_between(
    workspace: Workspace, first: date, last: date, owner: str
) -> list[CalendarEvent]:
    """Return the organization's events and a person's own, from a day to another, both included.

    `owner` is the id of the person; empty for the organization's events alone.
    """
    zone = ZoneInfo(workspace.organization.timezone)
    begin = datetime.combine(first, time(), tzinfo=zone)
    end = datetime.combine(last + timedelta(days=1), time(), tzinfo=zone)
    events = await workspace.db.read(calendar.list_between, owner, begin, end)
    return all_occurrences(events, begin, end)


async def add_event(
    house: House, workspace: Workspace, edit: EditEvent, principal: Principal
) -> CalendarEvent:
    """Put an event into a person's calendar or the organization's.

    Raises:
        ForbiddenError: the person may not decide what is in the organization's.
        UnfitError: the rule by which it repeats is none.

    """
    now = house.clock()
    event_id = new_id(now)
    event = CalendarEvent(
        id=event_id,
        uid=f"{event_id}@{workspace.slug}.postern",
        owner=owner_of_event(workspace, principal, for_everybody=edit.for_everybody),
        added_by=principal.name,
        added_at=now,
        **_fields_of(workspace, edit),
    )

    def write(act: Act) -> None:
        calendar.put_event(act.cursor, event)
        note_event(act, "add event", event)

    await carry_out(house, workspace, principal, write)
    return event


def note_event(act: Act, action: str, event: CalendarEvent) -> None:
    """Write to the audit log what becomes of an event; its title may be a person's own affair."""
    act.note(
        action,
        f"event:{event.id}",
        "one of their own" if event.owner else "one of the organization",
    )


def _fields_of(workspace: Workspace, edit: EditEvent) -> dict[str, object]:
    """Return the fields of an event as somebody wants it, with its rule as it is kept."""
    fields: dict[str, object] = edit.model_dump(exclude={"for_everybody"})
    zone = workspace.organization.timezone
    if not edit.repeats:
        return fields | {"repeats_in": ""}
    rule = fit_rule(edit.repeats, edit.starts_at, ZoneInfo(zone))
    return fields | {"repeats": rule, "repeats_in": zone}


async def change_event(
    house: House,
    workspace: Workspace,
    event_id: str,
    edit: EditEvent,
    principal: Principal,
    looked_at: CalendarEvent | datetime | None = None,
) -> EventChange:
    """Write an event as somebody wants it; of one that repeats, every time of it.

    Raises:
        NotFoundError: the person sees no such event.
        ForbiddenError: it is, or shall be, the organization's, and the person may not decide.
        ConflictError: it stands otherwise by now than it was `looked_at`.
        UnfitError: the rule by which it repeats is none.

    """
    owner = owner_of_event(workspace, principal, for_everybody=edit.for_everybody)

    changed = _fields_of(workspace, edit) | {"owner": owner, "changed_at": house.clock()}

    def write(act: Act) -> EventChange:
        before = calendar.read_event(act.cursor, event_id, principal.id)
        _must_stand_as_seen(before, looked_at)
        owner_of_event(workspace, principal, for_everybody=not before.owner)
        event = CalendarEvent.model_validate(before.model_dump() | changed)
        calendar.remove_event(act.cursor, event_id, principal.id)
        calendar.put_event(act.cursor, event)
        note_event(act, "change event", event)
        return EventChange(before, event)

    return await carry_out(house, workspace, principal, write)


async def remove_event(
    house: House,
    workspace: Workspace,
    event_id: str,
    principal: Principal,
    looked_at: CalendarEvent | datetime | None = None,
) -> CalendarEvent:
    """Take an event out of the calendar; of one that repeats, every time of it; return it.

    Raises:
        NotFoundError: the person sees no such event.
        ForbiddenError: it is the organization's, and the person may not decide.
        ConflictError: it stands otherwise by now than it was `looked_at`.

    """

    def write(act: Act) -> CalendarEvent:
        event = calendar.read_event(act.cursor, event_id, principal.id)
        _must_stand_as_seen(event, looked_at)
        owner_of_event(workspace, principal, for_everybody=not event.owner)
        calendar.remove_event(act.cursor, event_id, principal.id)
        note_event(act, "remove event", event)
        return event

    return await carry_out(house, workspace, principal, write)


def owner_of_event(workspace: Workspace, principal: Principal, *, for_everybody: bool) -> str:
    """Return whose an event is that a person writes: nobody's by name, for the organization's.

    Raises:
        ForbiddenError: the person may not decide what is in the organization's calendar.

    """
    if not for_everybody:
        return principal.id
    if not principal.may(Permission.DECIDE, workspace.slug):
        raise ForbiddenError("your role does not permit you to change the organization's calendar")
    return ""
