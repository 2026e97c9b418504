"""The words of a text that can be compared with others, and which are put for one another.

Words of other languages are compared by their English meaning too
(`tasks.core.language.english_bridge`), so that one list of words put for one another and one space
of word vectors serve all drafting languages. `tasks.core.language.alike_table` compares them.
"""

from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import data.lexicons.drafting as lexicon
from data.codes import codes
from data.lexicons.bridge import CODES
from tasks.core.language.english_bridge import compound, gloss
from tasks.core.words.sentences import is_stop_word, stem, words

_FILE = Path(lexicon.__file__).with_name("alike.txt")


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
    names = _names(text) if language != "de" else _places(text)
    coded = codes(text)
    whole = {code.replace("_", "") for code in coded}
    content_words = [word for word in words(text) if not is_stop_word(word) and word not in whole]
    topic_terms = [Term(word, _english(word, language), word in names) for word in content_words]
    parts = [pair[0] for word in content_words if (pair := compound(word, language))]
    topic_terms += [
        Term(part, _english(part, language)) for part in parts if not is_stop_word(part)
    ]
    terms = [Term(code, code, True) for code in coded]
    return tuple(dict.fromkeys([*topic_terms, *_phrases(text, language), *terms]))


def _english(word: str, language: str) -> str:
    return (gloss(word, language) or word) if language in CODES else word


def _phrases(text: str, language: str) -> list[Term]:
    """Return the phrases of two or three words that the list of alike words knows."""
    english_words = [_english(word, language) for word in words(text)]
    rows = {
        "_".join(english_words[at : at + size])
        for at in range(len(english_words))
        for size in (2, 3)
    }
    return [Term(row, row) for row in sorted(rows & _known_phrases())]


def _names(text: str) -> frozenset[str]:
    """Return the folded words with a capital that do not begin a sentence."""
    name_words: set[str] = set()
    before = "."
    for word in text.split():
        bare = word.strip("\"'«»“”()[]¿¡,;:.!?…")
        inside = before[-1:] not in ".!?:…"
        if inside and bare[:1].isupper() and len(bare) > 1:
            name_words.update(words(bare))
        before = word
    return frozenset(name_words)


def _places(text: str) -> frozenset[str]:
    """Return the folded words with a capital behind *nach*, which mostly name where to."""
    text_words = text.split()
    towns = [b for a, b in pairwise(text_words) if a == "nach" and b[:1].isupper()]
    return frozenset(word for town in towns for word in words(town))


@cache
def _table() -> dict[str, frozenset[int]]:
    """Return word or phrase to the numbers of its groups."""
    numbers_by_word: dict[str, set[int]] = {}
    for number, line in enumerate(_FILE.read_text(encoding="utf-8").splitlines()):
        for word in () if line.startswith("#") else line.split():
            for form in (word, word if "_" in word else stem(word)):
                numbers_by_word.setdefault(form, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in numbers_by_word.items()}


@cache
def _known_phrases() -> frozenset[str]:
    return frozenset(word for word in _table() if "_" in word)


@lru_cache(maxsize=65_536)
def groups(word: str) -> frozenset[int]:
    """Return the numbers of the groups of alike words that an English word or phrase is in."""
    table = _table()
    return table.get(word) or table.get(stem(word)) or frozenset()
