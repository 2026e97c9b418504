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
from flows.agents.agenda import add_event, list_events_between
from flows.agents.changes import build_event_added
from flows.agents.tools.wording import (
    build_sentence,
    describe_assumed_time,
    describe_span,
    describe_time,
    is_among_others,
    read_now,
    read_time,
    read_working_week,
    zone_of,
)
from flows.core.tools import Calling, Tool
from tasks.agents.hour_bounds import HourBounds, find_hour_bounds
from tasks.agents.spoken_parts import DayPart
from tasks.agents.spoken_time import (
    Days,
    cut_lasting,
    find_spoken_days,
    find_spoken_part,
    has_time,
    has_unlisted_time,
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
        return ToolResult(sentence=build_sentence(calling, "time_unread"), refused=True)
    if spoken.at is None or not spoken.timed or not spoken.rest or spoken.past:
        sentence = build_sentence(calling, "event_past" if spoken.past else "event_unclear")
        return ToolResult(sentence=sentence, refused=True)
    if spoken.assumed:
        return ToolResult(sentence=describe_assumed_time(calling, spoken), refused=True)
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
        return ToolResult(
            sentence=build_sentence(calling, "event_refused", why=error), refused=True
        )
    key = "event_added_wide" if order.for_everybody else "event_added"
    sentence = build_sentence(calling, key, title=event.title, span=describe_span(calling, event))
    repeated = f" {describe_repeat(calling, spoken.repeats)}" if spoken.repeats else ""
    source = build_event_source(calling, event)
    change = build_event_added(event)
    return ToolResult(sentence=f"{sentence}{repeated}", about=(source,), changes=(change,))


def describe_repeat(calling: Calling, rule: str) -> str:
    """Return in a sentence how an event repeats that was put in by words."""
    _, _, days = rule.partition("BYDAY=")
    if not days:
        return build_sentence(calling, "repeats_daily")
    if "," in days:
        return build_sentence(calling, "repeats_on_workdays")
    weekday = build_sentence(calling, "weekdays").split(", ")[_WEEKDAYS.index(days)]
    return build_sentence(calling, "repeats_weekly", weekday=weekday)


def build_event_source(calling: Calling, event: CalendarEvent) -> Source:
    """Return an event as something that is named with a way to it, on its day."""
    day = event.starts_at.astimezone(zone_of(calling)).date()
    return Source(kind="event", id=event.id, title=event.title, on=day)


async def _list_events(calling: Calling, order: WhichEvents) -> ToolResult:
    if order.only_next:
        return await _find_next_event(calling)
    if _is_unread(order, read_now(calling).date()):
        return ToolResult(sentence=build_sentence(calling, "time_unread"), refused=True)
    days, part = _read_days(calling, order), find_spoken_part(order.words, order.language)
    events = _choose_within(calling, await _list_between(calling, days), days, part)
    days_words = _describe_days(calling, days, part)
    if not events:
        return ToolResult(sentence=build_sentence(calling, "events_none", days=days_words))
    items = tuple(_build_item(calling, event) for event in events[:_SHOWN])
    key = "events_one" if len(events) == 1 else "events_many"
    sentence = build_sentence(calling, key, count=len(events), days=days_words)
    return ToolResult(items=items, total=len(events), sentence=sentence)


async def _find_next_event(calling: Calling) -> ToolResult:
    """Return the event that begins next within a year."""
    now = read_now(calling)
    events = await _list_between(calling, Days(now.date(), now.date() + _AHEAD))
    ahead = sorted((event for event in events if event.starts_at >= now), key=_begin_of)
    if not ahead:
        return ToolResult(sentence=build_sentence(calling, "event_next_none"))
    item = _build_item(calling, ahead[0])
    return ToolResult(items=(item,), total=1, sentence=build_sentence(calling, "event_next"))


def _begin_of(event: CalendarEvent) -> datetime:
    return event.starts_at


def _build_item(calling: Calling, event: CalendarEvent) -> Item:
    return Item(
        title=event.title,
        facts=(
            Fact(name="", value=describe_span(calling, event)),
            *(
                (Fact(name=build_sentence(calling, "at"), value=event.place),)
                if event.place
                else ()
            ),
            Fact(name="", value=build_sentence(calling, "yours" if event.owner else "ours")),
        ),
        source=build_event_source(calling, event),
    )


def _is_unread(order: WhichDays, today: date) -> bool:
    """Return whether words name a time that is not read, or something that is none."""
    text, language = order.words, order.language
    if has_time(text, language) or find_spoken_days(text, language, today) is not None:
        return has_unlisted_time(text, language, today)
    return not all(map(is_stop_word, words(text)))


async def _find_free_time(calling: Calling, order: WhichDays) -> ToolResult:
    part = find_spoken_part(order.words, order.language)
    bounds = find_hour_bounds(order.words, order.language, read_now(calling))
    week = read_working_week(calling)
    asked_week = (
        bounds.limit_week(_limit_to_part(week, part)) if bounds else _limit_to_part(week, part)
    )
    unread = bounds is None and _is_unread(order, read_now(calling).date())
    if part is DayPart.EVENING or unread or not asked_week:
        return ToolResult(sentence=build_sentence(calling, "time_unread"), refused=True)
    days = _read_days(calling, order)
    events = await _list_between(calling, days)
    zone = zone_of(calling)
    busy = [(event.starts_at.astimezone(zone), event.ends_at.astimezone(zone)) for event in events]
    off = calling.workspace.organization.days_off
    spans = free_spans(days.first, days.last, busy, read_now(calling), asked_week, off)
    hours = build_sentence(calling, "hours", spans=week_words(week, calling.language))
    days_words = _describe_days(calling, days, part)
    if bounds is not None:
        days_words = f"{days_words}, {_describe_bounds(calling, bounds)}"
    if not spans:
        return ToolResult(
            sentence=build_sentence(calling, "not_free", days=days_words, hours=hours)
        )
    items = tuple(
        Item(
            title=build_sentence(
                calling,
                "span",
                begin=describe_time(begin, calling, timed=True),
                end=f"{end:%H:%M}",
            )
        )
        for begin, end in spans[:_SHOWN]
    )
    sentence = build_sentence(calling, "free", days=days_words, hours=hours)
    return ToolResult(items=items, total=len(spans), sentence=sentence)


def _read_days(calling: Calling, order: WhichDays) -> Days:
    today = read_now(calling).date()
    return find_spoken_days(order.words, order.language, today) or Days(today, today)


def _describe_days(calling: Calling, days: Days, part: DayPart | None) -> str:
    first, last = (day_words(day, calling.language) for day in (days.first, days.last))
    if days.first != days.last:
        return build_sentence(calling, "from_to", first=first, last=last)
    on_day = build_sentence(calling, "on_day", day=first)
    return on_day if part is None else f"{on_day}, {build_sentence(calling, f'part_{part}')}"


def _describe_bounds(calling: Calling, bounds: HourBounds) -> str:
    if bounds.begin and bounds.end:
        first, last = (f"{hour:%H:%M}" for hour in (bounds.begin, bounds.end))
        return build_sentence(calling, "hours_between", first=first, last=last)
    hour = bounds.begin or bounds.end
    key = "hours_after" if bounds.begin else "hours_until"
    return build_sentence(calling, key, hour=f"{hour:%H:%M}")


def _choose_within(
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


def _limit_to_part(week: Week, part: DayPart | None) -> Week:
    """Return the working hours that are in a part of a day."""
    if part is None:
        return week
    noon = time(12)
    return {
        weekday: (begin, min(end, noon)) if part is DayPart.MORNING else (max(begin, noon), end)
        for weekday, (begin, end) in week.items()
    }


async def _list_between(calling: Calling, days: Days) -> list[CalendarEvent]:
    owner = "" if is_among_others(calling) else calling.principal.id
    return await list_events_between(calling.workspace, days.first, days.last, owner)


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
        _find_free_time,
    ),
)
