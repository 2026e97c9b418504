"""Which open tickets a new one may repeat: by the terms that both hold and by meaning."""

from collections.abc import Sequence

from data.records.record import Record
from tasks.draft_words import terms
from tasks.embed import embed

ALIKE = 0.5
"""Likeness from which two tickets are called the same; set on the tests' pairs."""
_TERMS_SHARE = 0.5
_MOST = 3
_LONGEST = 600


class Duplicate(Record):
    """An earlier ticket that may be about the same."""

    id: str
    likeness: float
    """0 to 1: half by shared terms, half by the vectors' cosine."""


def find_duplicates(text: str, others: Sequence[tuple[str, str]]) -> list[Duplicate]:
    """Return what of `others` (id and text) is like `text`, most alike first, three at most.

    First version: every text is embedded again with each call.
    """
    wanted = frozenset(terms(text[:_LONGEST]))
    if not wanted or not others:
        return []
    vectors = embed([text[:_LONGEST], *(other[:_LONGEST] for _, other in others)])
    nearness = vectors[1:] @ vectors[0]
    found = [
        Duplicate(id=identity, likeness=_likeness(wanted, other, float(near)))
        for (identity, other), near in zip(others, nearness, strict=True)
    ]
    alike = [one for one in found if one.likeness >= ALIKE]
    return sorted(alike, key=lambda one: (-one.likeness, one.id))[:_MOST]


def _likeness(wanted: frozenset[str], other: str, near: float) -> float:
    held = frozenset(terms(other[:_LONGEST]))
    shared = len(wanted & held) / max(1, min(len(wanted), len(held)))
    likeness = _TERMS_SHARE * shared + (1 - _TERMS_SHARE) * max(0.0, near)
    return min(1.0, likeness)
