"""The rank of an item for a question: words first, vectors a little, then significance and age.

All weights are here. Words count most, because rank fusion with equal weights makes the answer of
words worse (docs/agents.md#memory); vectors bring what shares no word. A question about one person
is not answered with what is known of another.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from math import exp, log
from typing import NamedTuple

from data.records.agents.memories import LayerKind, Memory, Recalled, layer_of
from data.records.core.record import Record
from data.word_forms import stem
from tasks.agents.statement import RELATIONS
from tasks.core.language.embedding import embed
from tasks.core.language.lists import holds, relation_verbs, relation_words, said_in
from tasks.core.search.words import parts_of, token_of, tokens_in_languages
from tasks.core.words.sentences import bears_topic, is_stop_word, sentences, whole_words

WORDS, MEANING = 1.0, 0.25
"""Shares of what words find, against the best of them, and of likeness in meaning."""
SIGNIFICANCE, AGE = 0.1, 0.2
"""By how much significance changes the score up or down, and how much of it age takes away."""
OTHER_PERSON = 0.5
"""What is left of the score when the question names somebody else than who the item is from."""
ENOUGH = 0.34
"""Sureness from which something is recalled."""
OTHERS, LEAST_OF_ONE = 0.9, 0.1
"""For a question that names people: how much of the fit of what is told of others theirs has to
reach, and which share of the question's words has to be there at least."""
_SHARPLY, _READ_CLOSELY, _WITHOUT_WORDS = 4, 10, 0.05
"""To which power shares are added up; how many of the best of either side are compared in meaning;
and what the fit is where no word is there."""
_TWO = 2
"""How many people talk where each *you* is the other."""
BEFORE, OF_KIND = 0.3, 0.6
"""What words of what was said before count, and what a word counts of which only the kind is there:
*cost* for *price*."""
_MARK = "@"
ALIKE = 0.55
"""Likeness in meaning that stands for words that are not there."""
_LOOKED_AT, _LOOKED_AT_OF_PEOPLE = 30, 120
"""The best items, one of which has to be about the question; those that are weighed against each
other where it names people."""
_ORDER = tuple(LayerKind)


class MemoryQuery(Record):
    """A question as it is looked for."""

    text: str
    tokens: tuple[str, ...]
    """Stems of its words in every language that items may be in."""
    wanted: tuple[frozenset[str], ...]
    """For each word that carries a topic the stems that stand for it."""
    names: frozenset[str] = frozenset()
    """Folded words of it that begin with a capital and do not begin the sentence."""


def query_of(text: str) -> MemoryQuery:
    """Return a question as it is looked for."""
    parts = [part for run in text.split() for part in _split_into_parts(run)]
    verbs = relation_verbs(RELATIONS[:-1])
    topical = (
        [part for part in parts if bears_topic(part.written)]
        or [part for part in parts if part.folded in verbs]
        or parts
    )
    in_each = tokens_in_languages(tuple(part.folded for part in topical))
    wanted_sets = [set(row) for row in zip(*in_each, strict=True)] if topical else []
    for (part, written), stems in zip(topical, wanted_sets, strict=True):
        if is_stop_word(part) and bears_topic(written):
            stems.discard(part)  # the English word that it folds to stands in every text
        if (relation := _find_relation(part)) is not None:
            stems.add(_mark_of(relation))
    tokens = dict.fromkeys(token for row in wanted_sets for token in sorted(row))
    names = {part for run in text.split() if run[:1].isupper() for part in parts_of(run)}
    return MemoryQuery(
        text=text,
        tokens=tuple(tokens),
        wanted=tuple(map(frozenset, wanted_sets)),
        names=frozenset(names),
    )


class _Part(NamedTuple):
    """A part of a word, folded and as it is written."""

    folded: str
    written: str


def _split_into_parts(run: str) -> list[_Part]:
    """Return the parts of a word; as they are folded where they cannot be told apart in it."""
    folded, written = parts_of(run), whole_words(run)
    if len(folded) != len(written):
        written = list(folded)
    return [_Part(part, word) for part, word in zip(folded, written, strict=True)]


def document_of(item: Memory) -> str:
    """Return the tokens of an item and of what was said just before, as the index holds them.

    What it says of its subject is a token too, so that *what am I called* finds *call me Bea*.
    """
    runs = (*item.text.split(), *item.context.split(), *item.author_name.split())
    language = item.language or "en"
    tokens = [token_of(part, language) for run in runs for part in parts_of(run)]
    relation = item.slot.partition(" ")[0]
    return " ".join([*tokens, _mark_of(relation)] if relation in RELATIONS[:-1] else tokens)


def _find_relation(part: str) -> str | None:
    return relation_words(RELATIONS[:-1]).get(part)


def _mark_of(relation: str) -> str:
    return f"{_MARK}{relation}"


