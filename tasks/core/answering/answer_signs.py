"""The signs that a sentence answers a question, by the words that both have.

Words are compared softly (`tasks.core.language.comparable_words`), weighed by how rare they are
among the candidates. What near misses have in common counts against: another entry fits as well,
the thing that is asked for is named nowhere, no number where one is wanted.
"""

from collections.abc import Sequence
from copy import copy
from itertools import pairwise
from math import log
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from data.codes import is_code
from data.records.core.briefing import Snippet
from data.word_vectors import Vectors
from tasks.core.answering.answer_score import BASE, SHARES, AnswerSigns, CandidateSentence
from tasks.core.answering.answer_score import score as score_of
from tasks.core.answering.answer_terms import embed_meaning, parts_of, wanted_terms
from tasks.core.answering.priced import prices_itself, says_for, things
from tasks.core.answering.question_kinds import (
    goes_on,
    holds_kind,
    holds_number,
    names_somebody,
    needs_of,
)
from tasks.core.language.alike_table import comparison
from tasks.core.language.comparable_words import Term
from tasks.core.words.questions import AskedQuestion

Row = npt.NDArray[np.float64]

FEWEST_ENTRIES = 8
"""Fewest entries that a word's rarity is judged among."""
UNSEEN_COUNT = 0.7
"""Entries that a word which stands in none of them counts as."""
LIKENESS_SAID = 0.8
"""Likeness from which a word counts as said."""
LIKENESS_UNSAID = 0.3
"""Likeness below which a word is not said."""
LIKENESS_PHRASE = 0.5
"""Likeness below which a phrase of the question does not ask for anything by itself."""
MOST_AHEAD = 0.4
"""Most that being ahead of other entries counts."""
LEAST_AHEAD = 0.05
"""Least by which a sentence must be ahead of other entries: among equals nobody knows."""
COUNTED_WEIGHT = 0.3
"""Share of its weight that a number of the question has: *for 20 people* is rarely in an answer."""
CONTINUED_SHARE = 0.9
"""A sentence that only continues the one before it (*It costs 20 euros*) says that one's words at
this share."""
CODE_SHARE = 0.8
"""Share of a question for what a code means that the first sentence of the entry which its title
names covers at least."""
KIND_STATED = -0.1
"""Lack of a sentence that states the kind of thing which is asked for: less than none, a bonus."""
OTHER_PRICE = 2.0
"""Penalty of a sentence that states the price of something else."""
MATTER_SHARE = 0.5
"""Share of what is asked of a thing that must be said of it."""
NEARNESS_SAME = 0.85
"""Nearness of meaning from which two sentences say the same and do not compete."""
_ROUNDING = 1e-9


class _Entry(NamedTuple):
    """An entry of the knowledge, and where its likenesses stand."""

    snippet: Snippet
    sentences: tuple[str, ...]
    row: int
    """The row of the whole entry; the next one is its title's, then follow its sentences'."""

    @property
    def title_row(self) -> int:
        """The row of its title."""
        return self.row + 1

    @property
    def first_row(self) -> int:
        """The row of its first sentence."""
        return self.row + 2


class _Line(NamedTuple):
    """A sentence of an entry."""

    snippet: Snippet
    sentence: str
    entry_row: int
    """The row of its whole entry; the next one is its title's."""
    own: float
    covered: float
    """Share of the question that it covers with its title."""
    with_title: Row
    """How surely it or its entry's title says each word of the question."""
    sentence_before: str
    """The sentence before it in its entry; empty for the first."""

    @property
    def first(self) -> bool:
        """Whether its entry begins with it."""
        return not self.sentence_before


