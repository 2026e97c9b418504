"""Parts of a day, and what repeats, as people say them: *morgen früh*, *every Monday at 9*."""

from collections.abc import Sequence
from datetime import time
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from data.lexicons.drafting import phrases
from tasks.agents.alternations import build_alternation, split_list
from tasks.agents.spoken_clock import read_clock_lists
from tasks.core.patterns import compiled

if TYPE_CHECKING:
    import re2

_NOON, _EVENING, _EVENING_BEGUN = time(12), time(17), time(18)
"""Noon, and the hour in which the afternoon and the evening are one."""
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_EVERY_DAY, EVERY_WORKDAY = "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


class DayPart(StrEnum):
    """A part of a day."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"

    def has_hour(self, hour: time) -> bool:
        """Return whether a clock time is in it."""
        if self is DayPart.MORNING:
            return hour < _NOON
        return hour >= (_EVENING if self is DayPart.EVENING else _NOON)

    @property
    def span(self) -> tuple[time, time]:
        """When it begins and ends, of what takes place in it."""
        if self is DayPart.MORNING:
            return time(), _NOON
        return (_EVENING, time.max) if self is DayPart.EVENING else (_NOON, _EVENING_BEGUN)

    def choose_hour(self, working: tuple[time, time]) -> time:
        """Return the hour that it stands for, within working hours.

        In the morning work begins, in the evening it ends; the afternoon begins at two.
        """
        begin, end = working
        if self is DayPart.MORNING:
            return begin
        return end if self is DayPart.EVENING else max(begin, min(time(14), end))


class PartCut(NamedTuple):
    """A text without a part of the day."""

    text: str
    part: DayPart | None = None


class RepeatCut(NamedTuple):
    """A text without what says that something repeats; the day of the first time stays in it."""

    text: str
    rule: str = ""
    """Of RFC 5545; empty where nothing repeats."""
    part: DayPart | None = None
    """The part of the day in which it does, where that was said with it: *every morning*."""


def cut_part(text: str, language: str, day: str, today: str) -> PartCut:
    """Return a text without the part of a day that it names behind a day, or for today.

    Args:
        text: what somebody says.
        language: its language.
        day: pattern of a day.
        today: the word for today, which *this evening* is written out with.

    """
    for part in DayPart:
        own = _build_patterns(language, day)[part]
        if (match := own.today.search(text)) is not None:
            return PartCut(f"{text[: match.start()]} {today} {text[match.end() :]}", part)
        if (match := own.behind.search(text)) is not None:
            kept = match.group("day")
            return PartCut(f"{text[: match.start()]} {kept} {text[match.end() :]}", part)
    return PartCut(text)


def cut_repeat(text: str, language: str) -> RepeatCut:
    """Return a text without what says that something repeats, by its rule.

    Of a weekday the day stays: *every Monday* begins on Monday.
    """
    for repeat in _build_repeats(language):
        if (match := repeat.pattern.search(text)) is not None:
            rest = f"{text[: match.start()]} {repeat.day} {text[match.end() :]}"
            return RepeatCut(rest, repeat.rule, repeat.part)
    return RepeatCut(text)


def has_repeat(text: str, language: str) -> bool:
    """Return whether words say that something repeats, be it by a rule that is not read.

    *Every first Monday* and *on the last day of each month* do, *each customer* does not; *weekly*
    does where it begins or ends what is said, and is a part of a name within it.
    """
    return _build_repeating_pattern(language).search(text) is not None


@cache
def _build_repeating_pattern(language: str) -> "re2._Regexp":
    lists = read_clock_lists(language)
    every = f"{build_alternation(lists['every'])}|{build_alternation(lists['every_few'])}"
    units = (
        f"{build_alternation(lists['units'])}|(?:{build_alternation(phrases(language).weekdays)})s?"
    )
    adverbs = build_alternation(lists["repeatedly"])
    end = r"(?:$|[\s,.;:!?])"
    return compiled(
        rf"(?i)(?:^|\s)(?:{every})\s+(?:[\pL\d]+\.?\s+)?(?:{units}){end}"
        rf"|^(?:{adverbs}){end}|\s(?:{adverbs})\W*$"
    )


class _Repeat(NamedTuple):
    """A way to say that something repeats."""

    rule: str
    pattern: "re2._Regexp"
    day: str = ""
    """The day of the first time, which stays in the text."""
    part: DayPart | None = None


class _PartPatterns(NamedTuple):
    today: "re2._Regexp"
    behind: "re2._Regexp"


@cache
def _build_patterns(language: str, day: str) -> dict[DayPart, _PartPatterns]:
    lists = read_clock_lists(language)
    begin, end = r"(?i)(?:^|\s)", r"(?:$|[\s,.;:!?])"
    never = r"[^\s\S]"
    weekdays = build_alternation(phrases(language).weekdays)
    return {
        part: _PartPatterns(
            today=compiled(f"{begin}(?:{build_alternation(lists[f'today_{part}']) or never}){end}"),
            behind=compiled(
                rf"{begin}(?P<day>{day}|{weekdays}),?\s*(?:{build_alternation(lists[part])}){end}"
            ),
        )
        for part in DayPart
    }


@cache
def _build_repeats(language: str) -> Sequence[_Repeat]:
    """Return the ways to say that something repeats."""
    lists = read_clock_lists(language)

    def pattern(shape: str) -> "re2._Regexp":
        return compiled(rf"(?i)(?:^|\s)(?:{shape})(?:$|[\s,.;:!?])")

    listed = [_Repeat(EVERY_WORKDAY, pattern(build_alternation(lists["weekdays"])))]
    listed += [
        _Repeat(_EVERY_DAY, pattern(build_alternation(lists[f"daily_{part}"])), part=part)
        for part in DayPart
    ]
    listed.append(_Repeat(_EVERY_DAY, pattern(build_alternation(lists["daily"]))))
    every = build_alternation(lists["every"])
    for code, name in zip(_WEEKDAYS, phrases(language).weekdays, strict=True):
        shapes = [shape.replace("%", name) for shape in split_list(lists["weekly"])]
        weekly = "|".join(
            [
                rf"(?:{every})\s+(?:{build_alternation([name])})s?",
                *map(build_alternation, map(split_list, shapes)),
            ]
        )
        listed.append(_Repeat(f"FREQ=WEEKLY;BYDAY={code}", pattern(weekly), name))
    return listed
