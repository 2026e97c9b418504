"""Days that people name by several words, as dates that can be read: *Tuesday next week*.

What is read of such words alone is another day: the Tuesday of this week, or tomorrow.
"""

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from data.lexicons.drafting import phrases
from tasks.agents.alternations import build_alternation, split_list
from tasks.agents.time_patterns import LANGUAGES, read_time_lists
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, months, words

if TYPE_CHECKING:
    import re2

_DAYS_OF_WEEK = 7
_MONTHS = 12
_LAST_HOUR = 23
_NEXT = 3
"""Words behind a day among which its month may stand: *15th of December*."""
_ORDINAL = {"en": "(?:st|nd|rd|th)", "de": r"\.", "fr": "(?:er)?", "es": ""}
_BEGIN, _END = r"(?i)(?:^|\s)", r"(?:$|[\s,.;:!?])"


def write_days_in_full(text: str, language: str, today: date) -> str:
    """Return a text with such days as dates: *next week Tuesday*, *on the 15th*, *jeudi prochain*.

    The 15th is the next one from today on; where that month has no such day, the date that is
    written is none, and so is not understood.
    """
    language = language if language in LANGUAGES else LANGUAGES[0]

    def write_day_of_week(match: "re2._Match") -> str:
        weekday, week = fold(match.group("day")), fold(match.group("week"))
        names = [fold(name) for name in phrases(language).weekdays]
        monday = today - timedelta(days=today.weekday())
        following = week in map(fold, split_list(read_time_lists(language)["next_week"]))
        days = _DAYS_OF_WEEK * following + names.index(weekday)
        return (monday + timedelta(days=days)).isoformat()

    def write_day_of_month(match: "re2._Match") -> str:
        number = int(match.group("number"))
        before = len(words(match.group("lead"))) + 1
        following = words(match.string[match.start() :])[before : before + _NEXT]
        if not number or not months().keys().isdisjoint(following):
            return str(match.group())
        months_on = today.month - 1 + (number < today.day)
        year, month = today.year + months_on // _MONTHS, months_on % _MONTHS + 1
        return f"{match.group('lead')}{year}-{month:02}-{number:02}{match.group('tail')}"

    def write_day_at_hour(match: "re2._Match") -> str:
        if int(match.group("hour")) > _LAST_HOUR:
            return str(match.group())
        return f"{match.group('day')} at {match.group('hour')}{match.group('tail')}"

    def write_postposed_day(match: "re2._Match") -> str:
        return str(match.group("day"))

    own = _build_patterns(language)
    replaced: list[tuple[str, Callable[[re2._Match], str]]] = [
        ("week_first", write_day_of_week),
        ("day_first", write_day_of_week),
        ("postposed", write_postposed_day),
        ("of_month", write_day_of_month),
        ("at_hour", write_day_at_hour),
    ]
    for name, write in replaced:
        if (pattern := own.get(name)) is not None:
            text = str(pattern.sub(lambda match, write=write: _write_spaced(match, write), text))
    return text


def _write_spaced(match: "re2._Match", write: Callable[["re2._Match"], str]) -> str:
    """Return what is written in the place of a match, with the marks at its ends."""
    whole = match.group()
    before = whole[: len(whole) - len(whole.lstrip())]
    after = whole[-1] if whole[-1] in " \t\n,.;:!?" else ""
    written = write(match).strip()
    return f"{before}{written}{'' if written.endswith(after) else after}"


@cache
def _build_patterns(language: str) -> dict[str, "re2._Regexp"]:
    lists = read_time_lists(language)
    day = rf"(?P<day>{build_alternation(phrases(language).weekdays)})"
    weeks = split_list(lists["next_week"]) + split_list(lists["this_week"])
    week = rf"(?P<week>{build_alternation(weeks)})"
    lead = rf"(?P<lead>(?:{build_alternation(lists['day_of_month'])})\s+)"
    behind = build_alternation(lists["behind_day"])
    between = build_alternation(lists["before"])
    patterns = {
        "week_first": rf"{_BEGIN}{week},?\s+(?:(?:{between})\s+)*{day}{_END}",
        "day_first": rf"{_BEGIN}{day},?\s+(?:{build_alternation(lists['of'])}\s+)?{week}{_END}",
        "postposed": rf"{_BEGIN}{day}\s+(?:{build_alternation(lists['postposed'])}){_END}",
        "of_month": rf"{_BEGIN}{lead}(?P<number>[0-3]?\d){_ORDINAL[language]}"
        rf"(?P<tail>\s*[,;!?]|\s*$|\s+(?:{behind})(?:$|[\s'’])|\s+\d)",
    }
    if lists["hour_behind"]:
        near_days = build_alternation(split_list(lists["tomorrow"]) + split_list(lists["today"]))
        patterns["at_hour"] = (
            rf"{_BEGIN}(?P<day>{near_days}|{build_alternation(phrases(language).weekdays)})\s+(?P<hour>\d{{1,2}})"
            rf"(?P<tail>\s+(?:{build_alternation(lists['hour_behind'])})\s)"
        )
    return {name: compiled(pattern) for name, pattern in patterns.items()}