class MemoryMatches(Record):
    """What words and vectors bring for a question."""

    query: MemoryQuery
    items: tuple[Memory, ...]
    words: Mapping[str, float]
    """Scores of the full-text search (BM25), by id."""
    likeness: Mapping[str, float]
    """Likeness in meaning, up to 1, by id."""

    @cached_property
    def people(self) -> frozenset[str]:
        """The folded names of the people whom the items are from."""
        return frozenset(
            part
            for item in self.items
            for run in item.author_name.split()
            for part in parts_of(run)
        )


def rank_matches(memory_matches: MemoryMatches, now: datetime, limit: int) -> tuple[Recalled, ...]:
    """Return the items that fit a question, best first; none where nothing fits."""
    best = rank_all_matches(memory_matches, now)
    return best[:limit] if measure_sureness(memory_matches, best) >= ENOUGH else ()


def rank_all_matches(memory_matches: MemoryMatches, now: datetime) -> tuple[Recalled, ...]:
    """Return the items that fit at all, best first; of two alike the layer that counts more.

    An item fits that holds a word of the question, or is close to it in meaning.
    """
    scored = [
        Recalled(memory=item, score=_score_item(memory_matches, item, now))
        for item in memory_matches.items
        if item.id in memory_matches.words or memory_matches.likeness.get(item.id, 0.0) >= ALIKE
    ]
    scored.sort(
        key=lambda item: (-round(item.score, 6), _precedence_of(item.memory), item.memory.id)
    )
    return tuple(scored)


def measure_sureness(memory_matches: MemoryMatches, best: Sequence[Recalled]) -> float:
    """Return how sure it is that any of the best items is about the question, 0 to 1.

    It is the share of the question's words that an item holds, rare ones counting more. Where the
    question names people, it is `ENOUGH` where what is told of them fits as well as `OTHERS` of
    what is told of others, and more or less as it fits better or worse: what another did is no
    answer.
    """
    if not memory_matches.query.names & memory_matches.people:
        looked_at = [item_ranked.memory for item_ranked in best[:_LOOKED_AT]]
        words = [_Words.of_item(item) for item in looked_at]
        rows = memory_matches.query.wanted
        rarity = [_measure_rarity(row, words) for row in rows]
        return max(
            (
                max(_measure_share(rows, rarity, item_words), _weigh_likeness(memory_matches, item))
                for item, item_words in zip(looked_at, words, strict=True)
            ),
            default=0.0,
        )
    theirs, others = measure_fit_of_people(memory_matches, best)
    return min(1.0, ENOUGH * theirs / (OTHERS * others)) if others else float(theirs > 0)


def measure_fit_of_people(
    memory_matches: MemoryMatches, best: Sequence[Recalled]
) -> tuple[float, float]:
    """Return how well what is told of the people named fits, and how well what is told of others.

    Sentence by sentence: what speaks to somebody or asks (*your race*, *how was it?*) tells of who
    is spoken to, the rest of who says it. Of each item the share of the question's words counts,
    the better ones far more, times how much likeness in meaning adds.
    """
    people_named = memory_matches.query.names & memory_matches.people
    looked_at = [item_ranked.memory for item_ranked in best[:_LOOKED_AT_OF_PEOPLE]]
    rows = [row for row in memory_matches.query.wanted if people_named.isdisjoint(row)]
    item_words = [_Words.of_item(item) for item in looked_at]
    rarity = [_measure_rarity(row, item_words) for row in rows]
    sides: tuple[list[tuple[float, Memory]], ...] = ([], [])
    for item in looked_at:
        own, of_other = _split_by_speaker(item)
        theirs = _is_of_people(item, people_named)
        if own.text:
            sides[not theirs].append((_measure_share(rows, rarity, _Words.of_item(own)), own))
        if of_other.text and (theirs or len(memory_matches.people) == _TWO):
            sides[theirs].append((_measure_share(rows, rarity, _Words.of_item(of_other)), of_other))
    asked = " ".join(
        run for run in memory_matches.query.text.split() if people_named.isdisjoint(parts_of(run))
    )
    theirs_fit, others_fit = (_measure_fit(memory_matches, side, asked) for side in sides)
    return theirs_fit, others_fit


def _measure_fit(
    memory_matches: MemoryMatches, items_told: list[tuple[float, Memory]], asked: str
) -> float:
    """Return how well what is told of somebody fits a question without their names, from 0."""
    items_told.sort(key=lambda each: -each[0])
    by_words = float(sum(share**_SHARPLY for share, _ in items_told) ** (1 / _SHARPLY))
    near = max((memory_matches.likeness.get(item.id, 0.0) for _, item in items_told), default=0.0)
    if by_words < LEAST_OF_ONE and near < ALIKE:
        return 0.0
    nearest = [item for _, item in items_told[:_READ_CLOSELY]]
    said_alone = [sentence for item in nearest for sentence in sentences(item.text)]
    answers = [f"{item.context} {item.text}" for item in nearest if item.context]
    asked_vector, *vectors = embed([asked, *said_alone, *answers])
    likeness = [float(asked_vector @ vector) for vector in vectors]
    alone = max(likeness[: len(said_alone)], default=0.0)
    answering = max(likeness[len(said_alone) :], default=0.0)
    return (by_words + _WITHOUT_WORDS) * exp(alone + answering)


