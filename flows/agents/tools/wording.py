"""Days and times as tools say them: the weekday with the date, in the organization's zone."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from data.records.core.calendar import CalendarEvent
from data.records.core.tools import ToolResult
from flows.core.tools import Calling
from tasks.agents.spoken_time import SpokenTime, read_spoken_time
from tasks.core.calendar.free_time import WORKING, WORKING_WEEK, Week
from tasks.core.wording import day_words, word_sentence


def read_now(calling: Calling) -> datetime:
    """Return the time where the organization is."""
    return calling.house.clock().astimezone(zone_of(calling))


def read_time(calling: Calling, words: str, language: str) -> SpokenTime:
    """Return when words say that something is to be, where the organization is and works."""
    off = calling.workspace.organization.days_off
    return read_spoken_time(words, language, read_now(calling), off, read_working_hours(calling))


def read_working_hours(calling: Calling) -> tuple[time, time]:
    """Return between which hours people work on most days, for which a part of a day stands."""
    policy = calling.workspace.policy.working_hours
    return _choose_hours(calling, (policy.start, policy.end) if policy is not None else None)


def read_working_week(calling: Calling) -> Week:
    """Return the hours of each working day, between which free time lies.

    The days are those of the policy, else Monday to Friday.
    """
    policy = calling.workspace.policy.working_hours
    if policy is None:
        return dict.fromkeys(WORKING_WEEK, _choose_hours(calling, None))
    return {weekday: _choose_hours(calling, policy.span_of(weekday)) for weekday in policy.days}


def _choose_hours(calling: Calling, by_policy: tuple[str, str] | None) -> tuple[time, time]:
    """Return hours as the agent is set up, else as the policy says, else 9 to 17."""
    hours_given = [calling.settings.get(name) for name in ("day_begins", "day_ends")]
    usual = by_policy or tuple(f"{hour:%H:%M}" for hour in WORKING)
    begin, end = (
        time.fromisoformat(given if isinstance(given, str) else otherwise)
        for given, otherwise in zip(hours_given, usual, strict=True)
    )
    return (begin, end) if begin < end else WORKING


def describe_assumed_time(calling: Calling, spoken: SpokenTime) -> str:
    """Return the time that would be taken where no hour was said in full, so that it can be."""
    at = spoken.at.astimezone(zone_of(calling)) if spoken.at is not None else read_now(calling)
    return build_sentence(calling, "time_assumed", when=describe_time(at, calling, timed=True))


def is_among_others(calling: Calling) -> bool:
    """Whether other people read what is answered; what is a person's own is not told then."""
    return calling.occasion is not None and calling.occasion.kind != "direct"


def zone_of(calling: Calling) -> ZoneInfo:
    """Return the organization's time zone."""
    return ZoneInfo(calling.workspace.organization.timezone)


def build_sentence(calling: Calling, key: str, **given: object) -> str:
    """Return a sentence in the language of the call."""
    return word_sentence(calling.language, key, **given)


def build_refusal(calling: Calling, key: str, **given: object) -> ToolResult:
    """Return a sentence that says why nothing was done."""
    return ToolResult(sentence=build_sentence(calling, key, **given), refused=True)


def describe_time(at: datetime, calling: Calling, *, timed: bool) -> str:
    """Return a time in words, as exactly as it was said."""
    day = day_words(at.date(), calling.language)
    return f"{day}, {at:%H:%M}" if timed else day


def describe_span(calling: Calling, event: CalendarEvent) -> str:
    """Return in words when an event begins and ends."""
    begin, end = (at.astimezone(zone_of(calling)) for at in (event.starts_at, event.ends_at))
    if event.whole_day:
        return day_words(begin.date(), calling.language)
    same = end.date() == begin.date()
    last = f"{end:%H:%M}" if same else describe_time(end, calling, timed=True)
    return build_sentence(
        calling, "span", begin=describe_time(begin, calling, timed=True), end=last
    )
