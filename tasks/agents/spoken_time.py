"""Times as people say them to an agent: *on Friday at 9*, *morgen um 14 Uhr*.

The days are read as those of promises are (`tasks/core/claims/due_dates.py`); what is new is the
time of the day, and what is left of the words once the time is taken out of them. Nothing is
guessed: words that name no time have none.
"""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pydantic import AwareDatetime

from data.records.core.record import Record
from tasks.agents.alternations import build_alternation, split_list
from tasks.agents.days_named import write_days_in_full
from tasks.agents.said_hour import WrittenTime, is_span, read_said_hour
from tasks.agents.spoken_clock import write_clock_in_figures
from tasks.agents.spoken_parts import (
    EVERY_WORKDAY,
    DayPart,
    cut_part,
    cut_repeat,
    has_repeat,
)
from tasks.agents.time_patterns import TimePatterns, build_time_patterns, read_time_lists
from tasks.core.calendar.free_time import WORKING
from tasks.core.claims.due_dates import due_date
from tasks.core.claims.number_words import number_of
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, single_spaced, words

if TYPE_CHECKING:
    import re2

_MORNING, _EVENING = time(9), time(17)
"""When something of a day without a time is due; the evening, once the morning is over."""
_EDGES = " \t\n.,:;!?¿¡-–'’"
_SATURDAY = 5
_SOME_DAY = date(2000, 1, 1)
"""A day to read times by where it does not matter which days they are."""
_DAYS_OF_WEEK = 7
_MOST = 10_000
"""Units that somebody may count from now."""


class SpokenTime(Record):
    """A time that words name, and what else they say."""

    at: AwareDatetime | None = None
    """When; None where the words name no time."""
    timed: bool = False
    """Whether a time of the day was named, and not a day alone."""
    past: bool = False
    """Whether what they name is over."""
    minutes: int | None = None
    """How long it lasts, where they say so."""
    rest: str = ""
    """The words without the time."""
    unread: bool = False
    """Whether they name a time that is not understood: *every other Monday*, *31 February*. Then
    `at` is none of what was meant."""
    assumed: bool = False
    """Whether the hour was not said in full (*tomorrow morning*, *at 3*): `at` is what is assumed,
    and nothing is made before a person has seen it."""
    dated: bool = False
    """Whether a day was named, or how long from now; else an hour alone is the next one."""
    clocked: bool = False
    """Whether an hour was named, be it without its half of the day (*at 3*)."""
    ranged: bool = False
    """Whether an end was named as well: *from 10 to 11:30*."""
    repeats: str = ""
    """The rule by which it repeats (RFC 5545), of which `at` is the first time; empty for once."""


class Days(NamedTuple):
    """The days that words name, both of them included."""

    first: date
    last: date


def read_spoken_time(
    text: str,
    language: str,
    now: datetime,
    days_off: Collection[date] = (),
    working: tuple[time, time] = WORKING,
) -> SpokenTime:
    """Return when words say that something is to be, counted from `now` in its time zone.

    Working days are those from Monday to Friday but for `days_off`, the holidays; parts of a day
    stand for hours of `working`.
    """
    own, written = _write_out_times(text, language, now.date())
    past = own.past.search(written.text) is not None
    unread = _has_unread_time(own, written.text)
    rest, lasting = _cut_match(own.during, own.past.sub(" ", written.text))
    rest, ahead = _cut_match(own.ahead, rest)
    rest, clock = _cut_match(own.clock, rest)
    days = [match.group() for match in own.day.finditer(rest)]
    rest = own.day.sub(" ", rest)
    due = due_date(" ".join(days), language, now.date(), days_off) if days else None
    some_week = not days and own.week.search(rest) is not None
    is_no_day = bool(days) and due is None  # 31 February
    hour = read_said_hour(clock, written, working)
    at = None if is_no_day or hour.unread else _find_moment(due, hour.at, ahead, now)
    at = _move_to_working_day(at, days_off) if written.repeats == EVERY_WORKDAY else at
    several = written.span is not None and (clock is not None or lasting is not None)
    by_no_rule = not written.repeats and has_repeat(text, language)
    endless = bool(written.repeats) and (own.ending.search(text) is not None or ahead is not None)
    timed = hour.at is not None or ahead is not None
    return SpokenTime(
        at=at,
        timed=timed,
        past=past or (at is not None and at < now),
        minutes=hour.minutes or (_count_minutes(lasting) if lasting is not None else None),
        rest=_cut_time_words(rest, language),
        unread=unread
        or several
        or some_week
        or endless
        or by_no_rule
        or hour.unread
        or (at is None and (timed or bool(days) or own.loose.search(text) is not None)),
        assumed=hour.assumed and ahead is None,
        dated=bool(days) or ahead is not None or bool(written.repeats),
        clocked=clock is not None or written.span is not None,
        ranged=written.span is not None,
        repeats=written.repeats,
    )


