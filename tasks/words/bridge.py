"""Words of other languages in English, so that one vector space serves them all.

A dictionary of everyday and office words (`data/lexicons/bridge`), matched by beginnings; German
and Dutch compounds by their last part. First version: word by word, the first meaning of each.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from data.lexicons.bridge import CODES, columns
from tasks.words.language import LanguageTeller
from tasks.words.sentences import words

_COMPOUNDS = frozenset({"de", "nl"})
_SHORTEST_BEGINNING = 3
_SHORTEST_PART = 4


@cache
def _teller() -> LanguageTeller:
    return LanguageTeller()


def bridge(texts: Sequence[str]) -> list[str]:
    """Return each text in the English words that are known of it.

    A text in English, in a language without a dictionary, or without a known word stays as it is.
    """
    codes = _teller().tell_many(list(texts))
    return [
        " ".join(found) if code in CODES and (found := glosses(text, code)) else text
        for text, code in zip(texts, codes, strict=True)
    ]


def glosses(text: str, code: str) -> list[str]:
    """Return the English words for what is known of `text` in language `code`, in order."""
    return [found for word in words(text) if (found := gloss(word, code)) is not None]


@lru_cache(maxsize=65536)
def gloss(word: str, code: str) -> str | None:
    """Return the English for a folded word, or None; a number stands for itself."""
    if word.isdigit():
        return word
    if (found := _entry(word, code)) is not None:
        return found
    if code in _COMPOUNDS:
        for start in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            if (found := _entry(word[start:], code)) is not None:
                return found
    return None


def _entry(word: str, code: str) -> str | None:
    """Return what the whole word or its longest known beginning means."""
    column = columns()[code]
    if (found := column.whole.get(word)) is not None:
        return found
    for length in range(len(word), _SHORTEST_BEGINNING - 1, -1):
        if (found := column.begin.get(word[:length])) is not None:
            return found
    return None
