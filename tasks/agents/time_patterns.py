"""Patterns of spoken times in a language: days, clock times, spans, and what is not read."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import data.lexicons.agents as lexicon
from data.lexicons.drafting import phrases
from data.word_lists import word_list
from tasks.agents.alternations import build_alternation, split_list
from tasks.core.patterns import compiled

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("times.yaml")
LANGUAGES = ("en", "de", "fr", "es")


class TimePatterns(NamedTuple):
    """Each finds one way to name a time."""

    past: "re2._Regexp"
    during: "re2._Regexp"
    ahead: "re2._Regexp"
    clock: "re2._Regexp"
    day: "re2._Regexp"
    week: "re2._Regexp"
    month: "re2._Regexp"
    """A month as a whole; of names that are another word as well, only behind what leads to it."""
    unread: "re2._Regexp"
    denied: "re2._Regexp"
    """A clock time that something is not to be at."""
    span: "re2._Regexp"
    spans: "re2._Regexp"
    ending: "re2._Regexp"
    """What says by when something stops to repeat, or begins to."""
    loose: "re2._Regexp"
    """What begins like a time, by a number of what is not read: *in 2 fortnights*."""
    counted: "re2._Regexp"
    day_named: str
    """The pattern of a day, to be put into others."""
    today: str
    minute: str


def read_time_lists(language: str) -> Mapping[str, str]:
    """Return the words of spoken times in a language; in English for one that is not read."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table[language if language in LANGUAGES else LANGUAGES[0]]


@cache
def build_time_patterns(language: str) -> TimePatterns:
    """Return the patterns of a language; of English for one that is not read."""
    lists = read_time_lists(language)
    names = phrases(language if language in LANGUAGES else LANGUAGES[0])
    of = {name: build_alternation(listed) for name, listed in lists.items()}
    begin, end = r"(?i)(?:^|\b|\s)", r"(?:$|\b|\s)"
    units = rf"(?P<n>\d{{1,4}})\s*(?:(?P<hours>{of['hours']})|(?:{of['minutes']}))"
    months, weekdays = build_alternation(names.months), build_alternation(names.weekdays)
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
    lead = rf"(?:(?:{of['near']})\s+)?(?:(?:{of['at']})\s+)?"
    clock = (
        rf"{lead}(?P<noon>{of['noon']})\b"
        rf"|{lead}(?P<h1>\d{{1,2}})[:.](?P<m1>\d{{2}})"
        rf"(?:\s*(?:(?P<p1>{of['evening']})|(?P<a1>{of['morning']})|{marks})|\b)"
        rf"|{lead}(?P<h2>\d{{1,2}})\s?h\s?(?P<m2>\d{{2}})?\b"
        rf"(?:\s*(?:(?P<p2>{of['evening']})|(?P<a2>{of['morning']})))?"
        rf"|{lead}(?P<h3>\d{{1,2}})"
        rf"\s*(?:(?P<p3>{of['evening']})|(?P<a3>{of['morning']})|{marks})"
        rf"|(?:{of['at']})\s+(?P<h4>\d{{1,2}})\b"
    )
    week = rf"(?P<next>{of['next_week']})|(?:{of['this_week']})"
    said = rf"\d{{1,2}}(?:[:.h]\d{{2}})?\s*(?:h|{marks}|{of['evening']}|{of['morning']})?"
    between = rf"(?:from|between|von|zwischen|de|entre)\s+{said}\s+(?:to|and|bis|und|à|et|a|y)"
    unit_words = rf"(?:{of['hours']}|{of['minutes']}|{of['days']}|{of['weeks']})"
    unread = of["unread"].replace("%", f"(?:{weekdays})").replace("#", unit_words)
    span = rf"{between}\s+{said}|\d{{1,2}}(?:[:.]\d{{2}})?\s*[-–]\s*{said}"
    on, ordinal = split_list(lists["before"])[0], r"(?:st|nd|rd|th|er|\.)?"
    return TimePatterns(
        counted=compiled(rf"{begin}{counted}\b"),
        loose=compiled(rf"(?i)^\W*(?:{of['in']}|{on})\s+(?:the\s+)?\d{{1,3}}{ordinal}\s"),
        day_named=rf"{before}(?:{day})",
        today=split_list(lists["today"])[0],
        minute=split_list(lists["minutes"])[0],
        unread=compiled(f"{begin}(?:{unread}){end}"),
        denied=compiled(rf"{begin}(?:{of['not']})\s+(?:{clock})"),
        span=compiled(f"{begin}(?:{span}){end}"),
        spans=compiled(f"{begin}(?:{_build_span_pattern(of, marks)}){end}"),
        ending=compiled(f"{begin}(?:{of['ending']}){end}"),
        past=compiled(f"{begin}(?:{of['past']}){end}"),
        during=compiled(f"{begin}(?:{of['during']})\\s+{units}{end}"),
        ahead=compiled(f"{begin}(?:{of['in']})\\s+{units}{end}"),
        clock=compiled(f"{begin}(?:{clock})"),
        day=compiled(f"{begin}{before}(?:{day})"),
        week=compiled(f"{begin}(?:{week})"),
        month=compiled(rf"{begin}(?:{of['of_month']})\s+(?:{months})\b"),
    )


def _build_span_pattern(of: Mapping[str, str], marks: str) -> str:
    """Return the pattern of two clock times, from the one to the other.

    Without a word before them a clock has to be named: *10-12 boxes* is no time.
    """

    def build_side(name: str) -> str:
        return (
            rf"(?P<h{name}>\d{{1,2}})(?:[:.h](?P<m{name}>\d{{2}}))?"
            rf"\s*(?:(?P<p{name}>{of['evening']})|(?P<a{name}>{of['morning']})|h|{marks})?"
        )

    lead = "from|between|von|zwischen|de|desde|entre"
    joint = "to|and|until|till|bis|und|à|et|jusqu'à|a|y|hasta"
    at = rf"(?:(?:{of['at']}|las|la)\s+)?"
    return (
        rf"(?:{lead})\s+{at}{build_side('1')}\s*(?:{joint})\s+{at}{build_side('2')}"
        rf"|{build_side('3')}\s*(?:[-–]|\b(?:{joint})\s)\s*{build_side('4')}"
    )