def _weigh_likeness(memory_matches: MemoryMatches, item: Memory) -> float:
    """Return what likeness in meaning is worth beside shares of words."""
    return memory_matches.likeness.get(item.id, 0.0) / ALIKE * ENOUGH


def _split_by_speaker(item: Memory) -> tuple[Memory, Memory]:
    """Return an item with the sentences that tell of who says it, and with those of another.

    The first has as its context what was asked of who says it.
    """
    language = item.language or "en"
    texts: tuple[list[str], list[str]] = ([], [])
    for sentence in sentences(item.text):
        texts[_is_about_another(sentence, language)].append(sentence)
    asked = [each for each in sentences(item.context) if _is_about_another(each, language)]
    own, of_other = map(" ".join, texts)
    return (
        item.model_copy(update={"text": own, "context": " ".join(asked)}),
        item.model_copy(update={"text": of_other, "context": "", "slot": ""}),
    )


def _is_about_another(sentence: str, language: str) -> bool:
    """Return whether a sentence tells of who is spoken to, and not of who says it."""
    spoken = said_in(sentence)
    own = holds(spoken, language, "me") or holds(spoken, language, "we")
    signs = (holds(spoken, language, "you"), sentence.endswith("?"), not own)
    return signs.count(True) > 1


class _Words(NamedTuple):
    """The tokens of an item, and of what was said just before."""

    own: frozenset[str]
    before: frozenset[str]

    @classmethod
    def of_item(cls, item: Memory) -> "_Words":
        bare = item.model_copy(update={"context": "", "author_name": ""})
        context = bare.model_copy(update={"text": item.context, "slot": ""})
        return cls(
            own=frozenset(document_of(bare).split()), before=frozenset(document_of(context).split())
        )


def _measure_rarity(row: frozenset[str], words: Sequence[_Words]) -> float:
    """Return how much a word of the question tells: the more, the fewer items hold it."""
    holding = sum(not row.isdisjoint(word.own) for word in words)
    return log(1 + (len(words) - holding + 0.5) / (holding + 0.5)) + 0.2


def _measure_share(
    words_wanted: Sequence[frozenset[str]], rarity: Sequence[float], words: _Words
) -> float:
    """Return which share of a question's words an item holds; a neighbour's count less."""
    if not words_wanted:
        return 0.0
    counted = (
        _weigh_word(row, words) * weight for row, weight in zip(words_wanted, rarity, strict=True)
    )
    return sum(counted) / sum(rarity)


def _weigh_word(row: frozenset[str], words: _Words) -> float:
    """Return what a word of the question counts for in an item, 0 to 1."""
    if there := row & words.own:
        return OF_KIND if all(token[0] == _MARK for token in there) else 1.0
    return BEFORE if row & words.before else 0.0


def _is_of_people(item: Memory, names_wanted: frozenset[str]) -> bool:
    """Return whether an item is from one of these people, or its subject names one."""
    from_whom = {part for run in item.author_name.split() for part in parts_of(run)}
    return bool(names_wanted & from_whom) or bool(
        {stem(name) for name in names_wanted} & {*item.subject.split()}
    )


def _score_item(memory_matches: MemoryMatches, item: Memory, now: datetime) -> float:
    best = max(memory_matches.words.values(), default=0.0)
    fits = WORDS * (memory_matches.words.get(item.id, 0.0) / best if best else 0.0)
    fits += MEANING * max(0.0, memory_matches.likeness.get(item.id, 0.0))
    weight = 1 + SIGNIFICANCE * (2 * item.significance - 1)
    weight *= 1 - AGE * (1 - measure_freshness(item, now))
    return fits * weight * (OTHER_PERSON if _is_of_others(memory_matches, item) else 1.0)


def measure_freshness(item: Memory, now: datetime) -> float:
    """Return how much of an item is left: halved with each half-life, 1 without one."""
    if item.half_life_days is None:
        return 1.0
    days = max((now - item.last_at).total_seconds() / 86_400, 0.0)
    return float(0.5 ** (days / item.half_life_days))


def _is_of_others(memory_matches: MemoryMatches, item: Memory) -> bool:
    """Return whether a question names people, and an item is neither from nor about any of them."""
    people_named = memory_matches.query.names & memory_matches.people
    if not people_named:
        return False
    about = (*item.author_name.split(), *item.text.split())
    return people_named.isdisjoint(part for run in about for part in parts_of(run))


def _precedence_of(item: Memory) -> int:
    return _ORDER.index(layer_of(item.layer).kind)
