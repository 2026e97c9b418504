"""Words of other languages in English, so that one vector space serves them all.

A dictionary of everyday and office words (`data/lexicons/bridge`), matched by beginnings; German
and Dutch compounds by their last part. First version: word by word, the first meaning of each.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from data.lexicons.bridge import CODES, columns
from tasks.core.language.language_identification import LanguageTeller
from tasks.core.words.sentences import words

_COMPOUNDS = frozenset({"de", "nl"})
_SHORTEST_BEGINNING = 3
_SHORTEST_PART = 4
_LONGEST_ENDING = 4
"""Letters that a part may have behind what the dictionary knows of it."""


@cache
def teller() -> LanguageTeller:
    """Return who tells languages apart, loaded once."""
    return LanguageTeller()


def bridge(texts: Sequence[str]) -> list[str]:
    """Return each text in the English words that are known of it.

    A text in English, in a language without a dictionary, or without a known word stays as it is.
    """
    codes = teller().tell_many(list(texts))
    return [
        " ".join(found) if code in CODES and (found := glosses(text, code)) else text
        for text, code in zip(texts, codes, strict=True)
    ]


def glosses(text: str, code: str) -> list[str]:
    """Return the English words for what is known of `text` in language `code`, in order."""
    gloss_words: list[str] = []
    for word in words(text):
        modifier = gloss(parts[0], code) if (parts := compound(word, code)) else None
        gloss_words += [
            part_gloss for part_gloss in (modifier, gloss(word, code)) if part_gloss is not None
        ]
    return gloss_words


@lru_cache(maxsize=65536)
def gloss(word: str, code: str) -> str | None:
    """Return the English for a folded word, or None; a number stands for itself.

    A compound means what its last part means, where that is known.
    """
    if word.isdigit():
        return word
    if (parts := compound(word, code)) is not None:
        return _entry(parts[1], code)
    return _entry(word, code)


@lru_cache(maxsize=65536)
def compound(word: str, code: str) -> tuple[str, str] | None:
    """Return the two parts of a German or Dutch compound whose last is known, or None.

    A word that the dictionary knows beyond its first part is none.
    """
    if code not in _COMPOUNDS or len(word) < 2 * _SHORTEST_PART:
        return None
    known_length = _known_length(word, code)
    for start in range(max(_SHORTEST_PART, known_length), len(word) - _SHORTEST_PART + 1):
        head = word[start:]
        length = _known_length(head, code)
        if length and len(head) - length <= _LONGEST_ENDING:
            return word[:start], head
    return None


def _known_length(word: str, code: str) -> int:
    """Return how many letters of a word's beginning the dictionary knows; all of a whole word."""
    column = columns()[code]
    if word in column.whole:
        return len(word)
    lengths = range(len(word), _SHORTEST_BEGINNING - 1, -1)
    return next((length for length in lengths if word[:length] in column.begin), 0)


def _entry(word: str, code: str) -> str | None:
    """Return what the whole word or its longest known beginning means."""
    column = columns()[code]
    if (reading := column.whole.get(word)) is not None:
        return reading
    return column.begin.get(word[: _known_length(word, code)])
