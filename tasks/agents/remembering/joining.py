"""Items of memory that say the same in other words, so that one line can stand for them.

Nothing is written anew: of two items the one stays that says all that the other says. What would
make either of them say something else keeps both: a number, a denial, or a word that narrows.
"""

from collections.abc import Sequence
from typing import NamedTuple

from data.records.agents.memories import Memory
from data.states import MemoryState
from data.word_forms import stem
from tasks.core.language.lists import language_of, said_in, word_list_of
from tasks.core.words.sentence_rows import denials

LEAST_SHARE = 0.6
"""Share of the fuller item's words that the other one has, at least."""
LEAST_WORDS = 3
"""Words that carry something in the shorter item, at least."""
_LIGHT = ("article", "me", "we", "is")


class Joining(NamedTuple):
    """Items that one of them stands for."""

    kept: Memory
    joined: tuple[Memory, ...]


class _WordedItem(NamedTuple):
    """An item as its words."""

    item: Memory
    language: str
    carrying: frozenset[str]
    """Stems of its words, without articles, pronouns and *is*."""
    hard: frozenset[str]
    """Numbers and denials: the same, or it is something else."""


def list_joinings(items: Sequence[Memory], apart: frozenset[tuple[str, str]]) -> list[Joining]:
    """Return which of the items of one layer say the same, each in one joining at most.

    Args:
        items: what is current in a layer.
        apart: pairs of ids that a person has taken apart, in either order.

    """
    read = sorted(map(_read_item, items), key=_fullness_of)
    ids_gone: set[str] = set()
    joinings_found: list[Joining] = []
    for place, fuller in enumerate(read):
        if fuller.item.id in ids_gone:
            continue
        same = [
            other.item
            for other in read[place + 1 :]
            if other.item.id not in ids_gone
            and not {(fuller.item.id, other.item.id), (other.item.id, fuller.item.id)} & apart
            and _can_stand_for(fuller, other)
        ]
        if same:
            ids_gone |= {same_item.id for same_item in same}
            joinings_found.append(Joining(fuller.item, tuple(same)))
    return joinings_found


def _read_item(item: Memory) -> _WordedItem:
    language = item.language or language_of(item.text)
    item_words = said_in(item.text)
    light = {
        word
        for word in item_words
        for name in _LIGHT
        if word_list_of(language, name).at((word,), 0)
    }
    hard = {word for word in item_words if word[:1].isdigit() or word in denials()}
    carrying = frozenset(stem(word) for word in item_words if word not in light)
    return _WordedItem(item, language, carrying, frozenset(hard))


def _fullness_of(remembered: _WordedItem) -> tuple[bool, int, int, str]:
    return (
        not remembered.item.corrected,
        -len(remembered.carrying),
        -remembered.item.count,
        remembered.item.id,
    )


def _origin_of(item: Memory) -> tuple[object, ...]:
    return (item.layer, item.kind, item.author, item.provenance)


def _can_stand_for(fuller: _WordedItem, other: _WordedItem) -> bool:
    """Whether an item says what another says; whoever said it, and how sure it is, are the same."""
    whole, part = fuller.item, other.item
    alike = (*_origin_of(whole), fuller.language, fuller.hard) == (
        *_origin_of(part),
        other.language,
        other.hard,
    )
    unchanged = not (whole.spilled or part.spilled or part.corrected)
    are_current = whole.state is part.state is MemoryState.CURRENT
    enough = len(other.carrying) >= LEAST_WORDS and other.carrying <= fuller.carrying
    if not (alike and unchanged and are_current and enough):
        return False
    if len(other.carrying) < LEAST_SHARE * len(fuller.carrying):
        return False
    return not _is_narrower(fuller, other)


def _is_narrower(fuller: _WordedItem, other: _WordedItem) -> bool:
    """Whether an item says what another says under a condition alone: *only on Mondays*."""
    narrowing = word_list_of(fuller.language, "narrowing")
    fuller_words = said_in(fuller.item.text)
    before = said_in(other.item.text)
    return any(
        narrowing.at(fuller_words, place) and word not in before
        for place, word in enumerate(fuller_words)
    )
