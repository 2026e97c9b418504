"""Answers picked from the organization's own sentences, or none (docs/pipeline.md#draft).

A question's terms, weighed by how rare they are among the candidates, must be covered by a sentence
together with its title; nearness of the embeddings decides between equals. What is not covered well
enough is no answer. First version: one entry answers one question, and nothing is rephrased.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import log

from data.records.briefing import Snippet, SourceKind
from data.records.drafting import Citation
from data.records.record import Record
from tasks.check_claims import claims
from tasks.context import INTERNAL
from tasks.draft_questions import Question, as_shown, wants_number
from tasks.draft_words import sentences, terms
from tasks.embed_letters import Vectors, embed_letters

THRESHOLD = 0.5
"""Score from which sentences count as an answer; set on the tests' questions, with and without."""

_COVERAGE = 0.7
"""Share of the score that covered terms make; the rest is nearness of the embeddings."""
_TITLE = 0.8
"""What a term counts that only the title holds."""
_STRANGE = 0.25
"""What terms cost that no candidate holds at all, by their share: the subject is another one."""
_NEARNESS = 1.6
"""Vectors of a question and its answer are rarely nearer than 1 / 1.6."""
_NUMBERLESS = 0.7
"""What remains of the score of a sentence without a number for a question that asks for one."""
_CONTEXT = 0.15
"""Most that the words before the question add to a rank; they never make an answer."""
_FEWEST = 8
_UNSEEN = 0.7
"""Candidates that a term without any counts as, and the fewest that one is weighed against."""
_ALSO = 0.9
_ALSO_LEAST = 0.35
"""Share of the best sentence's own cover from which another of its entry is told too."""
_MOST_SENTENCES = 3

Weights = dict[str, float]


class Answer(Record):
    """Sentences that answer one question."""

    question: str
    citations: tuple[Citation, ...]
    """The sentences in the order of their source."""
    score: float
    """How well they cover the question, 0 to 1."""


def citable(snippets: Sequence[Snippet], language: str) -> list[Snippet]:
    """Return what a draft in `language` may tell: public knowledge that is vouched for."""
    return [
        snippet
        for snippet in snippets
        if snippet.source is SourceKind.KNOWLEDGE
        and snippet.trusted
        and not snippet.ref.startswith(INTERNAL)
        and snippet.language == language
    ]


def answer(question: Question, snippets: Sequence[Snippet]) -> Answer | None:
    """Return the best answer from citable `snippets`, or None when nothing covers the question."""
    if (given := _given(question, snippets)) is not None:
        return given
    asked = _Asked.of(question, snippets)
    best: tuple[float, Snippet, str] | None = None
    for snippet in snippets:
        for sentence in _statements(snippet):
            score = asked.score(sentence, snippet.title)
            rank = score + asked.around(f"{snippet.title} {sentence}")
            if score >= THRESHOLD and (best is None or rank > best[0]):
                best = (rank, snippet, sentence)
    if best is None:
        return None
    _, snippet, first = best
    chosen = _with_company(asked, snippet, first)
    citations = tuple(
        Citation(sentence=sentence, ref=snippet.ref, title=snippet.title)
        for sentence in _statements(snippet)
        if sentence in chosen
    )
    score = min(1.0, asked.score(first, snippet.title))
    return Answer(question=question.text, citations=citations, score=score)


def covers(question: Question, told: Sequence[str], snippets: Sequence[Snippet]) -> float:
    """Return how well sentences of a draft answer a question, 0 to 1, by the same measure.

    `snippets` are the candidates that give the terms their weight; a sentence found in one of them
    is read together with that snippet's title.
    """
    given = _given(question, snippets)
    if given is not None and any(cited.sentence in told for cited in given.citations):
        return 1.0
    asked = _Asked.of(question, snippets)
    titles = {sentence: s.title for s in snippets for sentence in _statements(s)}
    return max((min(1.0, asked.score(said, titles.get(said, ""))) for said in told), default=0.0)


def _given(question: Question, snippets: Sequence[Snippet]) -> Answer | None:
    """Return what an owner has answered to exactly this question, or None."""
    given = [snippet for snippet in snippets if snippet.answers]
    wanted = as_shown(question.text) if given else ""
    for snippet in given:
        if snippet.answers == wanted:
            return Answer(
                question=question.text,
                citations=tuple(
                    Citation(sentence=sentence, ref=snippet.ref, title=snippet.title)
                    for sentence in sentences(snippet.text)
                ),
                score=1.0,
            )
    return None