def _write_out_times(
    text: str, language: str, today: date = _SOME_DAY
) -> tuple[TimePatterns, WrittenTime]:
    """Return a language's patterns, and a text with its times as these find them."""
    own, text = _write_in_figures(write_days_in_full(text, language, today), language)
    text, repeats, part_repeated = cut_repeat(text, language)
    text, part = cut_part(text, language, own.day_named, own.today)
    text, guessed = write_clock_in_figures(text, language)
    span = next((match for match in own.spans.finditer(text) if is_span(match)), None)
    if span is not None:
        text = f"{text[: span.start()]} {text[span.end() :]}"
    return own, WrittenTime(text, part or part_repeated, guessed, span, repeats)


_MOVED_TO = compiled(r"(?i)\b(to|auf)\s+(\d{1,2})\s*$")
_AT = {"to": "at", "auf": "um"}


def mark_hour_moved_to(text: str) -> str:
    """Return what is to be moved with its hour as one: *move lunch to 1* means *at 1*."""
    return str(_MOVED_TO.sub(lambda match: f"{_AT[match[1].lower()]} {match[2]}", text))


def _move_to_working_day(at: datetime | None, days_off: Collection[date]) -> datetime | None:
    """Return a time on the first working day from its own on."""
    while at is not None and (at.weekday() >= _SATURDAY or at.date() in days_off):
        at += timedelta(days=1)
    return at


def _write_in_figures(text: str, language: str) -> tuple[TimePatterns, str]:
    """Return a language's patterns, and a text with what is counted from now in figures.

    It is *in two weeks* or *in an hour*; a number word that is not known stays, and so its time is
    none.
    """
    own = build_time_patterns(language)

    def write_figures(match: "re2._Match") -> str:
        lead, unit = match.group("lead"), match.group("unit")
        if match.group("half"):
            return f" {lead} 30 {own.minute}"
        shown = "1" if match.group("one") else number_of(fold(match.group("word")))
        return f" {lead} {shown} {unit}" if shown.isdigit() else str(match.group())

    return own, str(own.counted.sub(write_figures, text))


def _has_unread_time(own: TimePatterns, text: str) -> bool:
    """Return whether words name a time that is not read, beside those of the clock and of days."""
    without_clock, without_day = own.clock.sub(" ", text), own.day.sub(" ", text)
    if own.denied.search(text) is not None:
        return True
    return own.unread.search(without_clock) is not None or own.span.search(without_day) is not None


def cut_lasting(text: str, language: str) -> tuple[str, int | None]:
    """Return the words of an event without how long it lasts, where they end in that, in minutes.

    *Call with Jonas 30 min*: of what takes place at a time, a span at its end is how long.
    """
    lists = read_time_lists(language)
    hours, minutes = (
        rf"(?P<hours>{build_alternation(lists['hours'])}|h)",
        rf"(?:{build_alternation(lists['minutes'])}|min)",
    )
    ending = compiled(rf"(?i)[\s,]+(?P<n>\d{{1,3}})\s*(?:{hours}|{minutes})\.?$")
    match = ending.search(text)
    if match is None or not text[: match.start()].strip():
        return text, None
    return text[: match.start()].rstrip(" ,"), _count_minutes(match)


