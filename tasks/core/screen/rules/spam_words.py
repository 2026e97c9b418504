"""Weighted spam patterns, counted together."""

from collections.abc import Iterator
from functools import cache

import re2

from data.lexicons.screen import read
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled_set, found_in
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

_CHARACTERS = 60_000
_GAP = "[^"
"""Stands in a pattern whose parts may be far apart."""
_HALF = 4.0
"""Weight at which half of the severity is reached."""
_FEW_CAPITALS = 10
_LETTER = 3_000
"""Characters of a letter; what is longer meets such words by chance, as newsletters do."""


@cache
def _rows() -> tuple[tuple[str, float], ...]:
    return tuple((row["name"], float(row["weight"])) for row in read("spam")["patterns"])


@cache
def _build_automata() -> tuple[tuple["re2.Set", tuple[int, ...]], ...]:
    """Return the patterns as two automata, each with its patterns' places.

    Those with a gap, which remember for a whole sentence that their beginning was seen, are apart:
    with the others they would have a state for each of these memories.
    """
    patterns = [row["pattern"] for row in read("spam")["patterns"]]
    gaps = [place for place, pattern in enumerate(patterns) if _GAP in pattern]
    others = [place for place, pattern in enumerate(patterns) if _GAP not in pattern]
    return tuple(
        (compiled_set(patterns[place] for place in places), tuple(places))
        for places in (gaps, others)
    )


def weigh(text: str) -> tuple[float, list[str]]:
    """Return the summed weight of the patterns in folded `text`, and their names."""
    places_hit = [
        places[at] for automaton, places in _build_automata() for at in found_in(automaton, text)
    ]
    rows = [_rows()[place] for place in sorted(places_hit)]
    return sum(weight for _, weight in rows), [name for name, _ in rows]


def _in_capitals(subject: str) -> bool:
    """Whether a subject of some length is written in capital letters."""
    if sum(map(str.isupper, subject)) <= _FEW_CAPITALS:
        return False  # most subjects
    letters = [letter for letter in subject if letter.isalpha()]
    return len(letters) > 12 and sum(map(str.isupper, letters)) > 0.8 * len(letters)


def look(views: Views) -> Iterator[Find]:
    """Find messages in which several spam patterns meet."""
    total, names = weigh(views.folded_body[:_CHARACTERS])
    subject = views.mail.subject
    if _in_capitals(subject):
        total, names = total + 1.0, [*names, "subject in capitals"]
    if subject.count("!") + subject.count("$") >= 3:
        total, names = total + 1.0, [*names, "subject with !!! or $$$"]
    total *= min(1.0, _LETTER / max(1, len(views.folded_body))) ** 0.5
    if total >= 2:
        score = 0.8 * total * total / (total * total + _HALF * _HALF)
        yield Find(MessagePlace.BODY, ", ".join(names), score)


RULE = ScreenRule(
    name="spam_words",
    sentence="Reads like unsolicited advertising.",
    technique="spam",
    layer=FilterLayer.CONTENT,
    severity=0.7,
    look=look,
)