class _Asked:
    """A question with its terms, weighed by how rare they are among the candidates."""

    def __init__(
        self,
        weights: Weights,
        strange: float,
        context: frozenset[str],
        vector: Vectors,
        *,
        counts: bool,
    ) -> None:
        self._weights = weights
        self._total = sum(weights.values())
        self._strange = strange / self._total if self._total else 0.0
        self._context = context
        self._counts = counts
        self._vector = vector

    @classmethod
    def of(cls, question: Question, snippets: Sequence[Snippet]) -> "_Asked":
        """Weigh a question's terms: a word that no candidate holds most, such a number nothing."""
        said, vector = topic(question.text)
        held = [topic(f"{snippet.title} {snippet.text}")[0] for snippet in snippets]
        known = {term for holding in held for term in holding}
        wanted = {term for term in said if not term.isdigit() or term in known}
        size = max(_FEWEST, len(held))
        counts = {term: sum(term in holding for holding in held) for term in wanted}
        weights = {term: log(1 + size / max(_UNSEEN, count)) for term, count in counts.items()}
        around = frozenset(t for t in terms(question.context) if not t.isdigit()) - wanted
        strange = sum(weights[term] for term, count in counts.items() if not count)
        return cls(weights, strange, around, vector, counts=wants_number(question.text))

    def score(self, sentence: str, title: str) -> float:
        """Return how well a sentence under a title covers what is asked, 0 to 1."""
        here = topic(sentence)[0]
        if not any(term in here for term in self._weights):
            return 0.0
        said, meaning = topic(f"{title} {sentence}")
        covered = self.own(sentence) * (1 - _TITLE) + self._share(said) * _TITLE
        covered -= _STRANGE * self._strange
        nearness = min(1.0, max(0.0, float(self._vector @ meaning)) * _NEARNESS)
        score = _COVERAGE * covered + (1 - _COVERAGE) * nearness
        return score * _NUMBERLESS if self._counts and not holds_number(sentence) else score

    def own(self, sentence: str) -> float:
        """Return the share of the weights that a sentence covers without its title."""
        return self._share(topic(sentence)[0])

    def around(self, text: str) -> float:
        """Return a small bonus for the terms that stand before the question."""
        shared = len(self._context & topic(text)[0])
        return _CONTEXT * shared / max(1, len(self._context))

    def new_terms(self, sentence: str, told: str) -> bool:
        """Return whether a sentence covers asked terms that `told` does not."""
        fresh = topic(sentence)[0] - topic(told)[0]
        return any(term in fresh for term in self._weights)

    def _share(self, said: frozenset[str]) -> float:
        """Return the share of the weights that terms cover."""
        found = sum(weight for term, weight in self._weights.items() if term in said)
        return found / self._total if self._total else 0.0


def _with_company(asked: _Asked, snippet: Snippet, first: str) -> list[str]:
    """Return the best sentence with those of its entry that say as much, or what it leaves out."""
    chosen = [first]
    needed = max(_ALSO * asked.own(first), _ALSO_LEAST)
    others = sorted(_statements(snippet), key=lambda other: -asked.own(other))
    for other in others:
        if other in chosen or len(chosen) >= _MOST_SENTENCES:
            continue
        adds = asked.new_terms(other, " ".join(chosen))
        level = asked.around(other) >= asked.around(first)
        if (level and asked.own(other) >= needed) or (adds and asked.score(other, "") >= THRESHOLD):
            chosen.append(other)
    return chosen


def _statements(snippet: Snippet) -> tuple[str, ...]:
    """Return the sentences of a snippet that state something."""
    return statements(snippet.text)


@lru_cache(maxsize=4096)
def statements(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that are no questions; knowledge comes up again and again."""
    return tuple(sentence for sentence in sentences(text) if not sentence.endswith("?"))


@lru_cache(maxsize=8192)
def holds_number(sentence: str) -> bool:
    """Return whether a sentence states a number, a time or a date, in digits or words."""
    return any(claim.kind not in ("name", "commitment") for claim in claims(sentence))


@lru_cache(maxsize=16_384)
def topic(text: str) -> tuple[frozenset[str], Vectors]:
    """Return the terms and the vector of a text."""
    return frozenset(terms(text)), embed_letters((text,))[0]
