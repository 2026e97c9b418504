"""Clock times in words as figures: *halb neun*, *quarter past 3*, *8 heures et demie*.

They are written out before a time is read (`spoken_time`); what has no figure stays as it is.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import data.lexicons.agents as lexicon
from data.word_lists import word_list
from tasks.agents.alternations import build_alternation, split_list
from tasks.core.claims.number_words import number_of
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("clock.yaml")
_HOURS, _HALF_DAY, _HOUR = 24, 12, 60
_HALF, _QUARTER = 30, 15
_GUESSED_BELOW = 7
"""Hours before which nobody means the morning who does not say so."""
_WORD = r"\pL[\pL\-]*"


class _Shape(NamedTuple):
    """A way to say a clock time, and how many minutes it is from the hour that it names."""

    pattern: "re2._Regexp"
    minutes: Callable[[int], int]


def read_clock_lists(language: str) -> Mapping[str, str]:
    """Return the words of clock times, of parts of a day and of what repeats in a language."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table.get(language, table["en"])


class TextInFigures(NamedTuple):
    """A text with its clock times in figures."""

    text: str
    guessed: bool = False
    """Whether half of the day was guessed: *quarter past 3* is meant in the afternoon."""


def write_clock_in_figures(text: str, language: str) -> TextInFigures:
    """Return a text with its clock times in figures: *at half past eight* is *at 8:30*."""
    guessed = False
    for shape in _build_shapes(language):
        rewritten = _rewrite_shape(shape, text, language)
        text, guessed = rewritten.text, guessed or rewritten.guessed
    return TextInFigures(_write_whole_hours(text, language), guessed)


def _rewrite_shape(shape: _Shape, text: str, language: str) -> TextInFigures:
    pieces, end, guessed = [], 0, False
    for match in shape.pattern.finditer(text):
        parts = match.groupdict()
        hour = _read_hour(parts["hour"], language)
        minute = _read_number(parts.get("minute") or "0")
        if hour is None or minute is None or hour > _HOURS or minute >= _HOUR:
            continue
        at = (hour * _HOUR + shape.minutes(minute)) % (_HOURS * _HOUR)
        half_said = _build_half_pattern(language).match(text[match.end() :]) is not None
        if hour == 1 and at < _HOUR:
            at += _HALF_DAY * _HOUR  # *halb eins* is half past twelve
        early = at < _GUESSED_BELOW * _HOUR and not half_said
        at += _HALF_DAY * _HOUR * early
        guessed = guessed or early
        lead = parts.get("lead") or ""
        pieces += [text[end : match.start()], f" {lead} {at // _HOUR}:{at % _HOUR:02d} "]
        end = match.end()
    return TextInFigures("".join([*pieces, text[end:]]), guessed)


def _write_whole_hours(text: str, language: str) -> str:
    """Return a text with a whole hour behind *at* in figures: *at nine* is *at 9*.

    What follows has to go on from a time: *at one of our shops* names none.
    """

    def write_figures(match: "re2._Match") -> str:
        hour = _read_hour(match.group("hour"), language)
        behind = _build_following_pattern(language).match(match.string[match.end() :])
        if hour is None or not 0 < hour <= _HALF_DAY or behind is None:
            return str(match.group())
        return f" {match.group('lead')} {hour}"

    return str(_build_hour_pattern(language).sub(write_figures, text))


def _read_hour(figure: str, language: str) -> int | None:
    """Return what an hour in figures or words is; None of another word."""
    if fold(figure) in {fold(each) for each in split_list(read_clock_lists(language)["one"])}:
        return 1
    return _read_number(figure)


def _read_number(figure: str) -> int | None:
    """Return what a number in figures or words is; None of another word."""
    shown = figure if figure.isdecimal() else number_of(fold(figure))
    return int(shown) if shown.isdecimal() else None


@cache
def _build_half_pattern(language: str) -> "re2._Regexp":
    """Return what says behind a clock time in which half of the day it is."""
    return compiled(rf"(?i)\s*(?:{build_alternation(read_clock_lists(language)['halves'])})")


@cache
def _build_following_pattern(language: str) -> "re2._Regexp":
    listed = split_list(read_clock_lists(language)["follows"])
    whole = build_alternation([word for word in listed if word[0] != "*"])
    ends = "".join(rf"|\pL+{word[1:]}" for word in listed if word[0] == "*")
    return compiled(rf"(?i)\s*(?:$|[,.;!?]|(?:{whole}{ends})(?:$|\s))")


@cache
def _build_hour_pattern(language: str) -> "re2._Regexp":
    lead = build_alternation(read_clock_lists(language)["hour_behind"])
    return compiled(rf"(?i)(?:^|\s)(?P<lead>{lead})\s+(?P<hour>{_WORD})")


@cache
def _build_shapes(language: str) -> tuple[_Shape, ...]:
    lists = read_clock_lists(language)
    begin = r"(?i)(?:^|\s)"
    hour = rf"(?P<hour>\d{{1,2}}|{_WORD})"
    number = rf"(?P<minute>\d{{1,2}}|{_WORD})"
    at = rf"(?:(?P<lead>{build_alternation(lists['at'])})\s+)"
    strictly_at = rf"(?:(?P<lead>{build_alternation(lists['hour_behind'])})\s+)"
    marked = r"(?:\s*(?:heures?|horas|h)\b)?"
    before: tuple[tuple[str, Callable[[int], int]], ...] = (
        ("half", lambda _: _HALF),
        ("to_half", lambda _: -_HALF),
        ("quarter_past", lambda _: _QUARTER),
        ("quarter_to", lambda _: -_QUARTER),
    )
    behind: tuple[tuple[str, Callable[[int], int]], ...] = (
        ("behind_half", lambda _: _HALF),
        ("behind_quarter", lambda _: _QUARTER),
        ("behind_quarter_to", lambda _: -_QUARTER),
    )
    counted: tuple[tuple[str, Callable[[int], int]], ...] = (
        ("minutes_past", lambda minute: minute),
        ("minutes_to", lambda minute: -minute),
    )
    written = [
        (rf"{begin}{at}?(?:{build_alternation(lists[name])})\s+{hour}\b", minutes)
        for name, minutes in before
        if lists[name]
    ]
    written += [
        (rf"{begin}{at}{hour}{marked}\s+(?:{build_alternation(lists[name])})(?:\b|$)", minutes)
        for name, minutes in behind
        if lists[name]
    ]
    written += [
        (
            rf"{begin}{strictly_at}{number}\s+(?:{build_alternation(lists[name])})\s+{hour}\b",
            minutes,
        )
        for name, minutes in counted
        if lists[name]
    ]
    if lists["behind_minutes"]:
        joint = build_alternation(lists["behind_minutes"])
        written.append((rf"{begin}{at}{hour}\s*(?:{joint})\s+{number}\b", lambda minute: minute))
    return tuple(_Shape(compiled(pattern), minutes) for pattern, minutes in written)
