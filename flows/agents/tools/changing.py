"""Tools that change what is noted: events and tasks are moved to another time, and taken out.

Which one is meant is said by words of its title, and by its time; what fits several changes none.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic import Field

from data.errors import ConflictError, ForbiddenError
from data.records.agents.tasks import EditTask, Task
from data.records.core.calendar import CalendarEvent, EditEvent
from data.records.core.record import Record
from data.records.core.tools import OWN, Change, ChangeKind, ToolResult, declare_note
from data.states import TaskState
from data.store.agents import tasks
from flows.agents.agenda import (
    change_event,
    change_task,
    list_events_between,
    move_task,
    remove_event,
)
from flows.agents.changes import build_event_moved, build_event_removed, build_task_changed
from flows.agents.tools.calendar import build_event_source
from flows.agents.tools.tasks import WhichTask, build_task_source
from flows.agents.tools.wording import (
    build_refusal,
    build_sentence,
    describe_assumed_time,
    describe_span,
    describe_time,
    is_among_others,
    read_now,
    read_time,
    zone_of,
)
from flows.core.tools import Calling, Tool
from tasks.agents.spoken_time import SpokenTime, mark_hour_moved_to
from tasks.core.words.sentences import is_stop_word, words

_AHEAD = timedelta(days=90)
"""How far ahead an event is looked for."""
_HALF_DAY = timedelta(hours=12)


class WhichAndWhen(Record):
    """Something by words of its title, with the time that it is to have, or has."""

    words: str = Field(min_length=1, max_length=500, description="e.g. `Ines to Friday at 15:00`")
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


def has_topic_words(title: str, meant: str) -> bool:
    """Whether a title has all words that carry the topic of what is meant; there must be one."""
    words_wanted = {word for word in words(meant) if not is_stop_word(word)}
    return bool(words_wanted) and words_wanted <= set(words(title))


_OF_ANY_EVENT = frozenset(
    {"appointment", "meeting", "event", "termin", "treffen", "cita", "reunion", "rendez", "vous"}
)
"""Words that any event is called by: *my dentist appointment* is the event *dentist*."""


def _find_events_meant(events: Sequence[CalendarEvent], meant: str) -> list[CalendarEvent]:
    """Return the events that have all words, or all but those that any event is called by."""
    exact = [event for event in events if has_topic_words(event.title, meant)]
    bare = " ".join(word for word in words(meant) if word not in _OF_ANY_EVENT)
    return exact or [event for event in events if has_topic_words(event.title, bare)]


async def _move_event(calling: Calling, and_when: WhichAndWhen) -> ToolResult:
    spoken = _read_spoken_time(calling, and_when)
    if spoken.unread or spoken.repeats:
        return build_refusal(calling, "time_unread")
    if spoken.at is None:
        return build_refusal(calling, "event_move_unclear")
    meant = _find_events_meant(await _list_coming_events(calling), spoken.rest)
    if len(meant) == 1 and not spoken.past:
        begins = meant[0].starts_at
        spoken = _add_own_time(calling, spoken, begins, timed=not meant[0].whole_day)
    if len(meant) == 1 and not spoken.timed:
        return build_refusal(calling, "event_move_unclear")
    if spoken.past:
        return build_refusal(calling, "event_move_past")
    if spoken.assumed:
        return ToolResult(sentence=describe_assumed_time(calling, spoken), refused=True)
    if (refusal := _describe_unclear(calling, meant)) is not None:
        return refusal
    event = meant[0]
    if _is_changed_since(calling, event.stands_since):
        return build_refusal(calling, "changed_meanwhile", title=event.title)
    lasts = timedelta(minutes=spoken.minutes) if spoken.minutes else event.ends_at - event.starts_at
    edit_event = EditEvent(
        title=event.title,
        place=event.place,
        starts_at=spoken.at or event.starts_at,
        ends_at=(spoken.at or event.starts_at) + lasts,
        for_everybody=not event.owner,
    )
    try:
        before, changed = await change_event(
            calling.house, calling.workspace, event.id, edit_event, calling.principal, event
        )
    except ForbiddenError as error:
        return build_refusal(calling, "not_changed", why=error)
    except ConflictError:
        return build_refusal(calling, "changed_meanwhile", title=event.title)
    span = describe_span(calling, changed)
    sentence = build_sentence(calling, "event_moved", title=changed.title, span=span)
    was = "" if event.whole_day else _describe_day_and_hour(calling, event.starts_at)
    about = build_event_source(calling, changed).model_copy(update={"was": was})
    change = build_event_moved(before, changed)
    return ToolResult(sentence=sentence, about=(about,), changes=(change,))


def _describe_day_and_hour(calling: Calling, at: datetime) -> str:
    """Return a day and an hour as every language reads them."""
    return f"{at.astimezone(zone_of(calling)):%Y-%m-%d %H:%M}"


def _add_own_time(
    calling: Calling, spoken: SpokenTime, had: datetime, *, timed: bool
) -> SpokenTime:
    """Return a time with the day, or the hour, that something has, where only the other was named.

    *Move lunch to 1 pm* means the day on which lunch is, and not the next time that it is one;
    *move lunch to Friday* means the hour at which it is, where it has one (`timed`).
    """
    if spoken.at is None:
        return spoken
    zone = zone_of(calling)
    own, meant = had.astimezone(zone), spoken.at.astimezone(zone)
    if not spoken.dated:
        meant = datetime.combine(own.date(), meant.time(), tzinfo=zone)
    elif timed and not spoken.timed:
        meant = datetime.combine(meant.date(), own.time(), tzinfo=zone)
    else:
        return spoken
    return spoken.model_copy(update={"at": meant, "timed": True, "past": meant < read_now(calling)})


async def _remove_event(calling: Calling, and_when: WhichAndWhen) -> ToolResult:
    spoken = _read_spoken_time(calling, and_when)
    if spoken.unread or spoken.repeats or spoken.ranged:
        return build_refusal(calling, "time_unread")
    events = _find_events_meant(await _list_coming_events(calling), spoken.rest)
    meant = [event for event in events if _is_at_time(calling, event, spoken)]
    if (refusal := _describe_unclear(calling, meant)) is not None:
        return refusal
    event = meant[0]
    if _is_changed_since(calling, event.stands_since):
        return build_refusal(calling, "changed_meanwhile", title=event.title)
    try:
        event = await remove_event(
            calling.house, calling.workspace, event.id, calling.principal, event
        )
    except ForbiddenError as error:
        return build_refusal(calling, "not_changed", why=error)
    except ConflictError:
        return build_refusal(calling, "changed_meanwhile", title=event.title)
    span = describe_span(calling, event)
    sentence = build_sentence(calling, "event_removed", title=event.title, span=span)
    change = build_event_removed(event)
    return ToolResult(sentence=sentence, changes=(change,))


def _is_at_time(calling: Calling, event: CalendarEvent, spoken: SpokenTime) -> bool:
    """Return whether an event is at the time that was named, where one was.

    At three, it may begin at 3:00 or at 15:00 of that day; in the morning, at any time of the day.
    """
    if spoken.at is None:
        return True
    begins = event.starts_at.astimezone(zone_of(calling))
    moment_named = spoken.at.astimezone(zone_of(calling))
    if spoken.timed and not spoken.assumed:
        return begins == moment_named
    is_that_hour = not spoken.clocked or (begins - moment_named) % _HALF_DAY == timedelta(0)
    return begins.date() == moment_named.date() and is_that_hour


def _is_changed_since(calling: Calling, changed_at: datetime) -> bool:
    """Return whether something was changed after a person was asked for the yes to this call.

    The yes was to what it was then.
    """
    return calling.asked_at is not None and changed_at > calling.asked_at


async def _list_coming_events(calling: Calling) -> list[CalendarEvent]:
    """Return the events from today on that the person may be told of, each series once."""
    today = read_now(calling).date()
    owner = "" if is_among_others(calling) else calling.principal.id
    listed = await list_events_between(calling.workspace, today, today + _AHEAD, owner)
    return list({event.id: event for event in reversed(listed)}.values())


def _describe_unclear(calling: Calling, meant: Sequence[CalendarEvent]) -> ToolResult | None:
    """Return why none of these is changed; None where one is meant."""
    if len(meant) != 1:
        return build_refusal(
            calling, "event_several" if meant else "event_no_such", count=len(meant)
        )
    if meant[0].repeats:
        return build_refusal(calling, "event_repeats", title=meant[0].title)
    return None


async def _move_task(calling: Calling, and_when: WhichAndWhen) -> ToolResult:
    """Give a task another date; what was proposed is proposed with that one, until a yes."""
    spoken = _read_spoken_time(calling, and_when)
    if spoken.unread or spoken.ranged:
        return build_refusal(calling, "time_unread")
    if spoken.repeats:
        return build_refusal(calling, "task_repeats")
    if spoken.at is None:
        return build_refusal(calling, "task_move_unclear")
    task, refusal = await _find_open_task(calling, spoken.rest, TaskState.OPEN, TaskState.PROPOSED)
    if task is not None and task.due_at is not None and task.due_at > read_now(calling):
        spoken = _add_own_time(calling, spoken, task.due_at, timed=task.timed)
    if spoken.past:
        return build_refusal(calling, "task_past")
    if spoken.assumed:
        return ToolResult(sentence=describe_assumed_time(calling, spoken), refused=True)
    if task is None or spoken.at is None:
        return refusal
    edit_task = EditTask(title=task.title, due_at=spoken.at, timed=spoken.timed)
    house, workspace = calling.house, calling.workspace
    try:
        before, after = await change_task(
            house, workspace, task.id, edit_task, calling.principal, task
        )
    except ConflictError:
        return build_refusal(calling, "changed_meanwhile", title=task.title)
    when = describe_time(spoken.at.astimezone(zone_of(calling)), calling, timed=spoken.timed)
    due = build_sentence(calling, "due", when=when)
    key = "task_proposed" if task.state is TaskState.PROPOSED else "task_moved"
    sentence = build_sentence(calling, key, title=task.title, due=due)
    was = (
        _describe_day_and_hour(calling, task.due_at)
        if task.due_at is not None and task.timed
        else ""
    )
    about = build_task_source(task).model_copy(update={"was": was})
    changes = _changes_of_listed(ChangeKind.MOVED, before, after)
    return ToolResult(sentence=sentence, about=(about,), changes=changes)


async def _drop_task(calling: Calling, order: WhichTask) -> ToolResult:
    """Take a task off the list, or what was proposed and is not on it yet."""
    task, refusal = await _find_open_task(calling, order.words, TaskState.OPEN, TaskState.PROPOSED)
    if task is None:
        return refusal
    house, workspace = calling.house, calling.workspace
    before, after = await move_task(house, workspace, task.id, TaskState.DROPPED, calling.principal)
    sentence = build_sentence(calling, "task_off", title=task.title)
    changes = _changes_of_listed(ChangeKind.REMOVED, before, after)
    return ToolResult(sentence=sentence, about=(build_task_source(task),), changes=changes)


def _changes_of_listed(deed: ChangeKind, before: Task, after: Task) -> tuple[Change, ...]:
    """Return what was done to a task that is on the list; a proposal is answered by yes or no."""
    return (build_task_changed(deed, before, after),) if before.state is TaskState.OPEN else ()


async def _find_open_task(
    calling: Calling, meant: str, *states: TaskState
) -> tuple[Task | None, ToolResult]:
    """Return the person's open task that is meant; else None, and why none is changed."""
    if is_among_others(calling):
        return None, build_refusal(calling, "others_read")
    owner, workspace = calling.principal.id, calling.workspace
    listed = await workspace.db.read(tasks.list_of_owner, owner, states or [TaskState.OPEN])
    tasks_named = [task for task in listed if has_topic_words(task.title, meant)]
    key = "task_several" if tasks_named else "task_no_such"
    refusal = build_refusal(calling, key, count=len(tasks_named))
    if len(tasks_named) != 1:
        return None, refusal
    task = tasks_named[0]
    if _is_changed_since(calling, task.stands_since):
        return None, build_refusal(calling, "changed_meanwhile", title=task.title)
    return task, refusal


def _read_spoken_time(calling: Calling, and_when: WhichAndWhen) -> SpokenTime:
    return read_time(calling, mark_hour_moved_to(and_when.words), and_when.language)


CHANGING_TOOLS = (
    Tool(
        declare_note(
            "move_event", "calendar", "Moves an event of the calendar to another time.", OWN
        ),
        WhichAndWhen,
        _move_event,
    ),
    Tool(
        declare_note("remove_event", "calendar", "Takes an event out of the calendar.", OWN),
        WhichAndWhen,
        _remove_event,
    ),
    Tool(
        declare_note(
            "move_task", "tasks", "Gives an open task of the person who asks another date.", OWN
        ),
        WhichAndWhen,
        _move_task,
    ),
    Tool(
        declare_note(
            "drop_task", "tasks", "Takes an open task of the person who asks off the list.", OWN
        ),
        WhichTask,
        _drop_task,
    ),
)
