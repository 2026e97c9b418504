"""A text as its claims are looked for: folded, without its dates and times, and as words."""

from functools import lru_cache
from typing import NamedTuple

from tasks.core.claims.dates import StatedMoment, blank_moments, moments
from tasks.core.claims.number_words import NumberWord, grouped
from tasks.core.words.sentences import fold, words


class Stated(NamedTuple):
    """One text; every kind of claim is looked for in the same words."""

    folded: str
    moments: tuple[StatedMoment, ...]
    """The dates with a day, and the times."""
    rest: str
    """Folded, with the moments blanked out."""
    words: tuple[str, ...]
    """Those of the rest."""
    grouped: tuple[NumberWord, ...]
    """The same, the words of one number together."""


@lru_cache(maxsize=64)
def read_stated(text: str) -> Stated:
    """Return a text as its claims are looked for; it is read once for all kinds of them."""
    folded = fold(text)
    moments_read = moments(folded)
    rest = blank_moments(folded, moments_read)
    text_words = words(rest)
    return Stated(folded, moments_read, rest, tuple(text_words), tuple(grouped(text_words)))
