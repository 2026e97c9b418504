"""Digits of every script, and digits told one by one in words, as the figures that they are.

*four eight two nine*, *vier, acht, zwei, neun* and the digits of Arabic or Hindi are read as 4829,
so that whoever looks for a number needs one form of it only.
"""

import unicodedata
from functools import cache

import re2

from tasks.core.claims.number_words import digit_words
from tasks.core.patterns import compiled

_FOREIGN = compiled(r"[^\P{Nd}0-9]")
_LEAST = 4
"""Digits told one by one, at least; fewer are said in many a sentence."""


def in_figures(text: str) -> str:
    """Return `text` with the digits of other scripts as 0 to 9; no letter changes its place."""
    if not _FOREIGN.search(text):
        return text
    return "".join(
        str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text
    )


def spell_as_figures(folded: str) -> str:
    """Return folded text with rows of four digit words and more as figures."""
    return str(_rows().sub(lambda match: _figures(match.group()), folded))


def _figures(row: str) -> str:
    values = digit_words()
    return "".join(values[word] for word in row.replace("-", " ").replace(",", " ").split())


@cache
def _rows() -> "re2._Regexp[str]":
    word_pattern = "|".join(sorted(map(re2.escape, digit_words()), key=len, reverse=True))
    return compiled(rf"\b(?:{word_pattern})(?:[ ,\-]{{1,2}}(?:{word_pattern})){{{_LEAST - 1},}}\b")
