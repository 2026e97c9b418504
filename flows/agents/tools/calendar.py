"""Tools over calendars: what is on, what is to be put in, and when somebody is free."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from pydantic import Field

from data.errors import ForbiddenError
from data.records.core.calendar import CalendarEvent, EditEvent
from data.records.core.record import Record
from data.records.core.titles import LONGEST_TITLE
from data.records.core.tools import (
    OF_STRANGERS,
    OWN,
    Fact,
    Item,
    Source,
    ToolResult,
    declare_lookup,
    declare_note,
)
from flows.agents.agenda import add_event, events_between
from flows.agents.changes import event_added
from flows.agents.tools.wording import (
    among_others,
    assumed_words,
    now_of,
    read_time,
    say,
    span_words,
    when_words,
    working_week,
    zone_of,
)
from flows.core.tools import Calling, Tool
from tasks.agents.hour_bounds import HourBounds, hour_bounds
from tasks.agents.spoken_parts import DayPart
from tasks.agents.spoken_time import (
    Days,
    cut_lasting,
    names_time,
    names_unread_time,
    spoken_days,
    spoken_part,
)
from tasks.core.calendar.free_time import Week, free_spans
from tasks.core.calendar.week_words import week_words
from tasks.core.wording import day_words
from tasks.core.words.sentences import is_stop_word, words

GROUP = "calendar"
_MINUTES = 60
"""How long an event lasts of which nobody says how long."""
_SHOWN = 20
_AHEAD = timedelta(days=366)
"""How far the next event is looked for."""
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class WhichDays(Record):
    """Days in somebody's words; today where they name none."""

    words: str = Field(default="", max_length=500, description="e.g. `next week`, `8 December`")
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


class WhichEvents(WhichDays):
    """Days in somebody's words, or what is next."""

    only_next: bool = Field(default=False, description="the next event alone, whenever it is")


class NewEvent(Record):
    """An event in somebody's words, with its time in them."""

    words: str = Field(
        min_length=1, max_length=2000, description="e.g. `meeting with Ines on Friday at 14:00`"
    )
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")
    for_everybody: bool = Field(
        default=False, description="whether it is the organization's and not the person's own"
    )


async def _add_event(calling: Calling, order: NewEvent) -> ToolResult:
    spoken = read_time(calling, order.words, order.language)
    if spoken.unread and not spoken.past:
        return ToolResult(sentence=say(calling, "time_unread"), refused=True)
    if spoken.at is None or not spoken.timed or not spoken.rest or spoken.past:
        sentence = say(calling, "event_past" if spoken.past else "event_unclear")
        return ToolResult(sentence=sentence, refused=True)
    if spoken.assumed:
        return ToolResult(sentence=assumed_words(calling, spoken), refused=True)
    title, lasts = (
        cut_lasting(spoken.rest, order.language) if spoken.minutes is None else (spoken.rest, None)
    )
    edit_event = EditEvent(
        title=title[:LONGEST_TITLE],
        starts_at=spoken.at,
        ends_at=spoken.at + timedelta(minutes=spoken.minutes or lasts or _MINUTES),
        repeats=spoken.repeats,
        for_everybody=order.for_everybody,
    )
    try:
        event = await add_event(calling.house, calling.workspace, edit_event, calling.principal)
    except ForbiddenError as error:
        return ToolResult(sentence=say(calling, "event_refused", why=error), refused=True)
    key = "event_added_wide" if order.for_everybody else "event_added"
    sentence = say(calling, key, title=event.title, span=span_words(calling, event))
    repeated = f" {repeat_words(calling, spoken.repeats)}" if spoken.repeats else ""
    source = event_source(calling, event)
    change = event_added(event)
    return ToolResult(sentence=f"{sentence}{repeated}", about=(source,), changes=(change,))


def repeat_words(calling: Calling, rule: str) -> str:
    """Return in a sentence how an event repeats that was put in by words."""
    _, _, days = rule.partition("BYDAY=")
    if not days:
        return say(calling, "repeats_daily")
    if "," in days:
        return say(calling, "repeats_on_workdays")
    weekday = say(calling, "weekdays").split(", ")[_WEEKDAYS.index(days)]
    return say(calling, "repeats_weekly", weekday=weekday)


def event_source(calling: Calling, event: CalendarEvent) -> Source:
    """Return an event as something that is named with a way to it, on its day."""
    day = event.starts_at.astimezone(zone_of(calling)).date()
    return Source(kind="event", id=event.id, title=event.title, on=day)


async def _list_events(calling: Calling, order: WhichEvents) -> ToolResult:
    if order.only_next:
        return await _next_event(calling)
    if _is_unread(order, now_of(calling).date()):
        return ToolResult(sentence=say(calling, "time_unread"), refused=True)
    days, part = _days(calling, order), spoken_part(order.words, order.language)
    events = _within(calling, await _between(calling, days), days, part)
    days_words = _days_words(calling, days, part)
    if not events:
        return ToolResult(sentence=say(calling, "events_none", days=days_words))
    items = tuple(_item(calling, event) for event in events[:_SHOWN])
    key = "events_one" if len(events) == 1 else "events_many"
    sentence = say(calling, key, count=len(events), days=days_words)
    return ToolResult(items=items, total=len(events), sentence=sentence)


