"""Somebody turns to a program by what it is, with a colon, and goes on.

`machine_instruction` knows words wherever they stand; here the place tells: a sentence that begins
by calling a program is said to it, whatever follows.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import re2

from data.lexicons.screen import PROGRAMS, alternatives
from data.records.core.screening import FilterLayer
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import talked_about, weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.pattern_gate import GATE

_SCORE = 0.42
_MOST = 5
"""Calls that are looked at in one text."""
_AROUND = 200
"""Characters before and after a call that tell whether somebody writes about it."""
_LEADING_WORDS, _LONGEST_TAIL = 5, 70
_ENDS = r"[ ]?[:：][ \t\n]*[^ \t\n/0-9]"
_WATCHED = GATE.watch(compiled(r"[ ]?[:：][ \t\n]*[^ \t\n/0-9]"), kind="lines")


def _any(concept: str) -> str:
    return "|".join(alternatives(PROGRAMS, concept).values())


@cache
def _called() -> "re2._Regexp":
    """Return the pattern of a call at the beginning of a sentence, up to its colon."""
    leads, articles = _any("vocative_leads"), _any("vocative_articles")
    names_pattern = rf"(?:{leads})[ ]?(?:(?:{articles})[ ]?)?(?:{_any('vocative_names')})"
    begins = r"(?:^|[.!?;([>。！？]|[—–-] )[ \t>*_#\"'«“]{0,6}"
    led_to = rf"(?:[\pL.'’]+[ ]){{0,{_LEADING_WORDS}}}"  # such as "a short note"
    tail = rf"(?:[^\pL:：\n.!?][^:：\n.!?]{{0,{_LONGEST_TAIL}}})?{_ENDS}"
    return compiled(
        rf"(?im){begins}{led_to}(?:{names_pattern}|(?:{_any('vocative_ending')})){tail}"
    )


@cache
def _people() -> "re2._Regexp":
    return compiled(rf"(?i)(?:^|\PL|\p{{Han}})(?:{_any('vocative_people')})(?:\PL|$)")


def look(views: Views) -> Iterator[Find]:
    """Find calls to programs that nobody makes to people."""
    for text in views.texts:
        if not text.signs & _WATCHED:
            continue
        for match in islice(_called().finditer(text.text), _MOST):
            if _people().search(match.group(0)) is None:
                weight = talked_about(text, match, _AROUND)
                yield Find(text.place, match.group(0).strip(), weighed(text, _SCORE * weight))
                break


RULE = ScreenRule(
    name="machine_vocative",
    sentence="Calls a program by what it is, as people call each other, and goes on with an order.",
    technique="direct_injection",
    layer=FilterLayer.INJECTION,
    severity=0.8,
    look=look,
)
