"""Likeness of words: the same stem, put for one another, near in meaning, or misspelled.

The words of a question are compared with all words of many texts at once: meanings as one product
of matrices, spellings as counts of common letter pairs, the rest by index. What a text holds is
remembered by the numbers of its words, because knowledge comes up again and again.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.ranges import ranges
from data.word_vectors import DIMENSIONS, Vectors, word_vectors
from tasks.core.language.comparable_words import Term, groups, topics
from tasks.core.words.sentences import statements, term_of

Numbers = npt.NDArray[np.int64]
Table = npt.NDArray[np.float64]
Row = npt.NDArray[np.float64]

MOST_WORDS = 32_768
"""Words from which the table is begun anew; 60 MB. An organization's knowledge has fewer."""
_MOST_TEXTS = 16_384
_MOST_CELLS = 4_000_000
"""Likenesses of words that were asked for to words of the table that are kept; 32 MB."""
_UNKNOWN = -1.0
"""Stands for a likeness that nobody has asked for."""
_AKIN = 0.9
"""Likeness of two words of one concept: a bit less than the word itself, so that *Saturday* is
told before *Sunday* to who asks for Saturday."""
_GROUPED = 0.8
"""Likeness of two words that people put for one another."""
_NEAR_FROM, _NEAR_TO, _NEAR_MOST = 0.25, 0.70, 0.85
"""Cosines of word vectors at which likeness begins and ends, and the most it gives."""
_SPELLED_FROM, _SPELLED_TO, _SPELLED_MOST = 0.5, 0.8, 0.9
"""The same for the share of letter pairs that two words have in common."""
_SHORTEST_SPELLED = 4
"""Letters from which a word can be misspelled."""
_FURTHER = 3
"""Letters by which two words may differ in length and still be spelled alike."""


class KnowledgeText(NamedTuple):
    """A text of the knowledge as numbers of words."""

    told: tuple[str, ...]
    """Its sentences that are no questions."""
    numbers: Numbers
    """The words of title and text together, of the title, and of each sentence, in a row."""
    sizes: Numbers
    """How many words each of these has."""


