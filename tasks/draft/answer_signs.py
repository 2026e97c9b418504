"""How much speaks for a sentence as the answer to a question: signs, weighed into one score.

Words are compared softly (`tasks.language.alike`), weighed by how rare they are among the
candidates. What near misses have in common counts against: another entry fits as well, the thing
that is asked for is named nowhere, no number where one is wanted.
"""

from collections.abc import Sequence
from copy import copy
from itertools import pairwise
from math import log
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from data.codes import is_code
from data.records.mail.briefing import Snippet
from data.word_vectors import Vectors
from tasks.draft.answer_score import BASE, SHARES, CandidateSentence, Signs
from tasks.draft.answer_score import score as score_of
from tasks.draft.answer_terms import meaning, parts_of, wanted_terms
from tasks.draft.priced import prices_itself, says_for, things
from tasks.draft.question_kinds import goes_on, holds_kind, holds_number, names_somebody, wanted
from tasks.language.alike import Term
from tasks.language.alike_table import comparison
from tasks.words.questions import AskedQuestion

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
_GOES_ON = 0.9
"""Share of what stands before that a sentence says which only points to it."""
_ABOUT = 0.8
"""Share of a question for a code that the first sentence of an entry about it covers at least."""
_HARDLY = 0.3
"""Likeness below which a word is not said."""
_STATED = -0.1
"""What a sentence lacks that states the kind of thing that is asked for."""
_ANOTHER = 2.0
"""What a sentence is held against that states the price of something else."""
_MATTER = 0.5
"""Share of what is asked of a thing that must be said of it."""
_SAME = 0.85
"""Nearness of meaning from which two sentences say the same and do not compete."""


class _Line(NamedTuple):
    """A sentence of an entry."""

    snippet: Snippet
    sentence: str
    whole: int
    """The row of its entry in what is said; the next is its title's."""
    own: float
    covered: float
    """Share of the question that it covers with its title."""
    spoken: Row
    """How surely it says each word of the question, with its title."""
    before: str
    """The sentence before it in its entry; empty for the first."""

    @property
    def first(self) -> bool:
        """Whether its entry begins with it."""
        return not self.before


