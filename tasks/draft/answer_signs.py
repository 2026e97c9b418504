"""How much speaks for a sentence as the answer to a question: signs, weighed into one score.

Words are compared softly (`tasks.words.alike`), weighed by how rare they are among the candidates.
What near misses have in common counts against: another entry fits as well, the thing that is asked
for is named nowhere, no number where one is wanted. `python -m benchmarks answers --fit` chose the
shares, on half of its organizations.
"""

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from math import exp, log
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from data.lexicons.bridge import CODES
from data.records.briefing import Snippet
from data.word_vectors import Vectors, word_vectors
from tasks.draft.question_kinds import (
    amounts,
    holds_number,
    is_closed,
    names_somebody,
    wants_person,
)
from tasks.words.alike import Term, topics
from tasks.words.alike_table import comparison
from tasks.words.bridge import gloss
from tasks.words.questions import Question, quantities, wants_number
from tasks.words.sentences import words

Row = npt.NDArray[np.float64]

_FEWEST = 8
"""Fewest candidates that a word's rarity is judged among."""
_UNSEEN = 0.7
"""Candidates that a word without any counts as."""
_SURE = 0.8
"""Likeness from which a word counts as said."""
_TOLD = 0.5
"""Likeness below which a phrase of the question does not ask for anything by itself."""
_MARGIN = 0.4
"""Most that being ahead of other entries counts."""
_COUNTED = 0.3
"""Share of its weight that a number of the question has: *for 20 people* is rarely in an answer."""
_LEAD = 0.05
"""Least by which a sentence must be ahead of other entries: among equals nobody knows."""
_ROUNDING = 1e-9
_SAME = 0.85
"""Nearness of meaning from which two sentences say the same and do not compete."""


class Signs(NamedTuple):
    """What speaks for and against a sentence, each about 0 to 1."""

    own: float
    """Share of the question that the sentence itself covers."""
    ahead: float
    """By how much it, with its title, covers more than any other entry; at most 0.4."""
    lacking: float
    """1 when a number is wanted and none is there, or a person and nobody is named."""
    beside: float
    """Share that a question whether something is so asks for, and that is not said."""
    unnamed: float
    """1 when the question names something that the whole entry does not."""


SHARES = Signs(own=4.0, ahead=5.5, lacking=-2.1, beside=-1.3, unnamed=-2.0)
"""What each sign adds to the score, before it is bent to 0 to 1."""
BASE = -3.0
"""Where the score starts."""


class Candidate(NamedTuple):
    """One sentence of the knowledge, as an answer."""

    snippet: Snippet
    sentence: str
    signs: Signs

    @property
    def score(self) -> float:
        """How likely it is the answer, 0 to 1."""
        return _score(self.signs)


class _Line(NamedTuple):
    """A sentence of an entry."""

    snippet: Snippet
    sentence: str
    whole: int
    """The row of its entry in what is said; the next is its title's."""
    own: float
    covered: float
    """Share of the question that it covers with its title."""


