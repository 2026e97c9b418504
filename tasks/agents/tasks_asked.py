"""The tasks of a person that a question is about: *what is due on Friday*, *which are overdue*."""

from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tasks.agents.alternations import build_alternation
from tasks.agents.spoken_time import Days, find_spoken_days, has_unlisted_time
from tasks.agents.time_patterns import build_time_patterns, read_time_lists
from tasks.core.patterns import compiled
from tasks.core.words.sentences import is_stop_word, words

if TYPE_CHECKING:
    import re2

_SOME_DAY = date(2000, 1, 3)
"""A day to read days by, where it does not matter which they are."""


class TaskQuestion(NamedTuple):
    """What a question asks for; all open tasks where it names nothing of these."""

    days: Days | None = None
    """The days on which they are due."""
    late: bool = False
    """Those whose time is over."""
    undated: bool = False
    """Those that have no date."""
    unread: bool = False
    """Whether it names a time that is not understood."""


def read_tasks_asked(text: str, language: str, today: date) -> TaskQuestion:
    """Return which tasks a question is about, in the days of the organization."""
    if _build_pattern(language, "undated").search(text) is not None:
        return TaskQuestion(undated=True)
    late = _build_pattern(language, "late").search(text) is not None
    if has_unlisted_time(text, language, today):
        return TaskQuestion(unread=True)
    return TaskQuestion(days=find_spoken_days(text, language, today), late=late)


def is_about_tasks(text: str, language: str) -> bool:
    """Return whether words name nothing but days, or tasks that are late or have no date.

    *What do I have to do to rent a desk* asks for something else.
    """
    if not text.strip():
        return True
    asked = read_tasks_asked(text, language, _SOME_DAY)
    own, rest = build_time_patterns(language), text
    for pattern in (
        _build_pattern(language, "undated"),
        _build_pattern(language, "late"),
        own.week,
        own.day,
    ):
        rest = pattern.sub(" ", rest)
    return not asked.unread and all(map(is_stop_word, words(rest)))


@cache
def _build_pattern(language: str, name: str) -> "re2._Regexp":
    # A boundary of words is one of ASCII here, and some begin with an accent.
    return compiled(
        rf"(?i)(?:^|\b|\s)(?:{build_alternation(read_time_lists(language)[name])})(?:$|\b|\s)"
    )
