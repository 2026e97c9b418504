"""How much speaks for a sentence as the answer to a question: signs, weighed into one score.

Words are compared softly (`tasks.alike`), weighed by how rare they are among the candidates. What
near misses have in common counts against: another entry fits as well, the thing that is asked for
is named nowhere, no number where one is wanted. `python -m benchmarks answers --fit` chose the
shares, on half of its organizations.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.lexicons.bridge import CODES
from data.lexicons.drafting import LANGUAGES, phrases
from data.records.briefing import Snippet
from data.word_vectors import Vectors, word_vectors
from tasks.alike import Term, likeness, topics
from tasks.bridge import gloss
from tasks.check_claims import claims
from tasks.draft_questions import Question, quantities, wants_number
from tasks.draft_words import fold, sentences, words

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
        weighed = sum(share * sign for share, sign in zip(SHARES, self.signs, strict=True))
        return 1 / (1 + exp(-(BASE + weighed)))


class Asked:
    """A question with its words, weighed by how rare they are among the candidates.

    All candidates are in one language; `asked_in` names the question's when it is another one.
    """

    def __init__(
        self, question: Question, snippets: Sequence[Snippet], *, asked_in: str = ""
    ) -> None:
        self.language = snippets[0].language if snippets else "und"
        self._terms = _wanted(question.text, asked_in or self.language)
        held = [self.match(f"{one.title} {one.text}") for one in snippets]
        size = max(_FEWEST, len(held))
        counts = sum((row**2 for row in held), np.zeros(len(self._terms)))
        self._weights = np.array([log(1 + size / max(_UNSEEN, count)) for count in counts])
        self._joined = np.array(["_" in term.word for term in self._terms], dtype=bool)
        self._named = np.array([term.name for term in self._terms], dtype=bool)
        self._counts = wants_number(question.text)
        self._closed = is_closed(question.text)
        self._person = wants_person(question.text, asked_in or self.language)

    def match(self, text: str) -> Row:
        """Return for each word of the question how surely `text` says it."""
        return _matched(self._terms, text, self.language)

    def share(self, said: Row) -> float:
        """Return the weighed share of the question that is said; unknown phrases do not count."""
        weights = np.where(self._joined & (said < _TOLD), 0.0, self._weights)
        total = float(weights.sum())
        return float(weights @ said) / total if total else 0.0

    def candidates(self, snippets: Sequence[Snippet]) -> list[Candidate]:
        """Return every sentence of the snippets with its signs."""
        ranked = self._ranked(snippets)
        return [
            Candidate(one, sentence, self._signs(one, sentence, covered, ranked))
            for covered, one, sentence in ranked
        ]

    def judged(self, sentence: str, snippets: Sequence[Snippet]) -> float:
        """Return the score of a sentence of a draft, beside those of all snippets.

        It counts as part of the entry that it says most of, whoever put it so.
        """
        ranked = self._ranked(snippets)
        if not ranked:
            return 0.0
        home = max(ranked, key=lambda row: self._shared(sentence, row[2]))[1]
        covered = self._covered(home, sentence)
        return Candidate(home, sentence, self._signs(home, sentence, covered, ranked)).score

    def _ranked(self, snippets: Sequence[Snippet]) -> list[tuple[float, Snippet, str]]:
        """Return all sentences with the share that each covers with its title, best first."""
        rows = [
            (self._covered(one, sentence), one, sentence)
            for one in snippets
            for sentence in statements(one.text)
        ]
        return sorted(rows, key=lambda row: -row[0])

    def adds(self, sentence: str, told: Sequence[str]) -> bool:
        """Return whether a sentence surely says a word of the question that `told` does not."""
        before = self.match(" ".join(told))
        return bool(np.any((self.match(sentence) >= _SURE) & (before < _SURE)))

    def _shared(self, one: str, other: str) -> float:
        if one == other:
            return 2.0
        return float(meaning(one, self.language) @ meaning(other, self.language))

    def _signs(
        self,
        one: Snippet,
        sentence: str,
        covered: float,
        ranked: Sequence[tuple[float, Snippet, str]],
    ) -> Signs:
        rival = next(
            (
                share
                for share, other, line in ranked
                if other.ref != one.ref and self._shared(sentence, line) < _SAME
            ),
            0.0,
        )
        whole = self.match(f"{one.title} {one.text}")
        return Signs(
            own=self.share(self.match(sentence)),
            ahead=min(_MARGIN, max(-_MARGIN, covered - rival)),
            lacking=float(
                (self._counts and not holds_number(sentence))
                or (self._person and not names_somebody(sentence))
            ),
            beside=(1 - covered) if self._closed else 0.0,
            unnamed=float(bool(np.any(self._named & (whole < _SURE)))),
        )

    def _covered(self, one: Snippet, sentence: str) -> float:
        return self.share(np.maximum(self.match(sentence), self.match(one.title)))


@lru_cache(maxsize=8192)
def _matched(terms: tuple[Term, ...], text: str, language: str) -> Row:
    """Return for each of `terms` how surely `text` says it; the check asks what the draft asked."""
    rows = [_row(terms, other) for other in topics(text, language)]
    best: Row = np.max(rows, axis=0) if rows else np.zeros(len(terms))
    for whole, part in _parts(terms):
        best[part] = max(best[part], best[whole])
    best.flags.writeable = False
    return best


@lru_cache(maxsize=65_536)
def _row(terms: tuple[Term, ...], other: Term) -> Row:
    """Return how alike each of `terms` is to one word."""
    return np.array([likeness(term, other) for term in terms])


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


def is_closed(sentence: str) -> bool:
    """Return whether a question asks if something is so, by its first words."""
    said = words(sentence)[:3]
    return any(tuple(said[:size]) in _closed_openings() for size in (1, 2, 3))


def wants_person(sentence: str, language: str) -> bool:
    """Return whether a question asks who, by its first two words."""
    return bool({*words(sentence)[:2]} & {fold(word) for word in phrases(language).person_words})


@lru_cache(maxsize=8192)
def names_somebody(sentence: str) -> bool:
    """Return whether a sentence names somebody: a name of two words, or a mail address."""
    return "@" in sentence or any(claim.kind == "name" for claim in claims(sentence))


@lru_cache(maxsize=1)
def _closed_openings() -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(words(mark)) for code in LANGUAGES for mark in phrases(code).closed_words
    )


@lru_cache(maxsize=16_384)
def meaning(text: str, language: str) -> Vectors:
    """Return the vector of a text's meaning, by its English words where they are known."""
    if language in CODES:
        text = " ".join(gloss(word, language) or word for word in words(text))
    return np.asarray(word_vectors().embed([text])[0], dtype=np.float32)


@lru_cache(maxsize=4096)
def statements(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that are no questions; knowledge comes up again and again."""
    return tuple(sentence for sentence in sentences(text) if not sentence.endswith("?"))


@lru_cache(maxsize=8192)
def holds_number(sentence: str) -> bool:
    """Return whether a sentence states a number, a time or a date, in digits or words."""
    return any(claim.kind not in ("name", "commitment") for claim in claims(sentence))