class Asked:
    """A question with its words, weighed by how rare they are among the candidates.

    All candidates are in one language; `asked_in` names the question's when it is another one.
    """

    def __init__(
        self, question: Question, snippets: Sequence[Snippet], *, asked_in: str = ""
    ) -> None:
        self.language = snippets[0].language if snippets else "und"
        self._terms = _wanted(question.asked, asked_in or self.language)
        counted = amounts(question.asked)
        self._kinds = np.where([term.word in counted for term in self._terms], _COUNTED, 1.0)
        self._joined = np.array(["_" in term.word for term in self._terms], dtype=bool)
        self._named = np.array([term.name for term in self._terms], dtype=bool)
        self._counts = wants_number(question.text)
        self._closed = is_closed(question.text)
        self._person = wants_person(question.text, asked_in or self.language)
        self._comparison = comparison(self._terms)
        table = self._comparison.table
        entries = [table.entry(one.title, one.text, self.language) for one in snippets]
        sizes = [entry.sizes for entry in entries]
        self._said = np.zeros((0, len(self._terms)))
        if entries:
            numbers = np.concatenate([entry.numbers for entry in entries])
            self._said = self._with_parts(self._comparison.best(numbers, np.concatenate(sizes)))
        starts = np.cumsum([0, *map(len, sizes)]).tolist()
        self._titles = np.repeat(np.array(starts[:-1], dtype=np.int64) + 1, list(map(len, sizes)))
        self._homes = [
            (one, entry.told, start)
            for one, entry, start in zip(snippets, entries, starts[:-1], strict=True)
        ]
        self._weigh()

    def without(self, ref: str) -> Self:
        """Return the same question among the other candidates."""
        other = copy(self)
        other._homes = [home for home in self._homes if home[0].ref != ref]
        other._weigh()
        return other

    def match(self, texts: Sequence[str]) -> Row:
        """Return how surely each text says each word of the question, shape (texts, words)."""
        numbers = [self._comparison.table.text(text, self.language) for text in texts]
        sizes = np.array([len(own) for own in numbers])
        return self._with_parts(self._comparison.best(np.concatenate(numbers), sizes))

    def share(self, said: Row) -> Row:
        """Return the weighed share of the question that is said, of each row of `said`.

        Phrases that are not said do not count.
        """
        weights = np.where(self._joined & (said < _TOLD), 0.0, self._weights)
        totals = weights.sum(axis=-1)
        return np.asarray((weights * said).sum(axis=-1) / np.where(totals, totals, 1.0))

    def candidates(self, least: float = 0.0) -> list[Candidate]:
        """Return the sentences with a score from `least`, those that cover most first."""
        needed = log(least / (1 - least)) - BASE - _ROUNDING if least else 0.0
        found = [
            Candidate(line.snippet, line.sentence, self._signs(line))
            for line in self._lines
            if SHARES.own * line.own + SHARES.ahead * min(_MARGIN, line.covered) >= needed
        ]
        sure = [one for one in found if one.score >= least]
        return [one for one in sure if one.signs.ahead >= _LEAD or not least or self._titled(one)]

    def _titled(self, one: Candidate) -> bool:
        """Return whether its entry's title, and no other, says all words of the question.

        One word is too little: it may mean something else there.
        """
        says = {
            line.snippet.ref: bool(np.all(self._said[line.whole + 1] >= _SURE))
            for line in self._lines
        }
        alone = [ref for ref, all_of_it in says.items() if all_of_it] == [one.snippet.ref]
        return alone and len(self._terms) > 1

    def of_entry(self, ref: str) -> list[tuple[str, float]]:
        """Return an entry's sentences with the share that each covers itself, most first."""
        own = [(line.sentence, line.own) for line in self._lines if line.snippet.ref == ref]
        return sorted(own, key=lambda row: -row[1])

    def judged(self, told: Sequence[str]) -> float:
        """Return the best score of sentences of a draft, each beside those of all candidates.

        Each counts as part of the entry that it says most of, whoever put it so.
        """
        if not self._lines or not told:
            return 0.0
        homes = [self._lines[int(np.argmax(self._nearness(sentence)))] for sentence in told]
        said = self.match(told)
        titles = self._said[[home.whole + 1 for home in homes]]
        own, covered = self.share(np.array([said, np.maximum(said, titles)])).tolist()
        return max(
            _score(self._signs(home._replace(sentence=sentence, own=mine, covered=with_title)))
            for home, sentence, mine, with_title in zip(homes, told, own, covered, strict=True)
        )

    def adds(self, sentence: str, told: Sequence[str]) -> bool:
        """Return whether a sentence surely says a word of the question that `told` does not."""
        says, before = self.match([sentence, " ".join(told)]) >= _SURE
        return bool(np.any(says & ~before))

    def _weigh(self) -> None:
        """Weigh the words by the candidates, and put the sentences in order, best first."""
        held = self._said[[start for _, _, start in self._homes]]
        size = max(_FEWEST, len(held))
        counts = (held**2).sum(axis=0)
        rare = np.array([log(1 + size / max(_UNSEEN, count)) for count in counts])
        self._weights = rare * self._kinds
        own = self.share(self._said).tolist()
        covered = self.share(np.maximum(self._said, self._said[self._titles])).tolist()
        lines = [
            _Line(snippet, sentence, start, own[row], covered[row])
            for snippet, told, start in self._homes
            for row, sentence in enumerate(told, start + 2)
        ]
        self._lines = sorted(lines, key=lambda line: -line.covered)
        self._meanings: Vectors | None = None

    def _with_parts(self, said: Row) -> Row:
        """Let whoever says a phrase say its words too."""
        for whole, part in _parts(self._terms):
            said[:, part] = np.maximum(said[:, part], said[:, whole])
        return said

    def _nearness(self, sentence: str) -> Vectors:
        """Return how near in meaning a sentence is to each line; 2 to the same."""
        if self._meanings is None:
            self._meanings = np.stack([meaning(x.sentence, self.language) for x in self._lines])
        near: Vectors = self._meanings @ meaning(sentence, self.language)
        near[[line.sentence == sentence for line in self._lines]] = 2.0
        return near

    def _signs(self, line: _Line) -> Signs:
        rival = next(
            (
                other.covered
                for other, near in zip(self._lines, self._nearness(line.sentence), strict=True)
                if other.snippet.ref != line.snippet.ref and near < _SAME
            ),
            0.0,
        )
        whole = self._said[line.whole]
        return Signs(
            own=line.own,
            ahead=min(_MARGIN, max(-_MARGIN, line.covered - rival)),
            lacking=float(
                (self._counts and not holds_number(line.sentence))
                or (self._person and not names_somebody(line.sentence))
            ),
            beside=(1 - line.covered) if self._closed else 0.0,
            unnamed=float(bool(np.any(self._named & (whole < _SURE)))),
        )


def _score(signs: Signs) -> float:
    weighed = sum(share * sign for share, sign in zip(SHARES, signs, strict=True))
    return 1 / (1 + exp(-(BASE + weighed)))


def _wanted(text: str, language: str) -> tuple[Term, ...]:
    """Return the words that an answer should say: without those that only ask for a number."""
    said = f" {' '.join(words(text))} "
    asking = {word for mark in quantities() if f" {mark} " in said for word in mark.split()}
    return tuple(term for term in topics(text, language) if term.word not in asking)


@lru_cache(maxsize=1024)
def _parts(terms: tuple[Term, ...]) -> list[tuple[int, int]]:
    """Return which phrase each word is part of, as places: who says the phrase says the word."""
    return [
        (whole, part)
        for whole, phrase in enumerate(terms)
        if "_" in phrase.word
        for part, term in enumerate(terms)
        if term.english in phrase.word.split("_")
    ]


@lru_cache(maxsize=16_384)
def meaning(text: str, language: str) -> Vectors:
    """Return the vector of a text's meaning, by its English words where they are known."""
    if language in CODES:
        text = " ".join(gloss(word, language) or word for word in words(text))
    return np.asarray(word_vectors().embed([text])[0], dtype=np.float32)
