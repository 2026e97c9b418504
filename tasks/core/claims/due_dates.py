"""The day by which a sentence says that something is due, read without guessing.

Numeric dates are day before month, except `2026-03-09` (ISO 8601); a day that has passed means the
next year's, `the 15th` the next one. A month later is the same day of that month, or its last. Of
several dates in a sentence the last one counts: a promise is due when all is done.
"""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import data.lexicons.drafting as lexicon
from data.lexicons.drafting import phrases
from data.word_lists import word_list
from tasks.core.claims.dates import AMBIGUOUS
from tasks.core.claims.number_words import number_of
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, words

_FILE = Path(lexicon.__file__).with_name("promises.yaml")
_ISO = compiled(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_NUMERIC = compiled(r"\b(\d{1,2})[./](\d{1,2})(?:[./](\d{4}))?\b")
_ORDINALS = {
    "en": compiled(
        r"(?i)(?:\b(?:by|on|until|till|before)|day,?) the (\d{1,2})(?:st|nd|rd|th)(?:[.,;!)]|$)"
    ),
    "de": compiled(r"(?i)\b(?:am|zum|den|dem|vor dem) (\d{1,2})\.(?:[,;!)]|\s*$)"),
}
"""A day of a month that is not named, where the words beside it leave no doubt."""
_FRIDAY = 4
_MOST_UNITS = 400
_CASES = 3
"""Letters that a Polish name of a day or month keeps in every case."""


def due_date(
    sentence: str, language: str, today: date, days_off: Collection[date] = ()
) -> date | None:
    """Return the day that `sentence` names as its last, counted from `today`, or None.

    Working days are those from Monday to Friday but for `days_off`, the holidays.
    """
    days = [
        *_dates_in_figures(sentence, language, today),
        *_dates_by_name(sentence, language, today),
    ]
    days += _relative(sentence, language, today, days_off)
    return max(days, default=None)


@cache
def read_list(name: str, language: str) -> frozenset[tuple[str, ...]]:
    """Return a list of `promises.yaml` as rows of folded words."""
    table = _table()
    entry = table.get(language, table["en"])[name]
    return frozenset(tuple(words(mark)) for mark in entry.split(",") if words(mark))


@cache
def listed_as_written(name: str, language: str) -> frozenset[str]:
    """Return a list of `promises.yaml` with its accents, which tell *enviaré* from *envíe*."""
    table = _table()
    entry = table.get(language, table["en"])[name]
    return frozenset(part.strip() for part in entry.split(",") if part.strip())


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table


def says(sentence_words: Sequence[str], name: str, language: str) -> bool:
    """Return whether folded words hold an entry of a list, as words in a row."""
    rows = {
        tuple(sentence_words[at : at + size])
        for at in range(len(sentence_words))
        for size in range(1, 5)
    }
    return bool(rows & read_list(name, language))


def _dates_in_figures(sentence: str, language: str, today: date) -> list[date]:
    """Return dates in figures."""
    days = [_make_date(int(y), int(m), int(d)) for y, m, d in _ISO.findall(sentence)]
    rest = _ISO.sub(" ", sentence)
    for day, month, year in _NUMERIC.findall(rest):
        days.append(_next(int(day), int(month), int(year) if year else 0, today))
    if (ordinal := _ORDINALS.get(language)) is not None:
        days += [_next_of_month(int(day), today) for day in ordinal.findall(rest)]
    return [day for day in days if day is not None]


def _dates_by_name(sentence: str, language: str, today: date) -> list[date]:
    """Return days that are named: by month and number, or as a day of the week."""
    sentence_words = words(sentence)
    lists = phrases(language)
    cut = _CASES if language == "pl" else None
    months = {fold(name)[:cut]: number for number, name in enumerate(lists.months, start=1)}
    weekdays = {words(name)[0][:cut]: number for number, name in enumerate(lists.weekdays)}
    dates: list[date | None] = []
    for at, word in enumerate(sentence_words):
        if (month := months.get(word[:cut])) is not None:
            beside = [*sentence_words[max(0, at - 2) : at][::-1], *sentence_words[at + 1 : at + 2]]
            day = next((n for near in beside if (n := _number_of_day(near))), 0)
            year = next(
                (int(n) for n in sentence_words[at + 1 : at + 3] if len(n) == 4 and n.isdigit()), 0
            )
            if not day and _ends(sentence_words[:at], "end_of", language):
                dates.append(_next(1, month, year, today, last=True))
            elif day or (cut is None and word not in AMBIGUOUS and year):
                dates.append(_next(day or 28, month, year, today))
        if (weekday := weekdays.get(word[:cut])) is not None:
            ahead = (weekday - today.weekday()) % 7 or 7
            if says(sentence_words, "next_week", language):
                ahead = 7 - today.weekday() + weekday
            dates.append(today + timedelta(days=ahead))
    return [day for day in dates if day is not None]


def _relative(sentence: str, language: str, today: date, days_off: Collection[date]) -> list[date]:
    """Return days that are counted from today."""
    sentence_words = words(sentence)
    days: list[date] = []
    if says(sentence_words, "today", language):
        days.append(today)
    if says(sentence_words, "after_tomorrow", language):
        days.append(today + timedelta(days=2))
    elif says(sentence_words, "tomorrow", language) and (
        _times(sentence_words, "tomorrow", language) > _times(sentence_words, "morning", language)
    ):
        days.append(today + timedelta(days=1))
    monday = today - timedelta(days=today.weekday())
    if says(sentence_words, "this_week", language):
        days.append(max(today, monday + timedelta(days=_FRIDAY)))
    if says(sentence_words, "week_end", language):
        days.append(today + timedelta(days=(_FRIDAY - today.weekday()) % 7))
    if says(sentence_words, "month_end", language):
        days.append(_last_of(today))
    if says(sentence_words, "next_week", language) and not _dates_by_name(
        sentence, language, today
    ):
        days.append(monday + timedelta(days=7 + _FRIDAY))
    if says(sentence_words, "next_month", language):
        days.append(_last_of(_later(today, 1)))
    ones = fold(phrases(language).numbers[1])
    for at, word in enumerate(sentence_words):
        shown = word if word.isdigit() and len(word) <= 3 else number_of(word)
        count = int(shown) if shown else int(word == ones)
        if 0 < count <= _MOST_UNITS:
            days += _days_counted(count, sentence_words[at + 1 : at + 3], language, today, days_off)
        if word in _units(language) and _ends(sentence_words[:at], "within_one", language):
            days += _days_counted(1, sentence_words[at : at + 2], language, today, days_off)
    return days


@cache
def _units(language: str) -> frozenset[str]:
    """Return the words for hours, days, weeks and months, folded."""
    rows = (row for name in ("hour", "day", "week", "month") for row in read_list(name, language))
    return frozenset(row[0] for row in rows)


def _times(sentence_words: Sequence[str], name: str, language: str) -> int:
    """Return how often folded words hold an entry of a list."""
    return sum(_ends(sentence_words[: at + 1], name, language) for at in range(len(sentence_words)))


def _ends(sentence_words: Sequence[str], name: str, language: str) -> bool:
    """Return whether folded words end with an entry of a list."""
    return any(tuple(sentence_words[-len(row) :]) == row for row in read_list(name, language))


def _days_counted(
    count: int, after: Sequence[str], language: str, today: date, days_off: Collection[date]
) -> list[date]:
    """Return what `count` of the unit after it means."""
    if says(after[:1], "hour", language):
        return [today + timedelta(days=-(-count // 24))]
    if says(after[:1], "week", language):
        return [today + timedelta(weeks=count)]
    if says(after[:1], "month", language):
        return [_later(today, count)]
    if says(after, "working", language):
        return [_working(today, count, days_off)]
    if says(after[:1], "day", language):
        return [today + timedelta(days=count)]
    return []


def _last_of(today: date) -> date:
    """Return the last day of a month."""
    return (today.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _working(today: date, count: int, days_off: Collection[date]) -> date:
    """Return the day after so many days from Monday to Friday that are no holidays."""
    day = today
    while count:
        day += timedelta(days=1)
        count -= day.weekday() <= _FRIDAY and day not in days_off
    return day


def _number_of_day(word: str) -> int:
    """Return the number of a day of a month, as `9`, `9th` or `9e`, or 0."""
    digits = word.rstrip("stndrhe")
    return int(digits) if digits.isdigit() and 1 <= int(digits) <= 31 else 0


def _next(day: int, month: int, year: int, today: date, *, last: bool = False) -> date | None:
    """Return a day of this year, or of the next one when it has passed; None for no day.

    With `last` it is the month's last day. The 29th of February is one of a leap year alone.
    """
    years = (year,) if year else (today.year, today.year + 1)
    days = [
        made for year_tried in years if (made := _make_date(year_tried, month, day)) is not None
    ]
    ends = [_last_of(day_read) if last else day_read for day_read in days]
    return next((end for end in ends if year or end >= today), None)


def _next_of_month(day: int, today: date) -> date | None:
    """Return the next day of that number, or None where no month has it."""
    months = (
        (today.year + (today.month - 1 + n) // 12, (today.month - 1 + n) % 12 + 1)
        for n in (0, 1, 2)
    )
    days = (_make_date(year, month, day) for year, month in months)
    return next((day_read for day_read in days if day_read is not None and day_read >= today), None)


def _later(today: date, months: int) -> date:
    """Return the same day so many months later, or the last day of a shorter month."""
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    next_month = date(year, month + 1, 1)
    return next_month.replace(day=min(today.day, _last_of(next_month).day))


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
