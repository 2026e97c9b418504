"""Dates and times of a text in one form, however eight languages write them.

Numeric dates are day before month, except `2026-05-03` (ISO 8601) and where the second number is
no month. A source that leaves it open (`05/03/2026`) holds both.
"""

from functools import lru_cache
from typing import NamedTuple

import re2

from data.lexicons.drafting import number_words
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, months, words

_DIGIT = compiled(r"\d")
_PARTED = compiled(r"\d[./-]\d")
_ISO = compiled(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b")
_NUMERIC = compiled(r"\b(?P<d>\d{1,2})(?P<s>[./-])(?P<m>\d{1,2})[./-](?P<y>\d{4}|\d{2})\b")
_HALF = r"(?:[ap]\.?m\.?)"
_CLOCK = compiled(
    rf"\b(?P<h>\d{{1,2}})(?:[:.](?P<m>\d\d))?\s?(?P<half>{_HALF})(?:\W|$)"
    r"|\b(?P<h2>\d{1,2})\s?h(?:\s?(?P<m2>\d\d))?\b"
    r"|\b(?P<h3>\d{1,2})(?:[.:](?P<m3>\d\d))?\s(?:uhr|uur|godz)\b"
    r"|\b(?P<h4>\d{1,2}):(?P<m4>\d\d)(?::\d\d)?\b"
)
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|[ºª°.])?"
_OF = r"(?:\s+(?:of|de|di))?\s+"


AMBIGUOUS = frozenset(
    {"may", "mars", "mar", "marca", "marco", "march", "mai", "mei", "maja", "maj", "jan"}
)
"""Folded names of months that are other words as well; they count beside a number only."""


class StatedMoment(NamedTuple):
    """A date or a time that a text names."""

    value: str
    """`d3m5` for the third of May, `9:30` for a time of the day."""
    excerpt: str
    start: int
    end: int
    further: tuple[tuple[str, str], ...] = ()
    """What a source that names it holds too, as kind and form: the month, the number of the day."""


@lru_cache(maxsize=2048)
def moments(text: str) -> tuple[StatedMoment, ...]:
    """Return the dates with a day and the times of a folded text, none inside another."""
    if _DIGIT.search(text) is None:
        return ()
    moments_read: list[StatedMoment] = []
    taken_spans: list[tuple[int, int]] = []
    for moment in (*_numeric(text), *_days_of_months(text), *_clock(text)):
        if all(moment.end <= start or end <= moment.start for start, end in taken_spans):
            moments_read.append(moment)
            taken_spans.append((moment.start, moment.end))
    return tuple(sorted(moments_read, key=lambda item: item.start))


def blank_moments(text: str, moments_read: tuple[StatedMoment, ...]) -> str:
    """Return a text with its moments blanked out, of the same length."""
    for moment in moments_read:
        text = text[: moment.start] + " " * (moment.end - moment.start) + text[moment.end :]
    return text


def _numeric(text: str) -> list[StatedMoment]:
    moments_read = list[StatedMoment]()
    if _PARTED.search(text) is None:
        return moments_read
    for pattern in (_ISO, _NUMERIC):
        for match in pattern.finditer(text):
            day, month = int(match["d"]), int(match["m"])
            if month > 12 >= day:
                day, month = month, day
            if not (1 <= month <= 12 and 1 <= day <= 31):
                continue
            year = match["y"] if len(match["y"]) == 4 else f"20{match['y']}"
            more = _further(day, month, year)
            if pattern is _NUMERIC and match["s"] == "/" and day <= 12:
                more = (*more, ("date_or_time", f"d{month}m{day}"))
            moments_read.append(
                StatedMoment(f"d{day}m{month}", match[0], match.start(), match.end(), more)
            )
    return moments_read


def _days_of_months(text: str) -> list[StatedMoment]:
    moments_read = list[StatedMoment]()
    if _months().keys().isdisjoint(words(text)):
        return moments_read
    for pattern in _month_patterns():
        for match in pattern.finditer(text):
            day, month = int(match["d"]), month_of(match["m"])
            if 1 <= day <= 31 and month:
                more = _further(day, month, "")
                start, end = match.span()
                moments_read.append(
                    StatedMoment(f"d{day}m{month}", match[0].strip(), start, end, more)
                )
    return moments_read


def _further(day: int, month: int, year: str) -> tuple[tuple[str, str], ...]:
    own = (("date_or_time", f"month{month}"), ("number", str(day)))
    return (*own, ("number", year)) if year else own


def _clock(text: str) -> list[StatedMoment]:
    moments_read = []
    for match in _CLOCK.finditer(text):
        hour = int(match["h"] or match["h2"] or match["h3"] or match["h4"])
        minute = int(match["m"] or match["m2"] or match["m3"] or match["m4"] or 0)
        half = (match["half"] or "")[:1]
        if half == "p" and hour < 12:
            hour += 12
        elif half == "a" and hour == 12:
            hour = 0
        if hour <= 24 and minute < 60:
            excerpt = match[0].strip(" ,;:!?)")
            end = match.start() + len(excerpt)
            moments_read.append(StatedMoment(f"{hour}:{minute}", excerpt, match.start(), end))
    return moments_read


def month_of(word: str) -> int:
    """Return the number of a folded name of a month, in any language and form; 0 for others."""
    return _months().get(word, 0)


def month_alone(word: str) -> int:
    """Return the same for a name that is no other word, such as *may* or the name Marco."""
    return 0 if word in AMBIGUOUS else month_of(word)


@lru_cache(maxsize=1)
def _months() -> dict[str, int]:
    table = dict(months())
    for place in range(1, 13):
        table.update({fold(word): place for word in number_words()[f"month{place}"]})
    return table


@lru_cache(maxsize=1)
def _month_patterns() -> "tuple[re2._Regexp[str], ...]":
    names = "|".join(sorted(map(re2.escape, _months()), key=len, reverse=True))
    return (
        compiled(rf"\b{_DAY}{_OF}(?P<m>{names})\b"),
        compiled(rf"\b{_DAY}\s?(?P<m>{names})\b"),
        compiled(rf"\b(?P<m>{names})\s+(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b"),
    )