class WordTable:
    """Words by number, with what comparing them needs; grows as texts come.

    Use from any thread.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}
        self._texts: dict[tuple[str, str], Numbers] = {}
        self._entries: dict[tuple[str, str, str], KnowledgeText] = {}
        self._index: dict[tuple[str, object], list[int]] = {}
        self._pairs: dict[str, int] = {}
        self._vectors: Vectors = np.zeros((256, DIMENSIONS), dtype=np.float32)
        self._digits = np.zeros(0, dtype=bool)
        self._lengths = np.zeros(0, dtype=np.int64)
        self._starts, self._counts = np.zeros((2, 0), dtype=np.int64)
        self._flat = np.zeros(0, dtype=np.int64)
        self._rows: OrderedDict[Term, Row] = OrderedDict()
        self._lock = threading.RLock()

    @property
    def full(self) -> bool:
        """Whether the table should be begun anew."""
        return len(self._known) > MOST_WORDS or len(self._texts) > _MOST_TEXTS

    def numbers(self, terms: Sequence[Term]) -> Numbers:
        """Return the number of each of `terms`, taking in those that are new."""
        with self._lock:
            self._learn(terms)
            return np.array([self._known[term[:2]] for term in terms], dtype=np.int64)

    def text(self, text: str, language: str) -> Numbers:
        """Return the numbers of the words of `text` that bear a topic, in order."""
        key = (text, language)
        numbers = self._texts.get(key)
        if numbers is None:
            numbers = self._texts[key] = self.numbers(topics(text, language))
        return numbers

    def entry(self, title: str, text: str, language: str) -> KnowledgeText:
        """Return an entry of the knowledge as numbers of words."""
        key = (title, text, language)
        knowledge_text = self._entries.get(key)
        if knowledge_text is None:
            entry_statements = statements(text)
            rows = [
                self.text(statement, language)
                for statement in (f"{title} {text}", title, *entry_statements)
            ]
            sizes = np.array([len(row) for row in rows], dtype=np.int64)
            knowledge_text = self._entries[key] = KnowledgeText(
                entry_statements, np.concatenate(rows), sizes
            )
        return knowledge_text

    def compare(self, terms: Sequence[Term], numbers: Numbers) -> Table:
        """Return how alike each of `terms` is to each word, 0 to 1, shape (terms, numbers).

        Of `terms` there is at least one. The words of questions come up again and again, so what
        was compared is kept for each.
        """
        with self._lock:
            rows = [self._row(term) for term in terms]
            table = np.array([row[numbers] for row in rows])
            unknown = table < 0.0
            if unknown.any():
                lacking = np.flatnonzero(unknown.any(axis=1)).tolist()
                new = np.unique(numbers[unknown.any(axis=0)])
                for at, own in zip(
                    lacking, self._compared([terms[at] for at in lacking], new), strict=True
                ):
                    rows[at][new] = own
                    table[at] = rows[at][numbers]
            return table

    def _row(self, term: Term) -> Row:
        """Return how alike a word is to those of the table, as far as that is known."""
        row = self._rows.pop(term, None)
        size = len(self._lengths)
        if row is None or len(row) < size:
            grown = np.full(size, _UNKNOWN)
            grown[: 0 if row is None else len(row)] = () if row is None else row
            row = grown
        self._rows[term] = row
        while len(self._rows) * size > _MOST_CELLS:
            self._rows.popitem(last=False)
        return row

    def _compared(self, terms: Sequence[Term], numbers: Numbers) -> Table:
        """Return how alike each of `terms` is to each word, one at least; numbers are distinct."""
        mine = np.array([_vector(term.english) for term in terms])
        near = (mine @ self._vectors[numbers].T).astype(np.float64)
        likeness = _stretched(near, _NEAR_FROM, _NEAR_TO) * _NEAR_MOST
        np.maximum(likeness, self._spelled(terms, numbers), out=likeness)
        place = np.full(len(self._lengths), -1)
        place[numbers] = np.arange(len(numbers))
        digits = self._digits[numbers]
        for row, term in zip(likeness, terms, strict=True):
            if "_" in term.word:
                row[:] = 0.0  # a phrase is said or it is not
            for name in () if _is_word(term.word) else _letters(term.word):
                self._raise(row, place, name, _SPELLED_MOST)
            for group in groups(term.english):
                self._raise(row, place, ("group", group), _GROUPED)
            row[digits] = 0.0
            if _holds_digit(term.word):
                row[:] = 0.0
            for name in _list_same_names(term):
                akin = name[0] == "term" and str(name[1]).startswith("#")
                self._raise(row, place, name, _AKIN if akin else 1.0)
        return likeness

    def _spelled(self, terms: Sequence[Term], numbers: Numbers) -> Table:
        """Return how alike the spellings are, by the letter pairs that two words have in common."""
        counts = self._counts[numbers]
        ends = np.cumsum(counts)
        spots = ranges(self._starts[numbers], counts)
        flags = np.zeros((len(terms), len(self._pairs)), dtype=np.int16)
        pairs = [_letter_pairs(term.word) for term in terms]
        for row, own in zip(flags, pairs, strict=True):
            row[[self._pairs[pair] for pair in own if pair in self._pairs]] = 1
        common = np.add.reduceat(flags[:, self._flat[spots]], ends - counts, axis=1, dtype=np.int16)
        sizes = np.array([len(own) for own in pairs])[:, None] + counts
        likeness = _stretched(2 * common / sizes, _SPELLED_FROM, _SPELLED_TO) * _SPELLED_MOST
        lengths, mine = self._lengths[numbers], np.array([[len(term.word)] for term in terms])
        short = (mine < _SHORTEST_SPELLED) | (lengths < _SHORTEST_SPELLED)
        likeness[short | (np.abs(mine - lengths) > _FURTHER)] = 0.0
        likeness[[_is_word(term.word) for term in terms]] = 0.0
        return likeness

    def _raise(self, row: Row, place: Numbers, name: tuple[str, object], least: float) -> None:
        """Make the words of a name at least so alike, where they are among those compared."""
        for number in self._index.get(name, ()):
            if (at := place[number]) >= 0 and row[at] < least:
                row[at] = least

    def _learn(self, terms: Iterable[Term]) -> None:
        """Take in the words that are new."""
        new = [
            fresh_term
            for fresh_term in dict.fromkeys(term[:2] for term in terms)
            if fresh_term not in self._known
        ]
        if not new:
            return
        rows = [
            [self._pairs.setdefault(pair, len(self._pairs)) for pair in _letter_pairs(word)]
            for word, _ in new
        ]
        counts = np.array([len(row) for row in rows])
        starts = len(self._flat) + np.cumsum(counts) - counts
        self._keep_vectors([english for _, english in new])
        self._flat = np.concatenate([self._flat, *rows]).astype(np.int64)
        self._starts = np.append(self._starts, starts)
        self._counts = np.append(self._counts, counts)
        self._digits = np.append(self._digits, [_holds_digit(word) for word, _ in new])
        self._lengths = np.append(self._lengths, [len(word) for word, _ in new])
        for word, english in new:
            number = self._known[word, english] = len(self._known)
            own = (*_list_same_names(Term(word, english)), *_letters(word))
            for name in (*own, *(("group", group) for group in groups(english))):
                self._index.setdefault(name, []).append(number)

    def _keep_vectors(self, words: Sequence[str]) -> None:
        """Put the vectors of new words behind those that are known, with room for more."""
        known_count, needed = len(self._known), len(self._known) + len(words)
        if needed > len(self._vectors):
            grown = np.zeros((2 * needed, DIMENSIONS), dtype=np.float32)
            grown[:known_count] = self._vectors[:known_count]
            self._vectors = grown
        self._vectors[known_count:needed] = word_vectors().embed(words)


class QuestionComparison:
    """The words of one question, to be compared with those of many texts."""

    def __init__(self, table: WordTable, terms: tuple[Term, ...]) -> None:
        self.table = table
        self._terms = terms

    def best(self, numbers: Numbers, sizes: Numbers) -> Table:
        """Return how surely each of several texts says each word, shape (texts, words).

        The texts' words stand in `numbers`, one text after the other, `sizes` says how many each.
        """
        likeness = np.zeros((len(sizes), len(self._terms)))
        filled = sizes > 0
        if self._terms and filled.any():
            alike = self.table.compare(self._terms, numbers)
            starts = (np.cumsum(sizes) - sizes)[filled]
            likeness[filled] = np.maximum.reduceat(alike, starts, axis=1).T
        return likeness


def _list_same_names(term: Term) -> tuple[tuple[str, object], ...]:
    """Return the names under which words are found that count as the same."""
    own = (("word", term.word), ("english", term.english))
    return own if "_" in term.word else (*own, ("term", term_of(term.word)))


def _holds_digit(word: str) -> bool:
    """Return whether a word is a number or a code, which nothing else is like."""
    return any(letter.isdigit() for letter in word)


def _letters(word: str) -> tuple[tuple[str, object], ...]:
    """Return the name under which words are found of which two letters have changed places."""
    if len(word) < _SHORTEST_SPELLED or _holds_digit(word):
        return ()
    return (("letters", (word[0], "".join(sorted(word)))),)


def _stretched(values: Table, low: float, high: float) -> Table:
    return np.minimum(1.0, np.maximum(0.0, (values - low) / (high - low)))


@lru_cache(maxsize=16_384)
def _letter_pairs(word: str) -> frozenset[str]:
    framed = f"^{word}$"
    return frozenset(framed[at : at + 2] for at in range(len(framed) - 1))


def _is_word(word: str) -> bool:
    """Return whether a word is one of the tokenizer's own: *plane* is no *plan* with an error."""
    return len(_pieces(word)) == 1


@lru_cache(maxsize=16_384)
def _vector(word: str) -> Vectors:
    return word_vectors().of_pieces(_pieces(word))


@lru_cache(maxsize=16_384)
def _pieces(word: str) -> tuple[int, ...]:
    return tuple(word_vectors().pieces([word])[0])


class _Holder:
    """The table in use."""

    table = WordTable()


def comparison(terms: tuple[Term, ...]) -> QuestionComparison:
    """Return the words of a question, to be compared."""
    if _Holder.table.full:
        _Holder.table = WordTable()
    return QuestionComparison(_Holder.table, terms)
