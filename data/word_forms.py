"""Words without their form: no case, no accents, no common ending.

What answers, checks and the search for knowledge share. No dictionary is needed: endings are those
of the eight drafting languages.
"""

import unicodedata
from functools import lru_cache

from data.lexicons.drafting import shared_words

_ENDINGS = frozenset(shared_words("endings"))
_LENGTHS = tuple(sorted({len(ending) for ending in _ENDINGS}, reverse=True))
_SHORTEST_STEM = 3
_KEPT_BELOW = 0x3000
"""Letters whose answer is remembered: the alphabets; no mail can make the table large."""


def fold(text: str) -> str:
    """Return `text` without case, accents and compatibility forms (NFKD)."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return decomposed.translate(_UNMARKED)


class _Unmarked(dict[int, int | None]):
    """A table for `str.translate`: marks go, and letters that are one with theirs lose them."""

    def __missing__(self, code: int) -> int | None:
        mapped = None if unicodedata.combining(chr(code)) else code
        if code < _KEPT_BELOW:
            self[code] = mapped
        return mapped


_UNMARKED = _Unmarked({ord("ł"): ord("l"), ord("ø"): ord("o"), ord("đ"): ord("d")})


def strip_accents(text: str) -> str:
    """Return `text` without accents, letter for letter: places stay, and so does case."""
    return text if text.isascii() else text.translate(_UNACCENTED)


class _Unaccented(dict[int, int]):
    """A table for `str.translate`: a letter with a mark becomes its first part."""

    def __missing__(self, code: int) -> int:
        base = ord(unicodedata.normalize("NFD", chr(code))[0])
        if code < _KEPT_BELOW:
            self[code] = base
        return base


_UNACCENTED = _Unaccented({ord("ł"): ord("l"), ord("Ł"): ord("L"), ord("ø"): ord("o")})


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a folded word without up to two common endings, never shorter than three letters."""
    if word[:1].isdigit():
        return word
    for _ in range(2):
        for length in _LENGTHS:
            if len(word) - length >= _SHORTEST_STEM and word[-length:] in _ENDINGS:
                word = word[:-length]
                break
        else:
            break
    return word
