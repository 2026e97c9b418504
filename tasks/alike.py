"""How alike two words are: the same stem, put for one another, near in meaning, or misspelled.

Words of other languages are compared by their English meaning too (`tasks.bridge`), so that one
list of words put for one another and one space of word vectors serve all drafting languages.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import data.lexicons.drafting as lexicon
from data.lexicons.bridge import CODES
from data.word_vectors import Vectors, word_vectors
from tasks.bridge import gloss
from tasks.draft_words import is_stop_word, stem, term_of, words

_FILE = Path(lexicon.__file__).with_name("alike.txt")
_GROUPED = 0.8
"""Likeness of two words that people put for one another."""
_NEAR_FROM, _NEAR_TO, _NEAR_MOST = 0.25, 0.70, 0.85
"""Cosines of word vectors at which likeness begins and ends, and the most it gives."""
_SPELLED_FROM, _SPELLED_TO, _SPELLED_MOST = 0.5, 0.8, 0.9
"""The same for the share of letter pairs that two words have in common."""
_SHORTEST_SPELLED = 4


class Term(NamedTuple):
    """One word that bears a topic."""

    word: str
    """Folded, as written."""
    english: str
    """Its English meaning where one is known, else the word."""
    name: bool = False
    """Whether it looks like a name: a capital inside a sentence of a language that has few."""


@lru_cache(maxsize=16_384)
def topics(text: str, language: str) -> tuple[Term, ...]:
    """Return the topic-bearing words of `text` in order, each once."""
    names = _names(text) if language != "de" else frozenset()
    found = [
        Term(word, _english(word, language), word in names)
        for word in words(text)
        if not is_stop_word(word)
    ]
    return tuple(dict.fromkeys([*found, *_phrases(text, language)]))


def likeness(one: Term, other: Term) -> float:
    """Return how alike two words are, 0 to 1."""
    return _likeness(one[:2], other[:2]) if one <= other else _likeness(other[:2], one[:2])


@lru_cache(maxsize=262_144)
def _likeness(one: tuple[str, str], other: tuple[str, str]) -> float:
    if one[0] == other[0] or one[1] == other[1] or term_of(one[0]) == term_of(other[0]):
        return 1.0
    if one[0][:1].isdigit() or other[0][:1].isdigit():
        return 0.0
    grouped = _GROUPED if _groups(one[1]) & _groups(other[1]) else 0.0
    return max(grouped, _meaning(one[1], other[1]), _spelling(one[0], other[0]))


def _meaning(one: str, other: str) -> float:
    """Return the nearness of two words' vectors, stretched to 0 to 0.85."""
    cosine = float(_vector(one) @ _vector(other))
    return _stretched(cosine, _NEAR_FROM, _NEAR_TO) * _NEAR_MOST


def _spelling(one: str, other: str) -> float:
    """Return the share of common letter pairs of two longer words, stretched to 0 to 0.9."""
    if min(len(one), len(other)) < _SHORTEST_SPELLED or abs(len(one) - len(other)) > 3:
        return 0.0
    if one[0] == other[0] and sorted(one) == sorted(other):
        return _SPELLED_MOST  # two letters have changed places
    mine, theirs = _pairs(one), _pairs(other)
    share = 2 * len(mine & theirs) / (len(mine) + len(theirs))
    return _stretched(share, _SPELLED_FROM, _SPELLED_TO) * _SPELLED_MOST


def _stretched(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


@lru_cache(maxsize=16_384)
def _pairs(word: str) -> frozenset[str]:
    framed = f"^{word}$"
    return frozenset(framed[at : at + 2] for at in range(len(framed) - 1))


@lru_cache(maxsize=16_384)
def _vector(word: str) -> Vectors:
    return np.asarray(word_vectors().embed([word])[0], dtype=np.float32)


def _english(word: str, language: str) -> str:
    return (gloss(word, language) or word) if language in CODES else word


def _phrases(text: str, language: str) -> list[Term]:
    """Return the phrases of two or three words that the list of alike words knows."""
    said = [_english(word, language) for word in words(text)]
    rows = {"_".join(said[at : at + size]) for at in range(len(said)) for size in (2, 3)}
    return [Term(row, row) for row in sorted(rows & _known_phrases())]


def _names(text: str) -> frozenset[str]:
    """Return the folded words with a capital that do not begin a sentence."""
    found: set[str] = set()
    before = "."
    for word in text.split():
        bare = word.strip("\"'«»“”()[]¿¡,;:.!?…")
        inside = before[-1:] not in ".!?:…"
        if inside and bare[:1].isupper() and len(bare) > 1:
            found.update(words(bare))
        before = word
    return frozenset(found)


@cache
def _table() -> dict[str, frozenset[int]]:
    """Return word or phrase to the numbers of its groups."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_FILE.read_text(encoding="utf-8").splitlines()):
        for word in () if line.startswith("#") else line.split():
            for form in (word, word if "_" in word else stem(word)):
                found.setdefault(form, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def _known_phrases() -> frozenset[str]:
    return frozenset(word for word in _table() if "_" in word)


@lru_cache(maxsize=65_536)
def _groups(word: str) -> frozenset[int]:
    table = _table()
    return table.get(word) or table.get(stem(word)) or frozenset()
