"""Weighted spam patterns, counted together."""

from collections.abc import Iterator
from functools import cache

import re2

from data.lexicons.screen import read
from data.records.screening import Layer, Place
from tasks.patterns import compiled_set, found_in
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views

_CHARACTERS = 60_000
_HALF = 4.0
"""Weight at which half of the severity is reached."""
_LETTER = 3_000
"""Characters of a letter; what is longer meets such words by chance, as newsletters do."""


@cache
def _rows() -> tuple[tuple[str, float], ...]:
    return tuple((row["name"], float(row["weight"])) for row in read("spam")["patterns"])


@cache
def _together() -> "re2.Set":
    """Return all patterns as one automaton, so that a message is read once."""
    return compiled_set(row["pattern"] for row in read("spam")["patterns"])


def weigh(text: str) -> tuple[float, list[str]]:
    """Return the summed weight of the patterns in folded `text`, and their names."""
    rows = [_rows()[place] for place in found_in(_together(), text)]
    return sum(weight for _, weight in rows), [name for name, _ in rows]


def look(views: Views) -> Iterator[Find]:
    """Find messages in which several spam patterns meet."""
    total, names = weigh(views.folded_body[:_CHARACTERS])
    subject = views.mail.subject
    letters = [letter for letter in subject if letter.isalpha()]
    if len(letters) > 12 and sum(letter.isupper() for letter in letters) > 0.8 * len(letters):
        total, names = total + 1.0, [*names, "subject in capitals"]
    if subject.count("!") + subject.count("$") >= 3:
        total, names = total + 1.0, [*names, "subject with !!! or $$$"]
    total *= min(1.0, _LETTER / max(1, len(views.folded_body))) ** 0.5
    if total >= 2:
        score = 0.8 * total * total / (total * total + _HALF * _HALF)
        yield Find(Place.BODY, ", ".join(names), score)


RULE = Rule(
    name="spam_words",
    sentence="Reads like unsolicited advertising.",
    technique="spam",
    layer=Layer.CONTENT,
    severity=0.7,
    look=look,
)
