"""Answers from the knowledge to questions that are asked in other words than its own.

A question names matters (*send back*, *customer*, *Wren*) and mostly a kind of thing (*how long*).
A sentence answers it where it states that kind and says every matter, itself or by the title of its
entry, in the same word or in one that people put for it (`other_words.yaml`), and where no other
entry says as much. One matter that is not said is enough to know of no answer.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import data.lexicons.drafting as lexicon
from data.records.core.briefing import Snippet
from data.records.core.citations import Citation
from data.word_lists import word_list
from tasks.core.answering.answer import DraftedAnswer
from tasks.core.answering.question_kinds import (
    goes_on,
    holds_kind,
    holds_number,
    names_somebody,
    wanted_kind,
)
from tasks.core.claims.number_words import number_of
from tasks.core.language.alike_table import comparison
from tasks.core.language.comparable_words import topics
from tasks.core.search.words import token_of
from tasks.core.words.questions import AskedQuestion, wants_number
from tasks.core.words.sentence_rows import WordRow, asking_words, denials, words
from tasks.core.words.sentences import is_stop_word, statements

_FILE = Path(lexicon.__file__).with_name("other_words.yaml")
_LANGUAGES = ("en", "de", "fr", "es")
_ASKS, _OF, _LIGHT, _ROLE, _OFTEN, _EXEMPT = "asks ", "of ", "light", "role", "often", "exempt"
_ANY, _BETWEEN = "*", 3
"""What stands in a row for words between, and the most there may be."""
_SHORT_PART, _LONG_PART = 3, 5
"""Letters of the shortest stem, and of one inside a German compound: *Mindestbestellwert*."""
_NEAR = 0.5
"""Likeness from which a word may stand for one that is not there."""
_BEFORE = 2
"""Words between which a number counts what stands behind it."""
_FEWEST = 2
"""Matters that a question has to name which asks for no kind of thing."""


class _Matter(NamedTuple):
    """One thing that a text names."""

    word: str
    """The token of its word; empty where several words name it."""
    ideas: frozenset[str]
    """The lists that its words are in."""
    light: bool = False
    """Whether it may only ask for a kind of thing: *pay*."""


class _Lists:
    """The lists of one language, by the words that their rows begin with."""

    def __init__(self, language: str) -> None:
        table = word_list(_FILE)
        self._rows: dict[str, list[tuple[WordRow, str]]] = {}
        self._stems: dict[str, set[str]] = {}
        self._compounds = language == "de"
        for idea, by_language in table["alike"].items():
            self._add(idea, by_language[language])
        self._add(_LIGHT, table["light"][language])
        for mark, section in ((_ASKS, "asks"), (_OF, "of")):
            for kind, by_language in table[section].items():
                self._add(f"{mark}{kind}", by_language[language])

    def _add(self, name: str, listed: str) -> None:
        for entry in (part.strip() for part in listed.split(",")):
            if entry.endswith(_ANY) and " " not in entry:
                self._stems.setdefault(words(entry[:-1])[0], set()).add(name)
            else:
                row = tuple(part if part == _ANY else words(part) for part in entry.split())
                flat = tuple(word for part in row for word in ((part,) if part == _ANY else part))
                self._rows.setdefault(flat[0], []).append((flat, name))

    def longest(self, text_words: WordRow, place: int) -> tuple[frozenset[int], frozenset[str]]:
        """Return the places of the longest row that begins at a place, and the lists it is in."""
        word, best, names = text_words[place], frozenset({place}), set[str]()
        inside = range(_SHORT_PART, len(word) - _LONG_PART) if self._compounds else ()
        for start in (0, *inside):
            for size in range(_LONG_PART if start else _SHORT_PART, len(word) - start + 1):
                names |= self._stems.get(word[start : start + size], set())
        for row, name in self._rows.get(word, ()):
            places = _places_of(row, text_words, place)
            if len(places) > len(best):
                best, names = places, {name}
            elif places == best:
                names.add(name)
        return best, frozenset(names)


def _places_of(row: WordRow, text_words: WordRow, place: int) -> frozenset[int]:
    """Return the places of the words of a row that begins at a place; none where it does not."""
    places, may_skip = list[int](), False
    for part in row:
        if part == _ANY:
            may_skip = True
            continue
        until = place + (_BETWEEN + 1 if may_skip else 1)
        at = next(
            (n for n in range(place, min(until, len(text_words))) if text_words[n] == part), -1
        )
        if at < 0:
            return frozenset()
        places.append(at)
        place, may_skip = at + 1, False
    return frozenset(places)


@cache
def _lists(language: str) -> _Lists:
    return _Lists(language)


@lru_cache(maxsize=16_384)
def _matters(text: str, language: str) -> tuple[_Matter, ...]:
    """Return what a text names, in order, each word in the longest row that it is in."""
    text_words, taken_places = words(text), set[int]()
    matters: list[_Matter] = []
    for place, word in enumerate(text_words):
        if place in taken_places:
            continue
        places, ideas = _lists(language).longest(text_words, place)
        taken_places |= places
        matters.append(_Matter(token_of(word, language) if len(places) == 1 else "", ideas))
    return tuple(matters)


def _goes_on(sentence: str) -> bool:
    """Return whether a sentence speaks of what the one before did; *El* is no *él*."""
    return goes_on(sentence) and not sentence.startswith("El ")


class _Said(NamedTuple):
    """What a text of the knowledge says."""

    tokens: frozenset[str]
    ideas: frozenset[str]
    unlisted: frozenset[str]
    """The tokens of words that are in no list."""


class _Asked(NamedTuple):
    """What a question asks for."""

    kind: str
    """`amount`, `duration`, `moment`, `person`, `count`, `number`, `phone` or nothing."""
    matters: tuple[_Matter, ...]
    counted: _Matter | None = None
    """What is to be counted: *how many receivers*."""
    denied: bool = False
    """Whether it asks for what is not so: *who need not pay*, *who is exempt*."""


def _asked_for(text: str, language: str) -> _Asked:
    """Return what a question asks for; its light words ask for nothing."""
    every = _matters(text, language)
    marks = [idea for matter in every for idea in matter.ideas if idea.startswith(_ASKS)]
    kind = marks[0].removeprefix(_ASKS) if marks else wanted_kind(text)
    light = {_LIGHT, f"{_OF}{kind}"}
    asking = {token_of(word, language) for word in asking_words()}
    wanted_matters = tuple(
        matter._replace(
            ideas=_choose_own_ideas(matter.ideas),
            light=any(idea.startswith(_OF) for idea in matter.ideas),
        )
        for matter in every
        if (matter.word or _choose_own_ideas(matter.ideas))
        and not (matter.word and matter.ideas & light)
        and not any(idea.startswith(_ASKS) for idea in matter.ideas)
        and (_choose_own_ideas(matter.ideas) or matter.word not in asking)
        and (_choose_own_ideas(matter.ideas) or not _is_stop(matter.word))
    )
    if any(_OFTEN in matter.ideas for matter in wanted_matters):
        kind = ""
    elif not kind and wants_number(text):
        kind = "number"
    counted = None
    if kind == "count":
        behind = next(n for n, matter in enumerate(every) if f"{_ASKS}count" in matter.ideas) + 1
        counted = next((each for each in wanted_matters if each.word == every[behind].word), None)
    denied = _denies(text) or any(_EXEMPT in matter.ideas for matter in wanted_matters)
    return _Asked(kind, wanted_matters, counted, denied)


def _choose_own_ideas(ideas: frozenset[str]) -> frozenset[str]:
    return frozenset(idea for idea in ideas if idea != _LIGHT and " " not in idea)


def _is_stop(token: str) -> bool:
    return is_stop_word(token.rpartition(".")[2])


def in_other_words(
    question: AskedQuestion, snippets: Sequence[Snippet], spoken: str
) -> DraftedAnswer | None:
    """Return the sentences of the entry that says all that is asked for; None where two do."""
    if spoken not in _LANGUAGES:
        return None
    asked = _asked_for(question.text, spoken)
    if len(asked.matters) < (1 if asked.kind else _FEWEST):
        return None
    by_entry = {
        snippet.ref: (snippet, *best)
        for snippet in snippets
        if snippet.language == spoken and (best := _best_of(snippet, asked, spoken))
    }
    most = max((own for _, own, _ in by_entry.values()), default=(0, False))
    first = [entry for entry in by_entry.values() if entry[1] == most]
    if len(first) != 1:
        return None
    snippet, own, lines = first[0]
    if len(lines) > 1 and own[0] == 0:
        return None
    return DraftedAnswer(
        question=question.text,
        citations=tuple(
            Citation(sentence=sentence, ref=snippet.ref, title=snippet.title) for sentence in lines
        ),
        score=1.0,
        fit=own[0] / len(asked.matters),
    )


def name_asked_for(question: AskedQuestion, spoken: str) -> str:
    """Return by what name entries go that say when the one matter of a question is; empty for none.

    *When do you close?* asks for the opening hours, and for nothing else that closes.
    """
    if spoken not in _LANGUAGES:
        return ""
    asked = _asked_for(question.text, spoken)
    if asked.kind != "moment" or len(asked.matters) != 1:
        return ""
    names: dict[str, dict[str, str]] = word_list(_FILE)["names"]
    return next((names[idea][spoken] for idea in asked.matters[0].ideas if idea in names), "")


def strays_from_question(
    question: AskedQuestion, drafted: DraftedAnswer, snippets: Sequence[Snippet], spoken: str
) -> bool:
    """Return whether an answer is about something else than the question.

    So it is where no sentence states the kind of thing that is asked for, where sentences and title
    lack a matter of the lists, and where the entry lacks all others, or half of them and nothing in
    it is near to one of these, in meaning or spelling.
    """
    refs = {citation.ref for citation in drafted.citations}
    own = [entry for entry in snippets if entry.language == spoken and entry.ref in refs]
    if spoken not in _LANGUAGES or not own:
        return False
    asked = _asked_for(question.text, spoken)
    worded = f"{_OF}{asked.kind}"
    if asked.kind and not any(
        _is_of_kind(citation.sentence, asked, spoken)
        or (asked.kind == "amount" and worded in _read_text(citation.sentence, spoken).ideas)
        for citation in drafted.citations
    ):
        return True
    lines = [*(entry.title for entry in own), *(cited.sentence for cited in drafted.citations)]
    lacking = [
        matter
        for matter in asked.matters
        if not matter.light
        and not any(
            _says(_read_text(text, spoken), matter, spoken)
            for text in (
                lines if matter.ideas else [f"{entry.title} {entry.text}" for entry in own]
            )
        )
    ]
    if any(matter.ideas for matter in lacking) or len(lacking) == len(asked.matters) > 0:
        return True
    if 2 * len(lacking) < max(1, len(asked.matters)):
        return False
    far = {matter.word for matter in lacking}
    terms = tuple(
        term for term in topics(question.text, spoken) if token_of(term.word, spoken) in far
    )
    if not terms:
        return False
    compared = comparison(terms)
    numbers = [compared.table.text(f"{entry.title} {entry.text}", spoken) for entry in own]
    sizes = np.array([len(row) for row in numbers])
    return bool((compared.best(np.concatenate(numbers), sizes).max(axis=0) < _NEAR).any())


def _best_of(
    snippet: Snippet, asked: _Asked, language: str
) -> tuple[tuple[int, bool], list[str]] | None:
    """Return how much of a question the best sentences of an entry say themselves, and these.

    That is how many matters, and whether they have a word for the kind: *It takes three weeks*.
    """
    title = _read_text(snippet.title, language)
    fitting: dict[tuple[int, bool], list[str]] = {}
    before = ""
    for sentence in statements(snippet.text):
        own = _read_text(f"{before} {sentence}" if _goes_on(sentence) else sentence, language)
        before = sentence
        says = [_says(own, matter, language) for matter in asked.matters]
        by_title = [_says(title, matter, language) for matter in asked.matters]
        alone = not asked.kind and "," in snippet.title  # a list of topics speaks for no sentence
        alone = alone or (asked.kind == "amount" and not holds_number(sentence))
        whole = all(
            itself or (above and not alone) for itself, above in zip(says, by_title, strict=True)
        )
        if whole and _is_of_kind(sentence, asked, language):
            worded = f"{_OF}{asked.kind}" in own.ideas
            fitting.setdefault((sum(says), worded), []).append(sentence)
    if not fitting or not (asked.kind or max(fitting)[0]):
        return None
    return max(fitting), fitting[max(fitting)]


@lru_cache(maxsize=16_384)
def _read_text(text: str, language: str) -> _Said:
    matters = _matters(text, language)
    ideas = frozenset(idea for matter in matters for idea in matter.ideas)
    unlisted = frozenset(matter.word for matter in matters if not _choose_own_ideas(matter.ideas))
    return _Said(frozenset(token_of(word, language) for word in words(text)), ideas, unlisted)


def _says(text_said: _Said, matter: _Matter, language: str) -> bool:
    """Return whether a text says a matter.

    A word of other lists says another one: *opened* goods have nothing of *opening* hours.
    """
    if matter.ideas:
        shared = bool(matter.ideas & text_said.ideas)
        return shared or bool(matter.word and matter.word in text_said.unlisted)
    if matter.word and matter.word in text_said.tokens:
        return True
    part = matter.word.rpartition(".")[2]
    return (
        language == "de"
        and len(part) >= _LONG_PART
        and any(token.endswith(part) or f".{part}" in token for token in text_said.tokens)
    )


def _is_of_kind(sentence: str, asked: _Asked, language: str) -> bool:
    """Return whether a sentence states the kind of thing that is asked for."""
    if asked.kind == "person":
        # Who pays no delivery is not who pays it.
        somebody = names_somebody(sentence) or _ROLE in _read_text(sentence, language).ideas
        return somebody and (asked.denied or not _denies(sentence))
    if asked.counted is not None:
        return _counts(sentence, asked.counted, language)
    if asked.kind in ("count", "number"):
        return holds_number(sentence)
    return not asked.kind or holds_kind(sentence, asked.kind)


def _denies(text: str) -> bool:
    return not denials().isdisjoint(words(text))


def _counts(sentence: str, counted: _Matter, language: str) -> bool:
    """Return whether a number stands before a word for what is to be counted."""
    row = words(sentence)
    return any(
        _says(_read_text(word, language), counted, language)
        and any(near[:1].isdigit() or number_of(near) for near in row[max(0, at - _BEFORE) : at])
        for at, word in enumerate(row)
    )
