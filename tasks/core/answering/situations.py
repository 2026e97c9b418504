"""Advice for a situation that the writer says has happened.

Who writes *the parcel has not come* asks nothing, and is helped by *If a parcel has not arrived
after eight days, tell us its number.* A sentence of the knowledge that opens with a condition is
told to a letter that says this condition: nearly all of its words in one sentence, denied there as
here. To other letters it is not told beside an answer. First version: conditions behind the main
clause, and those without a comma, are not looked at.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import data.lexicons.drafting as lexicon
from data.records.core.briefing import Snippet
from data.records.core.citations import Citation
from data.word_lists import word_list
from tasks.core.answering.question_kinds import is_closed, units
from tasks.core.claims.number_words import number_of
from tasks.core.language.alike_table import comparison
from tasks.core.language.comparable_words import Term, topics
from tasks.core.memo import Memo
from tasks.core.words.grievances import negations
from tasks.core.words.questions import AskedQuestion, asks
from tasks.core.words.sentences import sentences, statements, terms, words

_FILE = Path(lexicon.__file__).with_name("conditions.yaml")
_SHARE = 0.6
"""Share of a condition's words that a statement says; set on half of the letters that judge it."""
_ASKED_SHARE = 0.85
"""The same for a question, which may well ask about something that has not happened."""
_ALONE, _FIRM = 2, 0.65
"""Sure words and share of a condition from which its entry's title need not be spoken of at all."""
_SAID = 0.5
"""Likeness from which a word counts at all."""
_SURELY = 0.8
"""Likeness from which a word is said: one of a condition at least."""
_WEIGHT = 0.9
"""What the share counts beside the number of sure words: less than one of them."""
_AS_GOOD = 0.05
_SPAN = 3
"""Words behind a number within which its unit stands."""
_MOST = 2
"""Sentences of this kind in one part of a letter."""
_READ = 40
"""Sentences of a letter that are looked at."""


Table = npt.NDArray[np.float64]
Row = npt.NDArray[np.float64]


_REMEMBERED = 512
"""Letters that are remembered with what helps their writers: a plan asks for it, then a draft."""
_told: Memo[tuple[str, str, tuple[tuple[str, str, str], ...]], list[Citation]] = Memo(_REMEMBERED)


class Condition(NamedTuple):
    """When a sentence of the knowledge holds."""

    terms: tuple[Term, ...]
    """The words that bear its topic, without numbers and spans of time."""
    denied: bool
    """Whether it is that something has not happened."""
    then: str
    """What is said for that case."""


@lru_cache(maxsize=8192)
def condition_of(sentence: str, language: str) -> Condition | None:
    """Return the condition that a sentence opens with, or None."""
    before, comma, after = sentence.partition(",")
    words_before = words(before)
    opening = next(
        (row for row in _openings(language) if tuple(words_before[: len(row)]) == row), ()
    )
    if not comma or not opening or not after.strip():
        return None
    left_out = {*opening, *_spans(words_before), *negations(language)}
    rest = tuple(topic for topic in topics(before, language) if topic.word not in left_out)
    return Condition(rest, _denies(before, language), after.strip()) if rest else None


def holds(sentence: str, letter: Sequence[str], language: str) -> bool:
    """Return whether a sentence has no condition, or one that a letter's sentences say."""
    condition = condition_of(sentence, language)
    return condition is None or any(
        _score_sentence(condition, "", letter_sentence, language) for letter_sentence in letter
    )


def situations(letter: str, snippets: Sequence[Snippet], language: str) -> list[Citation]:
    """Return the sentences for what a letter says has happened, in its order; two at most.

    Of those for one sentence of the letter the one that says most of it counts; when entries say as
    much, none does.
    """
    texts = tuple((snippet.ref, snippet.title, snippet.text) for snippet in snippets)
    return list(_told.get((letter, language, texts), lambda: _tell(letter, snippets, language)))


def _tell(letter: str, snippets: Sequence[Snippet], language: str) -> list[Citation]:
    conditions = [
        (passage, stated_sentence, condition)
        for passage in snippets
        for stated_sentence in statements(passage.text)
        if (condition := condition_of(stated_sentence, language)) is not None
    ]
    letter_sentences = sentences(letter)[:_READ] if conditions else []
    table = [
        _scores(condition, snippet.title, letter_sentences, language)
        for snippet, _, condition in conditions
    ]
    citations: dict[str, Citation] = {}
    for place in range(len(letter_sentences)):
        best = max(scores[place] for scores in table)
        near = [
            (scores[place], snippet, statement)
            for scores, (snippet, statement, _) in zip(table, conditions, strict=True)
            if best and scores[place] >= best - _AS_GOOD
        ]
        if len({snippet.ref for _, snippet, _ in near}) == 1:
            _, snippet, statement = max(near, key=lambda row: row[0])
            citations[statement] = Citation(
                sentence=statement, ref=snippet.ref, title=snippet.title
            )
    return list(citations.values())[:_MOST]