class WeighedQuestion:
    """A question with its words, weighed by how rare they are among the candidates.

    All candidates are in one language; `asked_in` names the question's when it is another one.
    """

    def __init__(
        self, question: AskedQuestion, snippets: Sequence[Snippet], *, asked_in: str = ""
    ) -> None:
        self.language = snippets[0].language if snippets else "und"
        asked, spoken = question.asked, asked_in or self.language
        self._asked, self._spoken_in = asked, spoken
        self._terms = wanted_terms(asked, spoken)
        self._wants = wanted(asked, question.text, spoken)
        counted = [term.word in self._wants.counted for term in self._terms]
        self._kinds = np.where(counted, _COUNTED, 1.0)
        self._named = np.array([term.name for term in self._terms], dtype=bool)
        self._codes = np.array([is_code(term.word) for term in self._terms], dtype=bool)
        self._joined = np.array(["_" in term.word for term in self._terms], dtype=bool)
        self._joined &= ~self._codes
        self._plain = ~(self._named | self._codes | self._joined) & (self._kinds == 1.0)
        self._any_named, self._any_codes = bool(self._named.any()), bool(self._codes.any())
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

    def candidates(self, least: float = 0.0) -> list[CandidateSentence]:
        """Return the sentences with a score from `least`, those that cover most first."""
        if least not in self._found:  # a plan, a draft and a check ask for the same ones
            self._found[least] = self._candidates(least)
        return self._found[least]

    def _candidates(self, least: float) -> list[CandidateSentence]:
        needed = log(least / (1 - least)) - BASE - _ROUNDING if least else 0.0
        found = [
            CandidateSentence(line.snippet, line.sentence, self._signs(line))
            for line in self._lines
            if SHARES.own * line.own + SHARES.ahead * min(_MARGIN, line.covered) >= needed
            or (line.first and self.about(line.snippet.ref))
        ]
        sure = [one for one in found if one.score >= least]
        return [one for one in sure if one.signs.ahead >= _LEAD or not least or self._titled(one)]

    def _titled(self, one: CandidateSentence) -> bool:
        """Return whether its entry's title says all words of the question, and is the shortest.

        *Opening hours* is asked for, and not *Opening hours at Christmas*. One word is too little:
        it may mean something else there.
        """
        sizes = {
            snippet.ref: len(self._comparison.table.text(snippet.title, self.language))
            for snippet, _, start in self._homes
            if np.all(self._said[start + 1] >= _SURE)
        }
        shortest = [ref for ref, size in sizes.items() if size == min(sizes.values())]
        return shortest == [one.snippet.ref] and len(self._terms) > 1

    def of_entry(self, ref: str) -> list[tuple[str, float]]:
        """Return an entry's sentences with the share that each covers itself, most first."""
        told, start = next((told, start) for one, told, start in self._homes if one.ref == ref)
        own = self.share(self._said[start + 2 : start + 2 + len(told)]).tolist()
        return sorted(zip(told, own, strict=True), key=lambda row: -row[1])

    def about(self, ref: str) -> bool:
        """Return whether a question asks what a code means that an entry's title names."""
        if not (self._wants.meaning and self._any_codes):
            return False
        start = next((start for one, _, start in self._homes if one.ref == ref), -1)
        if start < 0:
            return False
        return bool(np.all(self._said[start + 1][self._codes] >= _SURE))

    def judged(self, told: Sequence[str]) -> float:
        """Return the best score of sentences of a draft, each beside those of all candidates.

        Each counts as part of the entry that it says most of, whoever put it so.
        """
        if not self._lines or not told:
            return 0.0
        homes = [self._home(sentence) for sentence in told]
        said = self.match(told)
        titles = self._said[[home.whole + 1 for home in homes]]
        spoken = np.maximum(said, titles)
        own, covered = self.share(np.array([said, spoken])).tolist()
        made = [
            home
            if home.sentence == sentence
            else home._replace(sentence=sentence, own=own[n], covered=covered[n], spoken=spoken[n])
            for n, (home, sentence) in enumerate(zip(homes, told, strict=True))
        ]
        return max(score_of(self._signs(line)) for line in made)

    def _home(self, sentence: str) -> _Line:
        """Return the line that says the same, else the one that is nearest in meaning."""
        same = next((line for line in self._lines if line.sentence == sentence), None)
        return same or self._lines[int(np.argmax(self._nearness(sentence)))]

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
        said = self._spoken()
        spoken = np.maximum(said, said[self._titles])
        own, covered = self.share(said).tolist(), self.share(spoken).tolist()
        lines = [
            _Line(snippet, sentence, start, own[row], covered[row], spoken[row], before)
            for snippet, told, start in self._homes
            for row, (before, sentence) in enumerate(pairwise(("", *told)), start + 2)
        ]
        self._lines = sorted(lines, key=lambda line: -line.covered)
        self._meanings: Vectors | None = None
        self._found: dict[float, list[CandidateSentence]] = {}

    def _spoken(self) -> Row:
        """Return what is said, where *It costs 20 euros* speaks of what stands before it."""
        kind = self._wants.kind
        if not kind:
            return self._said
        said = self._said.copy()
        for _, told, start in self._homes:
            for row, sentence in enumerate(told, start + 2):
                if goes_on(sentence) and holds_kind(sentence, kind):
                    said[row] = np.maximum(said[row], said[row - 1] * _GOES_ON)
        return said

    def _with_parts(self, said: Row) -> Row:
        """Let whoever says a phrase say its words too."""
        for whole, part in parts_of(self._terms):
            said[:, part] = np.maximum(said[:, part], said[:, whole])
        return said

    def _nearness(self, sentence: str) -> Vectors:
        """Return how near in meaning a sentence is to each line."""
        if self._meanings is None:
            self._meanings = np.stack([meaning(x.sentence, self.language) for x in self._lines])
        return np.asarray(self._meanings @ meaning(sentence, self.language))

    def _signs(self, line: _Line) -> Signs:
        ref, told = line.snippet.ref, line.sentence
        others = zip(self._lines, self._nearness(told), strict=True)
        rival = next(
            (
                other.covered
                for other, near in others
                if other.snippet.ref != ref and other.sentence != told and near < _SAME
            ),
            0.0,
        )
        about = self.about(ref) and line.first
        return Signs(
            own=max(line.own, _ABOUT) if about else line.own,
            ahead=_MARGIN if about else min(_MARGIN, max(-_MARGIN, line.covered - rival)),
            lacking=self._lacking(line),
            beside=(1 - line.covered) if self._wants.closed else 0.0,
            unnamed=self._unnamed(line),
        )

    def _lacking(self, line: _Line) -> float:
        """Return what of the kind that is asked for is not in a sentence."""
        wants = self._wants
        if wants.kind:
            there = holds_kind(line.sentence, wants.kind)
            return _STATED if there else 1.0 if wants.kind == "moment" else 2.0
        titled = self._said[line.whole + 1]
        if len(self._terms) == 1 and not (wants.number or wants.whether) and titled[0] < _SURE:
            return 2.0
        number = wants.number and not holds_number(line.sentence)
        return float(number or (wants.person and not names_somebody(line.sentence)))

    def _prices(self, line: _Line) -> bool:
        """Return whether a sentence states the price of the thing that is asked about.

        Where it prices nothing by itself and its title names that thing alone, that is priced.
        """
        asked = things(self._asked, self._spoken_in)
        beside = says_for(self._asked, self._spoken_in)
        named = things(line.sentence, self.language, beside=beside)
        if goes_on(line.sentence):
            named = (*things(line.before, self.language, beside=beside), *named)
        if self._say(asked, named):
            return True
        if not named:
            return not asked or bool((self._said[line.whole][self._plain] >= _SURE).any())
        if prices_itself(line.sentence):
            return False
        return self._say(asked, things(line.snippet.title, self.language), whole=True)

    def _say(
        self, asked: tuple[Term, ...], named: tuple[Term, ...], *, whole: bool = False
    ) -> bool:
        """Return whether one of the things asked about is named; if `whole`, nothing else is."""
        if not asked or not named:
            return False
        table = self._comparison.table
        alike = table.compare(asked, table.numbers(named)) >= _SURE
        return bool(alike.any(axis=0).all() if whole else alike.any())

    def _unnamed(self, line: _Line) -> float:
        """Return what of the names, and of what is asked about them, an entry does not say."""
        if self._wants.kind == "amount" and not self._prices(line):
            return _ANOTHER
        whole = self._said[line.whole]
        missing = float(self._any_named and bool(np.any(self._named & (whole < _SURE))))
        missing += float(self._any_codes and bool(np.any(self._codes & (whole < _SURE))))
        if self.about(line.snippet.ref):
            return missing  # an entry about a code is about all that is asked of it
        plain = self._plain
        if self._wants.whether:  # whether something is so that another entry's title speaks of
            others = [start + 1 for _, _, start in self._homes if start != line.whole]
            elsewhere = (self._said[others] >= _SURE).any(axis=0) if others else plain & False
            return missing + float(bool(np.any(plain & elsewhere & (line.spoken < _HARDLY))))
        if not self._any_named:
            return missing
        weights = np.where(plain, self._weights, 0.0)
        total = float(weights.sum())
        said = float((weights * line.spoken).sum())
        return missing + float(total > 0 and said < _MATTER * total)
