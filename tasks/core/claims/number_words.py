"""Numbers in words, however many words they have: *sixty-two*, *quatre-vingt-dix*, *vinte e dois*.

One value for each number, so that compounds are compared as what they mean.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from data.lexicons.drafting import LANGUAGES, number_words, phrases
from tasks.core.words.sentences import fold

_JOINTS = frozenset({"y", "e", "et", "and", "i"})
_HUNDRED, _TEN = 100, 10


class NumberWord(NamedTuple):
    """One word of a text, or the words of one number."""

    word: str
    """Folded; a number of several words in figures."""
    row: tuple[str, ...]
    """The words that it stands for."""


def grouped(stated_words: Sequence[str]) -> list[NumberWord]:
    """Return folded words with the words of one number together."""
    numbers_made: list[NumberWord] = []
    at = 0
    while at < len(stated_words):
        size, value = _longest(stated_words[at : at + 5])
        if size > 1:
            numbers_made.append(NumberWord(value, tuple(stated_words[at : at + size])))
        else:
            numbers_made.append(NumberWord(stated_words[at], (stated_words[at],)))
        at += max(1, size)
    return numbers_made


def number_of(word: str) -> str:
    """Return a folded number word's value in figures, compounds too; empty for other words."""
    return _numbers().get(word) or _compound(word)


@lru_cache(maxsize=1)
def digit_words() -> dict[str, str]:
    """Return the figures of the words for zero to nine in all languages, folded."""
    ones = dict.fromkeys(_ones() | {"eins", "ein", "een"}, "1")
    digit_values = {word: value for word, value in _numbers().items() if value.isdigit()}
    small = {word: value for word, value in digit_values.items() if len(value) == 1}
    return {**dict.fromkeys(("zero", "oh", "null", "nul", "cero"), "0"), **ones, **small}


@lru_cache(maxsize=1)
def list_halves() -> frozenset[str]:
    """Return the words for a half, folded."""
    return frozenset(fold(word) for word in number_words()["half"])


def _longest(stated_words: Sequence[str]) -> tuple[int, str]:
    """Return how many words from the first on are one number, and its value."""
    value = _small(stated_words[0])
    if value is None:
        return 1, ""
    size = 1
    if value == 4 and _small("".join(stated_words[1:2]).removesuffix("s")) == 20:  # quatre-vingts
        value, size = 80, 2
    more = _further(value, stated_words[size:])
    if more is not None:
        return size + more[0], more[1]
    return size, str(value)


def _further(value: int, rest: Sequence[str]) -> tuple[int, str] | None:
    """Return how many words after tens or a number belong to it, and what they make of it."""
    joint = 1 if rest and rest[0] in _JOINTS else 0
    article = 1 if joint and rest[1:2] == ["a"] else 0
    following = rest[joint + article : joint + article + 1]
    if joint and following and following[0] in list_halves():
        return joint + article + 1, f"{value}.5"
    tens = value >= 20 and value % _TEN == 0 and value < _HUNDRED
    unit = _small(following[0]) if following and not article else None
    if not tens or unit is None:
        return None
    fits = unit < _TEN or (value in (60, 80) and unit < 20)
    return (joint + 1, str(value + unit)) if fits else None


def _small(word: str) -> int | None:
    """Return the value of a number word below a hundred."""
    if word in _ones():
        return 1
    value = _numbers().get(word, "")
    return int(value) if value and int(value) < _HUNDRED else None


@lru_cache(maxsize=1)
def _ones() -> frozenset[str]:
    return frozenset({"one", "un", "une", "uno", "una", "um", "uma", "jeden", "jedna"})


@lru_cache(maxsize=8192)
def _compound(word: str) -> str:
    """Return the value of a German or Dutch number written as one word, or of *anderthalb*."""
    table = _numbers()
    for mark, worth in (("tausend", 1000), ("duizend", 1000), ("hundert", 100), ("honderd", 100)):
        head, mark_read, tail = word.partition(mark)
        if mark_read and (not head or head in table or head == "ein"):
            first = int(table.get(head, "1")) * worth
            rest = table.get(tail.removeprefix("und")) or (_compound(tail) if tail else "0")
            return str(first + int(rest)) if rest else ""
    for mark in ("und", "en"):
        head, mark_read, tail = word.partition(mark)
        if mark_read and tail in table and (head in table or head in ("ein", "een")):
            return str(int(table.get(head, "1")) + int(table[tail]))
    return ""


@lru_cache(maxsize=1)
def _numbers() -> dict[str, str]:
    table: dict[str, str] = {}
    for code in LANGUAGES:
        for number, word in enumerate(phrases(code).numbers):
            if number >= 2:
                table.setdefault(fold(word), str(number))
    for value, row in number_words().items():
        if value.isdigit():
            for word in row:
                table.setdefault(fold(word), value)
    return table