async def _next_event(calling: Calling) -> ToolResult:
    """Return the event that begins next within a year."""
    now = now_of(calling)
    events = await _between(calling, Days(now.date(), now.date() + _AHEAD))
    ahead = sorted((event for event in events if event.starts_at >= now), key=_begin_of)
    if not ahead:
        return ToolResult(sentence=say(calling, "event_next_none"))
    item = _item(calling, ahead[0])
    return ToolResult(items=(item,), total=1, sentence=say(calling, "event_next"))


def _begin_of(event: CalendarEvent) -> datetime:
    return event.starts_at


def _item(calling: Calling, event: CalendarEvent) -> Item:
    return Item(
        title=event.title,
        facts=(
            Fact(name="", value=span_words(calling, event)),
            *((Fact(name=say(calling, "at"), value=event.place),) if event.place else ()),
            Fact(name="", value=say(calling, "yours" if event.owner else "ours")),
        ),
        source=event_source(calling, event),
    )


def _is_unread(order: WhichDays, today: date) -> bool:
    """Return whether words name a time that is not read, or something that is none."""
    text, language = order.words, order.language
    if names_time(text, language) or spoken_days(text, language, today) is not None:
        return names_unread_time(text, language, today)
    return not all(map(is_stop_word, words(text)))


async def _free_time(calling: Calling, order: WhichDays) -> ToolResult:
    part = spoken_part(order.words, order.language)
    bounds = hour_bounds(order.words, order.language, now_of(calling))
    week = working_week(calling)
    asked_week = bounds.within(_part_of(week, part)) if bounds else _part_of(week, part)
    unread = bounds is None and _is_unread(order, now_of(calling).date())
    if part is DayPart.EVENING or unread or not asked_week:
        return ToolResult(sentence=say(calling, "time_unread"), refused=True)
    days = _days(calling, order)
    events = await _between(calling, days)
    zone = zone_of(calling)
    busy = [(event.starts_at.astimezone(zone), event.ends_at.astimezone(zone)) for event in events]
    off = calling.workspace.organization.days_off
    spans = free_spans(days.first, days.last, busy, now_of(calling), asked_week, off)
    hours = say(calling, "hours", spans=week_words(week, calling.language))
    days_words = _days_words(calling, days, part)
    if bounds is not None:
        days_words = f"{days_words}, {_bounds_words(calling, bounds)}"
    if not spans:
        return ToolResult(sentence=say(calling, "not_free", days=days_words, hours=hours))
    items = tuple(
        Item(
            title=say(
                calling,
                "span",
                begin=when_words(begin, calling, timed=True),
                end=f"{end:%H:%M}",
            )
        )
        for begin, end in spans[:_SHOWN]
    )
    sentence = say(calling, "free", days=days_words, hours=hours)
    return ToolResult(items=items, total=len(spans), sentence=sentence)


def _days(calling: Calling, order: WhichDays) -> Days:
    today = now_of(calling).date()
    return spoken_days(order.words, order.language, today) or Days(today, today)


def _days_words(calling: Calling, days: Days, part: DayPart | None) -> str:
    first, last = (day_words(day, calling.language) for day in (days.first, days.last))
    if days.first != days.last:
        return say(calling, "from_to", first=first, last=last)
    on_day = say(calling, "on_day", day=first)
    return on_day if part is None else f"{on_day}, {say(calling, f'part_{part}')}"


def _bounds_words(calling: Calling, bounds: HourBounds) -> str:
    if bounds.begin and bounds.end:
        first, last = (f"{hour:%H:%M}" for hour in (bounds.begin, bounds.end))
        return say(calling, "hours_between", first=first, last=last)
    hour = bounds.begin or bounds.end
    key = "hours_after" if bounds.begin else "hours_until"
    return say(calling, key, hour=f"{hour:%H:%M}")


def _within(
    calling: Calling, events: Sequence[CalendarEvent], days: Days, part: DayPart | None
) -> list[CalendarEvent]:
    """Return the events that are under way in a part of these days; all where none was named."""
    if part is None:
        return list(events)
    zone = zone_of(calling)
    spans = [
        [datetime.combine(days.first + timedelta(days=n), hour, tzinfo=zone) for hour in part.span]
        for n in range((days.last - days.first).days + 1)
    ]
    return [
        event
        for event in events
        if any(event.starts_at < end and event.ends_at > begin for begin, end in spans)
    ]


def _part_of(week: Week, part: DayPart | None) -> Week:
    """Return the working hours that are in a part of a day."""
    if part is None:
        return week
    noon = time(12)
    return {
        weekday: (begin, min(end, noon)) if part is DayPart.MORNING else (max(begin, noon), end)
        for weekday, (begin, end) in week.items()
    }


async def _between(calling: Calling, days: Days) -> list[CalendarEvent]:
    owner = "" if among_others(calling) else calling.principal.id
    return await events_between(calling.workspace, days.first, days.last, owner)


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
        WhichEvents,
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
