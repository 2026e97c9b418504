"""When something is to be, as people say it to an agent: *on Friday at 9*, *morgen um 14 Uhr*.

The days are read as those of promises are (`tasks/claims/due_dates.py`); what is new is the time of
the day, and what is left of the words once the time is taken out of them. Nothing is guessed: words
that name no time have none.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import AwareDatetime

import data.lexicons.agents as lexicon
from data.lexicons.drafting import phrases
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.claims.due_dates import due_date
from tasks.claims.number_words import number_of
from tasks.patterns import compiled
from tasks.words.sentences import fold, single_spaced, words

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("times.yaml")
LANGUAGES = ("en", "de", "fr", "es")
_MORNING, _EVENING = time(9), time(17)
"""When something of a day without a time is due; the evening, once the morning is over."""
_EDGES = " \t\n.,:;!?¿¡-–'’"
_NOON, _HALF_DAY, _LAST_HOUR = 12, 12, 23
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
    """Whether they name a time that is not understood: *every Monday*, *31 February*. Then `at` is
    none of what was meant."""


class Days(NamedTuple):
    """The days that words name, both of them included."""

    first: date
    last: date


class _Patterns(NamedTuple):
    past: "re2._Regexp"
    during: "re2._Regexp"
    ahead: "re2._Regexp"
    clock: "re2._Regexp"
    day: "re2._Regexp"
    week: "re2._Regexp"
    unread: "re2._Regexp"
    span: "re2._Regexp"
    counted: "re2._Regexp"
    minute: str


def spoken_time(
    text: str, language: str, now: datetime, days_off: Collection[date] = ()
) -> SpokenTime:
    """Return when words say that something is to be, counted from `now` in its time zone.

    Working days are those from Monday to Friday but for `days_off`, the holidays.
    """
    own, text = _in_figures(text, language)
    past = own.past.search(text) is not None
    unread = _unread(own, text)
    rest, lasting = _cut(own.during, own.past.sub(" ", text))
    rest, ahead = _cut(own.ahead, rest)
    rest, clock = _cut(own.clock, rest)
    days = [match.group() for match in own.day.finditer(rest)]
    rest = own.day.sub(" ", rest)
    due = due_date(" ".join(days), language, now.date(), days_off) if days else None
    is_no_day = bool(days) and due is None  # 31 February
    at = None if is_no_day else _moment(due, clock, ahead, now)
    return SpokenTime(
        at=at,
        timed=clock is not None or ahead is not None,
        past=past or (at is not None and at < now),
        minutes=_counted(lasting) if lasting is not None else None,
        rest=_bare(rest, language),
        unread=unread or (at is None and (clock is not None or bool(days))),
    )


def _in_figures(text: str, language: str) -> tuple[_Patterns, str]:
    """Return a language's patterns, and a text with what is counted from now in figures.

    It is *in two weeks* or *in an hour*; a number word that is not known stays, and so its time is
    none.
    """
    own = _patterns(language if language in LANGUAGES else LANGUAGES[0])

    def figures(match: "re2._Match") -> str:
        lead, unit = match.group("lead"), match.group("unit")
        if match.group("half"):
            return f" {lead} 30 {own.minute}"
        shown = "1" if match.group("one") else number_of(fold(match.group("word")))
        return f" {lead} {shown} {unit}" if shown.isdigit() else str(match.group())

    return own, str(own.counted.sub(figures, text))


def _unread(own: _Patterns, text: str) -> bool:
    """Return whether words name a time that is not read, beside those of the clock and of days."""
    without_clock, without_day = own.clock.sub(" ", text), own.day.sub(" ", text)
    return own.unread.search(without_clock) is not None or own.span.search(without_day) is not None


def names_time(text: str, language: str) -> bool:
    """Return whether words name a time, whichever it is."""
    own, text = _in_figures(text, language)
    return any(
        pattern.search(text) is not None for pattern in (own.day, own.clock, own.ahead, own.past)
    )


def names_unread_time(text: str, language: str) -> bool:
    """Return whether words name a time that is not understood, or one that is over."""
    own, text = _in_figures(text, language)
    return any(pattern.search(text) is not None for pattern in (own.unread, own.past))


def spoken_days(text: str, language: str, today: date) -> Days | None:
    """Return the days that words ask for: one of them, this week or the next; None for none."""
    own, text = _in_figures(text, language)
    if (week := own.week.search(text)) is not None:
        monday = today - timedelta(days=today.weekday())
        if week.group("next"):
            monday += timedelta(days=_DAYS_OF_WEEK)
        return Days(max(today, monday), monday + timedelta(days=_DAYS_OF_WEEK - 1))
    day_names = [match.group() for match in own.day.finditer(text)]
    day = due_date(" ".join(day_names), language, today) if day_names else None
    return Days(day, day) if day is not None else None


def _cut(pattern: "re2._Regexp", text: str) -> tuple[str, "re2._Match | None"]:
    """Return a text without the first match of a pattern, and the match."""
    match = pattern.search(text)
    if match is None:
        return text, None
    return f"{text[: match.start()]} {text[match.end() :]}", match


def _moment(
    day: date | None,
    clock: "re2._Match | None",
    ahead: "re2._Match | None",
    now: datetime,
) -> datetime | None:
    if ahead is not None:
        return now + timedelta(minutes=_counted(ahead))
    if clock is None:
        if day is None:
            return None
        morning = _on(day, _MORNING, now)
        return morning if morning >= now else _on(day, _EVENING, now)
    hour = _time_of(clock)
    if hour is None:
        return None
    if day is not None:
        return _on(day, hour, now)
    today = _on(now.date(), hour, now)
    return today if today >= now else _on(now.date() + timedelta(days=1), hour, now)


def _on(day: date, hour: time, now: datetime) -> datetime:
    return datetime.combine(day, hour, tzinfo=now.tzinfo)


def _time_of(clock: "re2._Match") -> time | None:
    if clock.group("noon"):
        return time(_NOON)
    parts = {name: value for name, value in clock.groupdict().items() if value and name != "noon"}
    hour = int(next(value for name, value in parts.items() if name.startswith("h")))
    minute = int(next((value for name, value in parts.items() if name.startswith("m")), "0"))
    halves = {name[0] for name in parts if name[0] in "pa"}
    if halves and hour > _HALF_DAY:
        return time(hour, minute) if "p" in halves and hour <= _LAST_HOUR and minute < 60 else None
    if "p" in halves and hour < _HALF_DAY:
        hour += _HALF_DAY
    elif "a" in halves and hour == _HALF_DAY:
        hour = 0
    return time(hour, minute) if hour <= _LAST_HOUR and minute < 60 else None


def _counted(match: "re2._Match") -> int:
    """Return how many minutes a counted time is."""
    count = min(int(match.group("n")), _MOST)
    return count * 60 if match.group("hours") else count


def _bare(text: str, language: str) -> str:
    """Return words without what led on to the time, at their ends."""
    lists = _table()[language if language in LANGUAGES else LANGUAGES[0]]
    lead = {fold(word) for word in _split(lists["lead"])}
    trail = {fold(word) for word in _split(lists["before"]) + _split(lists["at"])}
    parts = single_spaced(text).replace("'", "' ").replace("’", "’ ").split()
    while parts and (not words(parts[0]) or words(parts[0])[0] in lead):
        parts.pop(0)
    while parts and (not words(parts[-1]) or words(parts[-1])[-1] in trail):
        parts.pop()
    joined = " ".join(parts).replace("' ", "'").replace("’ ", "’")
    return joined.strip(_EDGES)


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table


def _split(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",")]


def _either(listed: Sequence[str]) -> str:
    """Return an alternation of words, with and without their accents, the longest first."""
    both = {word for each in listed for word in (each.lower(), fold(each))}
    return "|".join(_quoted(word) for word in sorted(both, key=len, reverse=True))


def _quoted(word: str) -> str:
    return "".join(
        "['’]" if mark in "'’" else f"\\{mark}" if mark in ".-" else mark for mark in word
    )


@cache
def _patterns(language: str) -> _Patterns:
    lists: Mapping[str, str] = _table()[language]
    names = phrases(language)
    of = {name: _either(_split(listed)) for name, listed in lists.items()}
    begin, end = r"(?i)(?:^|\b|\s)", r"(?:$|\b|\s)"
    units = rf"(?P<n>\d{{1,4}})\s*(?:(?P<hours>{of['hours']})|(?:{of['minutes']}))"
    months, weekdays = _either(names.months), _either(names.weekdays)
    year = r"(?:,?\s+(?:de\s+)?\d{4}\b)?"
    before = rf"(?:(?:{of['before']})\s+)*"
    calendar_units = rf"(?:{of['days']}|{of['weeks']}|{of['months']})"
    working = rf"(?:(?:{of['working']})\s+)?" if of["working"] else ""
    working_behind = rf"(?:\s+(?:{of['working']}))?" if of["working"] else ""
    counted = (
        rf"(?P<lead>{of['in']}|{of['during']})\s+(?:(?P<half>{of['half_hour']})"
        rf"|(?:(?P<one>{of['one']})|(?P<word>\pL[\pL\-]*))"
        rf"\s+(?P<unit>{working}(?:{of['hours']}|{of['minutes']}|{calendar_units})))"
    )
    day = (
        rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}})?"
        rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?(?:{months})\b{year}"
        rf"|(?:{months})\s+\d{{1,2}}(?:st|nd|rd|th)?\b{year}"
        rf"|(?:{of['later']}|{of['today']}|{of['tomorrow']}|{weekdays})\b"
        rf"|(?:{of['in']})\s+\d{{1,3}}\s+{working}{calendar_units}{working_behind}\b"
    )
    marks = rf"(?:{of['clock']})"
    clock = (
        rf"(?:(?:{of['at']})\s+)?(?P<noon>{of['noon']})\b"
        rf"|(?:(?:{of['at']})\s+)?(?P<h1>\d{{1,2}})[:.](?P<m1>\d{{2}})"
        rf"(?:\s*(?:(?P<p1>{of['evening']})|(?P<a1>{of['morning']})|{marks})|\b)"
        rf"|(?:(?:{of['at']})\s+)?(?P<h2>\d{{1,2}})\s?h\s?(?P<m2>\d{{2}})?\b"
        rf"(?:\s*(?:(?P<p2>{of['evening']})|(?P<a2>{of['morning']})))?"
        rf"|(?:(?:{of['at']})\s+)?(?P<h3>\d{{1,2}})"
        rf"\s*(?:(?P<p3>{of['evening']})|(?P<a3>{of['morning']})|{marks})"
        rf"|(?:{of['at']})\s+(?P<h4>\d{{1,2}})\b"
    )
    week = rf"(?P<next>{of['next_week']})|(?:{of['this_week']})"
    said = rf"\d{{1,2}}(?:[:.h]\d{{2}})?\s*(?:h|{marks}|{of['evening']}|{of['morning']})?"
    between = rf"(?:from|between|von|zwischen|de|entre)\s+{said}\s+(?:to|and|bis|und|à|et|a|y)"
    unit_words = rf"(?:{of['hours']}|{of['minutes']}|{of['days']}|{of['weeks']})"
    unread = of["unread"].replace("%", f"(?:{weekdays})").replace("#", unit_words)
    span = rf"{between}\s+{said}|\d{{1,2}}(?:[:.]\d{{2}})?\s*[-–]\s*{said}"
    return _Patterns(
        counted=compiled(rf"{begin}{counted}\b"),
        minute=_split(lists["minutes"])[0],
        unread=compiled(f"{begin}(?:{unread}){end}"),
        span=compiled(f"{begin}(?:{span}){end}"),
        past=compiled(f"{begin}(?:{of['past']}){end}"),
        during=compiled(f"{begin}(?:{of['during']})\\s+{units}{end}"),
        ahead=compiled(f"{begin}(?:{of['in']})\\s+{units}{end}"),
        clock=compiled(f"{begin}(?:{clock})"),
        day=compiled(f"{begin}{before}(?:{day})"),
        week=compiled(f"{begin}(?:{week})"),
    )
