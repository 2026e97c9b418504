"""Entries that state different numbers for the same thing.

Two sentences of two entries are about the same thing when they and the titles above them share
nearly all words of topic. So little is reported that is none; what two texts put in quite other
words is missed.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from typing import NamedTuple

from data.records.core.knowledge import KnowledgeEntry, is_valid
from tasks.core.claims.claims import claims
from tasks.core.words.sentences import sentences, terms

SAME = 0.8
"""Share of words in common (Jaccard) from which two sentences are about the same thing."""
LEAST = 3
"""Words of topic that a sentence needs to be compared."""
MOST = 50
"""Conflicts that are reported at once."""
COMPARED = 100_000
"""Pairs of sentences that are compared at most; an organization's knowledge has far fewer."""
_NUMBERS = frozenset({"number", "amount", "percentage", "date_or_time"})


class Conflict(NamedTuple):
    """Two sentences that cannot both hold."""

    one: str
    """Id of an entry."""
    other: str
    said: str
    """What the first states."""
    against: str


class _Stated(NamedTuple):
    entry: KnowledgeEntry
    sentence: str
    topic: frozenset[str]
    kinds: tuple[str, ...]
    values: frozenset[str]


def conflicts(entries: Sequence[KnowledgeEntry], today: date) -> list[Conflict]:
    """Return the contradictions between trusted entries that hold today, at most 50."""
    alive = [
        entry
        for entry in entries
        if entry.trusted and is_valid(entry.valid_from, entry.valid_until, today)
    ]
    stated = [one for entry in alive for one in _stated(entry)]
    conflict_by_pair: dict[tuple[str, str], Conflict] = {}
    for statement, other in islice(_pairs(stated), COMPARED):
        if _contradict(statement, other, today):
            first, second = sorted((statement, other), key=lambda item: item.entry.id)
            pair = (first.entry.id, second.entry.id)
            conflict_by_pair.setdefault(pair, Conflict(*pair, first.sentence, second.sentence))
        if len(conflict_by_pair) == MOST:
            break
    return list(conflict_by_pair.values())


def _stated(entry: KnowledgeEntry) -> Iterator[_Stated]:
    """Yield the sentences of an entry that state a number about something."""
    title = terms(entry.title)
    for sentence in sentences(entry.body):
        numbers = [claim for claim in claims(sentence) if claim.kind in _NUMBERS]
        topic = frozenset(
            term for term in (*title, *terms(sentence)) if not any(map(str.isdigit, term))
        )
        if numbers and len(topic) >= LEAST:
            kinds = tuple(sorted(claim.kind for claim in numbers))
            yield _Stated(
                entry, sentence, topic, kinds, frozenset(claim.value for claim in numbers)
            )


def _pairs(stated: Sequence[_Stated]) -> Iterator[tuple[_Stated, _Stated]]:
    """Yield the sentences that share one of their rarest words: all that can be alike enough."""
    counts: dict[str, int] = defaultdict(int)
    for statement in stated:
        for term in statement.topic:
            counts[term] += 1
    holding: dict[str, list[_Stated]] = defaultdict(list)
    for statement in stated:
        rarest = sorted(statement.topic, key=lambda term: (counts[term], term))
        # Who shares SAME of the words shares one of the rarest few of either.
        few = rarest[: len(rarest) - int(SAME * len(rarest)) + 1]
        seen_pairs: set[int] = set()
        for term in few:
            for other in holding[term]:
                if id(other) not in seen_pairs and other.entry.id != statement.entry.id:
                    seen_pairs.add(id(other))
                    yield other, statement
            holding[term].append(statement)


def _contradict(stated: _Stated, other: _Stated, today: date) -> bool:
    return (
        stated.kinds == other.kinds
        and stated.values != other.values
        and stated.entry.language == other.entry.language
        and len(stated.topic & other.topic) >= SAME * len(stated.topic | other.topic)
        and not _replaced(stated.entry, other.entry, today)
    )


def _replaced(knowledge_entry: KnowledgeEntry, other: KnowledgeEntry, today: date) -> bool:
    """Return whether one of the entries stands in the place of the other today."""
    is_replaced = any(by.holds(today) for by in (*knowledge_entry.superseded, *other.superseded))
    return (
        is_replaced
        or knowledge_entry.id in other.supersedes
        or other.id in knowledge_entry.supersedes
    )