def has_time(text: str, language: str) -> bool:
    """Return whether words name a time, whichever it is."""
    own, written = _write_out_times(text, language)
    if written.part or written.span or written.repeats:
        return True
    patterns = (own.day, own.clock, own.ahead, own.past)
    return any(pattern.search(written.text) is not None for pattern in patterns)


def has_unlisted_time(text: str, language: str, today: date) -> bool:
    """Return whether words name a time that is no day of which events are listed.

    It is one that is not understood, one that is over, one that there is not (*31 February*,
    *25:00*), a month as a whole, or one that repeats.
    """
    own, written = _write_out_times(text, language, today)
    if written.span or written.repeats:
        return True
    if any(pattern.search(written.text) is not None for pattern in (own.unread, own.past)):
        return True
    days = [match.group() for match in own.day.finditer(written.text)]
    if not days and own.month.search(written.text) is not None:
        return True
    if any(_has_figure(day) and due_date(day, language, today) is None for day in days):
        return True
    clock = own.clock.search(own.day.sub(" ", written.text))
    return clock is not None and read_said_hour(clock, written, WORKING).unread


def _has_figure(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def find_spoken_part(text: str, language: str) -> DayPart | None:
    """Return the part of a day that words name; None where they name none."""
    return _write_out_times(text, language)[1].part


def find_spoken_days(text: str, language: str, today: date) -> Days | None:
    """Return the days that words ask for: one of them, this week or the next; None for none."""
    own, text = _write_in_figures(write_days_in_full(text, language, today), language)
    text, _ = cut_part(text, language, own.day_named, own.today)  # *am Donnerstagnachmittag*
    if (week := own.week.search(text)) is not None:
        monday = today - timedelta(days=today.weekday())
        if week.group("next"):
            monday += timedelta(days=_DAYS_OF_WEEK)
        return Days(max(today, monday), monday + timedelta(days=_DAYS_OF_WEEK - 1))
    day_names = [match.group() for match in own.day.finditer(text)]
    day = due_date(" ".join(day_names), language, today) if day_names else None
    return Days(day, day) if day is not None else None


def _cut_match(pattern: "re2._Regexp", text: str) -> tuple[str, "re2._Match | None"]:
    """Return a text without the first match of a pattern, and the match."""
    match = pattern.search(text)
    if match is None:
        return text, None
    return f"{text[: match.start()]} {text[match.end() :]}", match


def _find_moment(
    day: date | None, hour: time | None, ahead: "re2._Match | None", now: datetime
) -> datetime | None:
    if ahead is not None:
        later = now.astimezone(UTC) + timedelta(minutes=_count_minutes(ahead))
        return later.astimezone(now.tzinfo)  # between two times of one zone clocks would count
    if hour is None:
        if day is None:
            return None
        morning = _build_time(day, _MORNING, now)
        return morning if morning >= now else _build_time(day, _EVENING, now)
    if day is not None:
        return _build_time(day, hour, now)
    today = _build_time(now.date(), hour, now)
    return today if today >= now else _build_time(now.date() + timedelta(days=1), hour, now)


def _build_time(day: date, hour: time, now: datetime) -> datetime:
    return datetime.combine(day, hour, tzinfo=now.tzinfo)


def _count_minutes(match: "re2._Match") -> int:
    """Return how many minutes a counted time is."""
    count = min(int(match.group("n")), _MOST)
    return count * 60 if match.group("hours") else count


def _cut_time_words(text: str, language: str) -> str:
    """Return words without what led on to the time, at their ends."""
    lists = read_time_lists(language)
    lead = {fold(word) for word in split_list(lists["lead"])}
    trail = {fold(word) for word in split_list(lists["before"]) + split_list(lists["at"])}
    parts = single_spaced(text).replace("'", "' ").replace("’", "’ ").split()
    while parts and (not words(parts[0]) or words(parts[0])[0] in lead):
        parts.pop(0)
    while parts and (not words(parts[-1]) or words(parts[-1])[-1] in trail):
        parts.pop()
    joined = " ".join(parts).replace("' ", "'").replace("’ ", "’")
    return joined.strip(_EDGES)