def with_situations(
    told: Sequence[list[Citation]], helped: Sequence[Citation], snippets: Sequence[Snippet]
) -> list[list[Citation]]:
    """Return paragraphs of answers with the sentences that help, each told once.

    They join the first paragraph from the same entry, in that entry's order; others go first.
    """
    paragraphs = [list(paragraph) for paragraph in told]
    alone: list[list[Citation]] = []
    told_sentences = {cited_sentence.sentence for paragraph in told for cited_sentence in paragraph}
    texts = {snippet.ref: statements(snippet.text) for snippet in snippets}
    for citation in helped:
        if citation.sentence in told_sentences:
            continue
        home = next((p for p in paragraphs if {cited.ref for cited in p} == {citation.ref}), None)
        if home is None:
            alone.append([citation])
        else:
            home.append(citation)
            home.sort(key=lambda cited: texts[cited.ref].index(cited.sentence))
    return [*alone, *paragraphs]


def settles(question: AskedQuestion, citations: Sequence[Citation], language: str) -> bool:
    """Return whether a question is answered by what is told for the writer's situation.

    It is the very sentence that says what happened, or asks about something that is said to do.
    """
    for citation in citations:
        condition = condition_of(citation.sentence, language)
        if condition is None:
            continue
        if _score_sentence(condition, citation.title, question.text, language):
            return True
        before = sentences(question.context)
        near = any(_score_sentence(condition, citation.title, part, language) for part in before)
        if near and set(terms(question.text)) & set(terms(condition.then)):
            return True
    return False


def _score_sentence(condition: Condition, title: str, sentence: str, language: str) -> float:
    """Return how much of a condition one sentence says, as `_scores` does for several."""
    return _scores(condition, title, (sentence,), language)[0]


def _scores(condition: Condition, title: str, letter: Sequence[str], language: str) -> list[float]:
    """Return how much of a condition each sentence says: its sure words, then its share.

    It is 0 where that is too little. What the title of its entry says as well is taken as said by
    who speaks of that title's matter.
    """
    if all(
        condition.denied is not _denies(letter_sentence, language) for letter_sentence in letter
    ):
        return [0.0] * len(letter)
    *rows, titled = _match(condition.terms, (*letter, title), language)
    return [
        0.0
        if condition.denied is not _denies(sentence, language) or (row < _SURELY).all()
        else _score(row, titled, title, sentence, language)
        for sentence, row in zip(letter, rows, strict=True)
    ]


def _score(row: Row, titled: Row, title: str, sentence: str, language: str) -> float:
    sure = (row >= _SURELY) & (titled < _SURELY)
    if not sure.any() and (titled >= _SURELY).all():
        sure = row >= _SURELY
    own, share_named = int((row >= _SURELY).sum()), _count_named(title, sentence, language)
    if titled.any() and share_named[0] >= max(2, share_named[1] / 2):
        row = np.maximum(row, titled)
    share = float(np.where(row >= _SAID, row, 0.0).mean())
    asked = asks(sentence) or is_closed(sentence, language)
    least = _ASKED_SHARE if asked or len(row) == 1 else _SHARE
    if not sure.any() or share < least:
        return 0.0
    if (own < _ALONE or share < _FIRM) and not share_named[0]:
        return 0.0  # *locked* alone may be about anything
    return float((row >= _SURELY).sum()) + _WEIGHT * share


@lru_cache(maxsize=1024)
def _count_named(title: str, sentence: str, language: str) -> tuple[int, int]:
    """Return how many words of a title a sentence surely says, and how many the title has."""
    words_of_it = topics(title, language)
    if not words_of_it:
        return 0, 0
    (row,) = _match(words_of_it, (sentence,), language)
    return int((row >= _SURELY).sum()), len(words_of_it)


def _match(wanted_terms: tuple[Term, ...], texts: Sequence[str], language: str) -> Table:
    """Return how surely each text says each word, shape (texts, words)."""
    compared = comparison(wanted_terms)
    numbers = [compared.table.text(text, language) for text in texts]
    return compared.best(np.concatenate(numbers), np.array([len(row) for row in numbers]))


@lru_cache(maxsize=8)
def _openings(language: str) -> tuple[tuple[str, ...], ...]:
    table: dict[str, object] = word_list(_FILE)
    rows = str(table.get(language, "")).split(",")
    return tuple(sorted({tuple(words(row)) for row in rows if row.strip()}, key=len, reverse=True))


def _spans(sentence_words: Sequence[str]) -> set[str]:
    """Return the words of spans of time: *after eight working days* need not be said."""
    span: set[str] = set()
    for at, word in enumerate(sentence_words):
        if not (word.isdigit() or number_of(word)):
            continue
        behind = sentence_words[at + 1 : at + 1 + _SPAN]
        unit = next((n for n, one in enumerate(behind) if one in units()), -1)
        if unit >= 0:
            span |= {*sentence_words[max(0, at - 1) : at + 1], *behind[: unit + 1]}
    return span


@lru_cache(maxsize=4096)
def _denies(text: str, language: str) -> bool:
    return bool(negations(language) & set(words(text)))
