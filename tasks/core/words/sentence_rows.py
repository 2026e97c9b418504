"""The word lists by which sentences are recognized, over all languages; read once.

Letters mix languages, and more words only bar more, so a list is one for all of them.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path

import data.lexicons.drafting as lexicon
from data.lexicons.drafting import LANGUAGES, phrases
from data.word_lists import word_list
from tasks.core.words.sentences import fold
from tasks.core.words.sentences import words as whole_words

_FILE = Path(lexicon.__file__).with_name("accounted.yaml")

_ELIDED = frozenset({"d", "l", "j", "m", "s", "n", "c", "t", "qu"})
"""Words that lose their vowel before another, as in *merci d'annuler*."""

WordRow = tuple[str, ...]
_WORDS_KEPT = 8192
"""Words of which it is remembered whether they begin with a stem."""


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, elided ones apart.

    Some ten questions are asked of each clause of a letter, one after the other; so its words are
    kept for a while.
    """
    apart: list[str] = []
    for word in whole_words(text):
        head, mark, tail = word.partition("'")
        apart += [head, tail] if mark and head in _ELIDED else [word]
    return tuple(apart)


class WordRows:
    """Rows of words, found where they begin in a text; a last `*` stands for any ending."""

    def __init__(self, rows: Collection[WordRow], stems: Collection[str] = ()) -> None:
        self._by_first: dict[str, list[WordRow]] = {}
        for row in sorted(rows, key=len, reverse=True):
            self._by_first.setdefault(row[0], []).append(row)
        self._stems = tuple(sorted(stems))
        # Hundreds of stems would be tried on each word of a letter, a dozen times over.
        self._begins_with_stem = lru_cache(maxsize=_WORDS_KEPT)(self._is_of_stem)

    def at(self, sentence_words: Sequence[str], place: int) -> int:
        """Return how many words from `place` on are a row; the longest, 0 for none."""
        word = sentence_words[place]
        for row in self._by_first.get(word, ()):
            if tuple(sentence_words[place : place + len(row)]) == row:
                return len(row)
        return int(bool(self._stems) and self._begins_with_stem(word))

    def _is_of_stem(self, word: str) -> bool:
        return word.startswith(self._stems)

    def first(self, sentence_words: Sequence[str], end: int | None = None) -> int:
        """Return where the first row begins, before `end`; -1 when there is none."""
        for place in range(len(sentence_words) if end is None else min(end, len(sentence_words))):
            if self.at(sentence_words, place):
                return place
        return -1

    def first_words(self, sentence_words: Sequence[str]) -> str:
        """Return the words of the first row that begins in a text; empty where none does."""
        place = self.first(sentence_words)
        return " ".join(
            sentence_words[place : place + self.at(sentence_words, place)] if place >= 0 else ()
        )


def rows_from(text: str) -> WordRows:
    """Return the rows of a list as it is written: parted by commas, a last `*` for any ending."""
    parts = text.split(", ")
    return WordRows(
        [words(fold(part)) for part in parts if not part.endswith("*")],
        [fold(part[:-1]) for part in parts if part.endswith("*")],
    )


@lru_cache(maxsize=32)
def rows(name: str) -> WordRows:
    """Return a list of all languages: letters mix them, and more words only bar more."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    listed = [part.strip() for code in LANGUAGES for part in table[code][name].split(",")]
    stems = {fold(listed_word[:-1]) for listed_word in listed if listed_word.endswith("*")}
    whole = {words(listed_word) for listed_word in listed if not listed_word.endswith("*")}
    return WordRows(frozenset(row for row in whole if row), stems)


@lru_cache(maxsize=1)
def read_companions() -> frozenset[str]:
    """Return the words that may stand among words of courtesy, folded."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    lists = (table[code]["beside"].split(",") for code in LANGUAGES)
    return frozenset(word for row in lists for listed_words in row for word in words(listed_words))


@lru_cache(maxsize=32)
def all_of(name: str) -> frozenset[str]:
    """Return a list of single words that is one for all languages, folded."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return frozenset(word for part in table["all"][name].split(",") for word in words(part))


@lru_cache(maxsize=1)
def asking_words() -> frozenset[str]:
    """Return the single words that open a question, of all languages, folded."""
    asking_rows = (
        tuple(words(question_word))
        for code in LANGUAGES
        for question_word in phrases(code).question_words
    )
    return frozenset(row[0] for row in asking_rows if len(row) == 1) - {"please", "bitte"}


@lru_cache(maxsize=1)
def denials() -> frozenset[str]:
    """Return the words that deny, of all languages, folded."""
    return frozenset(
        word
        for code in LANGUAGES
        for negation in phrases(code).negations
        for word in words(negation)
    )
