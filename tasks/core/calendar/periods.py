"""Spans of days in questions: *last week*, *diesen Monat* (docs/agents.md#figures)."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import data.lexicons.calendar as lexicon
from data.lexicons.drafting import phrases as drafting_phrases
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.core.words.sentences import fold, whole_words

_FILE = Path(lexicon.__file__).with_name("periods.yaml")
_NUMBER = "#"
_MOST_DAYS = 3_660
_WEEK = timedelta(days=7)
_DAY = timedelta(days=1)
_IN = "in"
"""The word before the name of a month."""
_MONTH = "month_"
"""What the name of a phrase for a month begins with; its number follows."""
_COUNTED = {"last_days": 1, "last_weeks": 7}
"""Days of what is counted."""


class Period(Record):
    """A span of days, both of them included."""

    first: date
    last: date

    def moments(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return when it begins and when it is over, where the days are those of a zone."""
        begin, end = (
            datetime.combine(day, time(), tzinfo=zone) for day in (self.first, self.last + _DAY)
        )
        return begin, end


class SplitQuestion(NamedTuple):
    """A question's words, folded, without a span of days, and the words of that span."""

    words: tuple[str, ...]
    when: str = ""


class _Phrase(NamedTuple):
    name: str
    words: tuple[str, ...]


class _Place(NamedTuple):
    """Where a phrase stands among words, and the number in it."""

    phrase: _Phrase
    begin: int
    number: int


def split_question(text: str, language: str) -> SplitQuestion:
    """Return the words of a question without a span of days; a second one stays among them."""
    text_words = _folded(text)
    place = _place_in(text_words, language)
    if place is None:
        return SplitQuestion(text_words)
    end = place.begin + len(place.phrase.words)
    when = " ".join(text_words[place.begin : end])
    return SplitQuestion(text_words[: place.begin] + text_words[end:], when)


def period_in(text: str, language: str, today: date) -> Period | None:
    """Return the span of days that words name; None where they name none."""
    place = _place_in(_folded(text), language)
    return None if place is None else _period(place.phrase.name, place.number, today)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in whole_words(text))


def _place_in(text_words: Sequence[str], language: str) -> _Place | None:
    """Return where the longest phrase stands; None where none does."""
    return next(
        (
            _Place(phrase, begin, number)
            for phrase in _phrases(language)
            for begin in range(len(text_words) - len(phrase.words) + 1)
            if (number := _number_at(phrase, text_words[begin:])) is not None
        ),
        None,
    )


def _number_at(phrase: _Phrase, text_words: Sequence[str]) -> int | None:
    """Return the number in a phrase that words begin with, 1 without one; None where they do not.

    What is longer than anybody keeps figures of is no phrase of ours.
    """
    number = 1
    for expected, word in zip(phrase.words, text_words, strict=False):
        if expected == _NUMBER and word.isdecimal():
            number = int(word)
        elif expected != word:
            return None
    return number if 0 < number * _COUNTED.get(phrase.name, 1) <= _MOST_DAYS else None


def _period(name: str, number: int, today: date) -> Period:
    if name.startswith(_MONTH):
        return _month(int(name.removeprefix(_MONTH)), today)
    monday = today - timedelta(days=today.weekday())
    month, year = today.replace(day=1), today.replace(month=1, day=1)
    if name in _COUNTED:
        first = today - timedelta(days=number * _COUNTED[name] - 1)
        return Period(first=first, last=today)
    spans = {
        "today": (today, today),
        "yesterday": (today - _DAY, today - _DAY),
        "since_yesterday": (today - _DAY, today),
        "this_week": (monday, today),
        "last_week": (monday - _WEEK, monday - _DAY),
        "this_month": (month, today),
        "last_month": ((month - _DAY).replace(day=1), month - _DAY),
        "this_year": (year, today),
        "last_year": ((year - _DAY).replace(month=1, day=1), year - _DAY),
    }
    first, last = spans[name]
    return Period(first=first, last=last)


def _month(number: int, today: date) -> Period:
    """Return the newest month of that number that has begun."""
    first = date(today.year - (number > today.month), number, 1)
    last = (first + timedelta(days=31)).replace(day=1) - _DAY
    return Period(first=first, last=last)


@cache
def _phrases(language: str) -> tuple[_Phrase, ...]:
    """Return the phrases of a language, the longest first."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    listed = [
        _Phrase(name, _words_of(phrase))
        for name, phrases in table.get(language, table["en"]).items()
        for phrase in phrases.split(",")
        if name != _IN
    ]
    lead = table.get(language, table["en"])[_IN]
    months = drafting_phrases(language if language in table else "en").months
    listed += [
        _Phrase(f"{_MONTH}{number}", (fold(lead), fold(month)))
        for number, month in enumerate(months, start=1)
    ]
    return tuple(sorted(listed, key=lambda phrase: len(phrase.words), reverse=True))


def _words_of(phrase: str) -> tuple[str, ...]:
    return tuple(part if part == _NUMBER else fold(part) for part in phrase.split())
