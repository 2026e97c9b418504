"""Tools over calendars: what is on, what is to be put in, and when somebody is free."""

from datetime import timedelta

from pydantic import Field

from data.errors import ForbiddenError
from data.records.agents.calendar import LONGEST_TITLE, CalendarEvent, EditEvent
from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    OWN,
    Fact,
    Item,
    ToolResult,
    declare_lookup,
    declare_note,
)
from flows.agents.agenda import add_event, events_between
from flows.agents.tools.wording import among_others, day_words, now_of, when_words, zone_of
from flows.core.tools import Calling, Tool
from tasks.agents.free_time import WORKING, free_spans
from tasks.agents.spoken_time import Days, spoken_days, spoken_time

GROUP = "calendar"
_MINUTES = 60
"""How long an event lasts of which nobody says how long."""
_SHOWN = 20


class WhichDays(Record):
    """Days in somebody's words; today where they name none."""

    words: str = Field(default="", max_length=500, description="e.g. `next week`, `8 December`")
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


class NewEvent(Record):
    """An event in somebody's words, with its time in them."""

    words: str = Field(
        min_length=1, max_length=2000, description="e.g. `meeting with Ines on Friday at 14:00`"
    )
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")
    for_everybody: bool = Field(
        default=False, description="whether it is the organization's and not the person's own"
    )


async def _add_event(calling: Calling, given: NewEvent) -> ToolResult:
    spoken = spoken_time(given.words, given.language, now_of(calling))
    if spoken.at is None or not spoken.timed or not spoken.rest or spoken.past:
        reason = "that time is over" if spoken.past else "I need a day, a time, and what it is"
        return ToolResult(sentence=f"Nothing was put in the calendar: {reason}.", refused=True)
    wanted = EditEvent(
        title=spoken.rest[:LONGEST_TITLE],
        starts_at=spoken.at,
        ends_at=spoken.at + timedelta(minutes=spoken.minutes or _MINUTES),
        for_everybody=given.for_everybody,
    )
    try:
        event = await add_event(calling.house, calling.workspace, wanted, calling.principal)
    except ForbiddenError as error:
        return ToolResult(sentence=f"Nothing was put in the calendar: {error}.", refused=True)
    whose = "the organization's" if given.for_everybody else "your"
    return ToolResult(sentence=f"“{event.title}” is in {whose} calendar: {_span(calling, event)}.")


async def _list_events(calling: Calling, given: WhichDays) -> ToolResult:
    days = _days(calling, given)
    events = await _between(calling, days)
    if not events:
        return ToolResult(sentence=f"Nothing is on {_days_words(days)}.")
    items = tuple(
        Item(
            title=event.title,
            facts=(
                Fact(name="", value=_span(calling, event)),
                *((Fact(name="at", value=event.place),) if event.place else ()),
                Fact(name="", value="yours" if event.owner else "of the organization"),
            ),
        )
        for event in events[:_SHOWN]
    )
    count = "One event is" if len(events) == 1 else f"{len(events)} events are"
    return ToolResult(items=items, total=len(events), sentence=f"{count} on {_days_words(days)}:")


async def _free_time(calling: Calling, given: WhichDays) -> ToolResult:
    days = _days(calling, given)
    events = await _between(calling, days)
    zone = zone_of(calling)
    busy = [(event.starts_at.astimezone(zone), event.ends_at.astimezone(zone)) for event in events]
    spans = free_spans(days.first, days.last, busy, now_of(calling))
    hours = f"Working hours are {WORKING[0]:%H:%M} to {WORKING[1]:%H:%M}, Monday to Friday."
    if not spans:
        return ToolResult(sentence=f"You are not free {_days_words(days)}. {hours}")
    items = tuple(
        Item(title=f"{day_words(begin.date())}, {begin:%H:%M} to {end:%H:%M}")
        for begin, end in spans[:_SHOWN]
    )
    return ToolResult(
        items=items, total=len(spans), sentence=f"You are free {_days_words(days)}. {hours}"
    )


def _days(calling: Calling, given: WhichDays) -> Days:
    today = now_of(calling).date()
    return spoken_days(given.words, given.language, today) or Days(today, today)


def _days_words(days: Days) -> str:
    if days.first == days.last:
        return f"on {day_words(days.first)}"
    return f"from {day_words(days.first)} to {day_words(days.last)}"


async def _between(calling: Calling, days: Days) -> list[CalendarEvent]:
    owner = "" if among_others(calling) else calling.principal.id
    return await events_between(calling.workspace, days.first, days.last, owner)


def _span(calling: Calling, event: CalendarEvent) -> str:
    begin, end = (at.astimezone(zone_of(calling)) for at in (event.starts_at, event.ends_at))
    if event.whole_day:
        return day_words(begin.date())
    last = f"{end:%H:%M}" if end.date() == begin.date() else when_words(end, timed=True)
    return f"{when_words(begin, timed=True)} to {last}"


CALENDAR_TOOLS = (
    Tool(
        declare_note(
            "add_event",
            GROUP,
            "Puts an event into the calendar of the person who ordered it plainly.",
            OWN,
        ),
        NewEvent,
        _add_event,
    ),
    Tool(
        declare_lookup(
            "list_events",
            GROUP,
            "Lists the events of some days: the organization's and the person's own.",
            OF_STRANGERS,
        ),
        WhichDays,
        _list_events,
    ),
    Tool(
        declare_lookup(
            "free_time",
            GROUP,
            "Says when the person is free on some days, within working hours.",
            OWN,
        ),
        WhichDays,
        _free_time,
    ),
)