class WeighedQuestion:
    """A question with its words, weighed by how rare they are among the entries.

    All entries are in one language; `asked_in` names the question's when it is another one.
    """

    def __init__(
        self, question: AskedQuestion, snippets: Sequence[Snippet], *, asked_in: str = ""
    ) -> None:
        self.language = snippets[0].language if snippets else "und"
        self._asked, self._question_language = question.asked, asked_in or self.language
        self._terms = wanted_terms(self._asked, self._question_language)
        self._wants = needs_of(self._asked, question.text, self._question_language)
        counted = [term.word in self._wants.counted for term in self._terms]
        self._discounts = np.where(counted, COUNTED_WEIGHT, 1.0)
        self._is_name = np.array([term.name for term in self._terms], dtype=bool)
        self._is_code = np.array([is_code(term.word) for term in self._terms], dtype=bool)
        self._is_phrase = np.array(["_" in term.word for term in self._terms], dtype=bool)
        self._is_phrase &= ~self._is_code
        self._is_plain_word = ~(self._is_name | self._is_code | self._is_phrase) & (
            self._discounts == 1.0
        )
        self._any_named, self._any_codes = bool(self._is_name.any()), bool(self._is_code.any())
        self._comparison = comparison(self._terms)
        table = self._comparison.table
        tables = [table.entry(snippet.title, snippet.text, self.language) for snippet in snippets]
        sizes = [entry.sizes for entry in tables]
        self._likeness = np.zeros((0, len(self._terms)))
        """How surely each row says each word; the rows are those of `_Entry`."""
        if tables:
            numbers = np.concatenate([entry.numbers for entry in tables])
            self._likeness = self._with_parts(self._comparison.best(numbers, np.concatenate(sizes)))
        counts = [len(own) for own in sizes]
        rows = np.cumsum([0, *counts]).tolist()[:-1]
        self._entries = [
            _Entry(one, tuple(entry.told), row)
            for one, entry, row in zip(snippets, tables, rows, strict=True)
        ]
        titles = np.array([entry.title_row for entry in self._entries], dtype=np.int64)
        self._title_rows = np.repeat(titles, counts)
        """The row of the title of each row's entry."""
        self._weigh()

    def without(self, ref: str) -> Self:
        """Return the same question among the other entries."""
        other = copy(self)
        other._entries = [entry for entry in self._entries if entry.snippet.ref != ref]
        other._weigh()
        return other

    def likeness_of(self, texts: Sequence[str]) -> Row:
        """Return how surely each text says each word of the question, shape (texts, words)."""
        numbers = [self._comparison.table.text(text, self.language) for text in texts]
        sizes = np.array([len(own) for own in numbers])
        return self._with_parts(self._comparison.best(np.concatenate(numbers), sizes))

    def share(self, likeness: Row) -> Row:
        """Return the weighed share of the question that each row of `likeness` says.

        Phrases that are not said do not count.
        """
        weights = np.where(self._is_phrase & (likeness < LIKENESS_PHRASE), 0.0, self._weights)
        totals = weights.sum(axis=-1)
        return np.asarray((weights * likeness).sum(axis=-1) / np.where(totals, totals, 1.0))

    def candidates(self, least: float = 0.0) -> list[CandidateSentence]:
        """Return the sentences with a score from `least`, those that cover most first.

        With a `least` above 0 each is ahead of other entries, or its entry's title alone says all
        that is asked. The list is kept: nobody may change it.
        """
        # A plan, a draft and a check ask for the same ones.
        if least not in self._candidates_by_least:
            self._candidates_by_least[least] = self._candidates(least)
        return self._candidates_by_least[least]

    def _candidates(self, least: float) -> list[CandidateSentence]:
        # A line whose best possible score is below `least` is not looked at more closely.
        needed = log(least / (1 - least)) - BASE - _ROUNDING if least else 0.0
        possible = [
            CandidateSentence(line.snippet, line.sentence, self._signs_of(line))
            for line in self._lines
            if SHARES.own * line.own + SHARES.ahead * min(MOST_AHEAD, line.covered) >= needed
            or (line.first and self.asks_meaning_of_code_in(line.snippet.ref))
        ]
        return [
            candidate
            for candidate in possible
            if candidate.score >= least
            and (
                not least
                or candidate.signs.ahead >= LEAST_AHEAD
                or self._title_says_all_alone(candidate)
            )
        ]

    def _title_says_all_alone(self, candidate_sentence: CandidateSentence) -> bool:
        """Return whether its entry's title says all words of the question, and is the shortest.

        *Opening hours* is asked for, and not *Opening hours at Christmas*. One word is too little:
        it may mean something else there.
        """
        sizes = {
            entry.snippet.ref: len(self._comparison.table.text(entry.snippet.title, self.language))
            for entry in self._entries
            if np.all(self._likeness[entry.title_row] >= LIKENESS_SAID)
        }
        shortest = [ref for ref, size in sizes.items() if size == min(sizes.values())]
        return shortest == [candidate_sentence.snippet.ref] and len(self._terms) > 1

    def of_entry(self, ref: str) -> list[tuple[str, float]]:
        """Return an entry's sentences with the share that each covers itself, most first."""
        entry = next(own_entry for own_entry in self._entries if own_entry.snippet.ref == ref)
        last = entry.first_row + len(entry.sentences)
        shares = self.share(self._likeness[entry.first_row : last]).tolist()
        return sorted(zip(entry.sentences, shares, strict=True), key=lambda row: -row[1])

    def asks_meaning_of_code_in(self, ref: str) -> bool:
        """Return whether the question asks what a code means, and this entry's title names it."""
        if not (self._wants.meaning and self._any_codes):
            return False
        entry = next(
            (own_entry for own_entry in self._entries if own_entry.snippet.ref == ref), None
        )
        if entry is None:
            return False
        return bool(np.all(self._likeness[entry.title_row][self._is_code] >= LIKENESS_SAID))

    def best_score(self, draft_sentences: Sequence[str]) -> float:
        """Return the best score of sentences of a draft, each beside those of all candidates.

        Each is scored in the place of the candidate that says the same, or is nearest in meaning.
        """
        if not self._lines or not draft_sentences:
            return 0.0
        lines = [self._nearest_line(sentence) for sentence in draft_sentences]
        alone = self.likeness_of(draft_sentences)
        with_title = np.maximum(alone, self._likeness[[line.entry_row + 1 for line in lines]])
        own, covered = self.share(np.array([alone, with_title])).tolist()
        replaced = [
            line
            if line.sentence == sentence
            else line._replace(
                sentence=sentence,
                own=own[place],
                covered=covered[place],
                with_title=with_title[place],
            )
            for place, (line, sentence) in enumerate(zip(lines, draft_sentences, strict=True))
        ]
        return max(score_of(self._signs_of(line)) for line in replaced)

    def _nearest_line(self, sentence: str) -> _Line:
        """Return the line that says the same, else the one that is nearest in meaning."""
        same = next((line for line in self._lines if line.sentence == sentence), None)
        return same or self._lines[int(np.argmax(self._nearness(sentence)))]

    def adds(self, sentence: str, chosen: Sequence[str]) -> bool:
        """Return whether a sentence surely says a word of the question that `chosen` do not."""
        says, already_said = self.likeness_of([sentence, " ".join(chosen)]) >= LIKENESS_SAID
        return bool(np.any(says & ~already_said))

    def _weigh(self) -> None:
        """Weigh the words by the entries, and put the sentences in order, best covering first.

        What was derived of other entries is forgotten: `_weights`, `_lines`, meanings, candidates.
        """
        entry_rows = self._likeness[[entry.row for entry in self._entries]]
        size = max(FEWEST_ENTRIES, len(entry_rows))
        counts = (entry_rows**2).sum(axis=0)  # squared: what is hardly alike hardly counts
        rare = np.array([log(1 + size / max(UNSEEN_COUNT, count)) for count in counts])
        self._weights = rare * self._discounts
        alone = self._continue_sentences()
        with_title = np.maximum(alone, alone[self._title_rows])
        own, covered = self.share(alone).tolist(), self.share(with_title).tolist()
        lines = [
            _Line(
                entry.snippet, sentence, entry.row, own[row], covered[row], with_title[row], before
            )
            for entry in self._entries
            for row, (before, sentence) in enumerate(
                pairwise(("", *entry.sentences)), entry.first_row
            )
        ]
        self._lines = sorted(lines, key=lambda line: -line.covered)
        self._meanings: Vectors | None = None
        self._candidates_by_least: dict[float, list[CandidateSentence]] = {}

    def _continue_sentences(self) -> Row:
        """Return the likenesses, where *It costs 20 euros* says what stands before it as well.

        The first sentence of an entry continues its title, and several may continue each other.
        """
        kind = self._wants.kind
        if not kind:
            return self._likeness
        continued = self._likeness.copy()
        for entry in self._entries:
            for row, sentence in enumerate(entry.sentences, entry.first_row):
                if goes_on(sentence) and holds_kind(sentence, kind):
                    before = continued[row - 1] * CONTINUED_SHARE
                    continued[row] = np.maximum(continued[row], before)
        return continued

    def _with_parts(self, likeness: Row) -> Row:
        """Let whoever says a phrase say its words too; `likeness` is changed and returned."""
        for phrase, word in parts_of(self._terms):
            likeness[:, word] = np.maximum(likeness[:, word], likeness[:, phrase])
        return likeness

    def _nearness(self, sentence: str) -> Vectors:
        """Return how near in meaning a sentence is to each line."""
        if self._meanings is None:
            self._meanings = np.stack(
                [embed_meaning(x.sentence, self.language) for x in self._lines]
            )
        return np.asarray(self._meanings @ embed_meaning(sentence, self.language))

    def _signs_of(self, line: _Line) -> AnswerSigns:
        ref = line.snippet.ref
        # The lines stand in order, so the first one of another entry is the strongest rival.
        rival = next(
            (
                other.covered
                for other, near in zip(self._lines, self._nearness(line.sentence), strict=True)
                if other.snippet.ref != ref
                and other.sentence != line.sentence
                and near < NEARNESS_SAME
            ),
            0.0,
        )
        explains_code = self.asks_meaning_of_code_in(ref) and line.first
        ahead = min(MOST_AHEAD, max(-MOST_AHEAD, line.covered - rival))
        return AnswerSigns(
            own=max(line.own, CODE_SHARE) if explains_code else line.own,
            ahead=MOST_AHEAD if explains_code else ahead,
            lacking=self._weigh_lack(line),
            beside=(1 - line.covered) if self._wants.closed else 0.0,
            unnamed=self._weigh_misses(line),
        )

    def _weigh_lack(self, line: _Line) -> float:
        """Return how much a sentence lacks of the kind of thing that is asked for.

        It is 0 for nothing, 1 and 2 for what is needed and for what is the matter itself. A
        question of one word needs an entry whose title says it, unless a number or a yes is asked.
        """
        wants = self._wants
        if wants.kind:
            stated = holds_kind(line.sentence, wants.kind)
            return KIND_STATED if stated else 1.0 if wants.kind == "moment" else 2.0
        title = self._likeness[line.entry_row + 1]
        one_word = len(self._terms) == 1 and not (wants.number or wants.whether)
        if one_word and title[0] < LIKENESS_SAID:
            return 2.0
        number = wants.number and not holds_number(line.sentence)
        return float(number or (wants.person and not names_somebody(line.sentence)))

    def _states_price_asked_for(self, line: _Line) -> bool:
        """Return whether a sentence states the price of the thing that is asked about.

        It does where it names that thing. Where it names none at all, its entry has to speak of
        what is asked. Where it names another without pricing that, its title has to name the
        thing and nothing else.
        """
        asked = things(self._asked, self._question_language)
        beside = says_for(self._asked, self._question_language)
        things_named = things(line.sentence, self.language, beside=beside)
        if goes_on(line.sentence):
            things_named = (
                *things(line.sentence_before, self.language, beside=beside),
                *things_named,
            )
        if self._name_asked_thing(asked, things_named):
            return True
        if not things_named:
            entry = self._likeness[line.entry_row][self._is_plain_word]
            return not asked or bool((entry >= LIKENESS_SAID).any())
        if prices_itself(line.sentence):
            return False
        return self._name_asked_thing(asked, things(line.snippet.title, self.language), alone=True)

    def _name_asked_thing(
        self, asked: tuple[Term, ...], terms: tuple[Term, ...], *, alone: bool = False
    ) -> bool:
        """Return whether one of the things asked about is named; if `alone`, nothing else is."""
        if not asked or not terms:
            return False
        table = self._comparison.table
        alike = table.compare(asked, table.numbers(terms)) >= LIKENESS_SAID
        return bool(alike.any(axis=0).all() if alone else alike.any())

    def _weigh_misses(self, line: _Line) -> float:
        """Return how much an entry misses of what the question names.

        A price of something else is one miss of its own. Each of names and codes that the entry
        does not say is one; so is, for *whether*, a word of another entry's title that the line
        does not say, and, for a question with a name, less than half of what is asked of it.
        """
        if self._wants.kind == "amount" and not self._states_price_asked_for(line):
            return OTHER_PRICE
        unsaid = self._likeness[line.entry_row] < LIKENESS_SAID
        missing = float(self._any_named and bool(np.any(self._is_name & unsaid)))
        missing += float(self._any_codes and bool(np.any(self._is_code & unsaid)))
        if self.asks_meaning_of_code_in(line.snippet.ref):
            return missing  # an entry about a code is about all that is asked of it
        if self._wants.whether:
            titles = [entry.title_row for entry in self._entries if entry.row != line.entry_row]
            elsewhere = (self._likeness[titles] >= LIKENESS_SAID).any(axis=0)
            unsaid_here = self._is_plain_word & (line.with_title < LIKENESS_UNSAID)
            return missing + float(bool(np.any(elsewhere & unsaid_here)))
        if not self._any_named:
            return missing
        weights = np.where(self._is_plain_word, self._weights, 0.0)
        total = float(weights.sum())
        covered = float((weights * line.with_title).sum())
        return missing + float(total > 0 and covered < MATTER_SHARE * total)
