"""Which open tickets a new one may repeat: by the terms that both hold and by meaning."""

from collections.abc import Sequence
from functools import lru_cache

from data.records.record import Record
from tasks.draft_words import terms
from tasks.embed import Vectors, embed

ALIKE = 0.5
"""Likeness from which two tickets are called the same; set on the tests' pairs."""
_TERMS_SHARE = 0.5
_MOST = 3
_LONGEST = 600
_REMEMBERED = 2048
"""Texts whose terms and vectors are remembered; some 10 MB."""


class Duplicate(Record):
    """An earlier ticket that may be about the same."""

    id: str
    likeness: float
    """0 to 1: half by shared terms, half by the vectors' cosine."""


def find_duplicates(text: str, others: Sequence[tuple[str, str]]) -> list[Duplicate]:
    """Return what of `others` (id and text) is like `text`, most alike first, three at most."""
    wanted = _terms(text[:_LONGEST])
    found: list[Duplicate] = []
    for identity, other in others:
        held = _terms(other[:_LONGEST])
        if wanted.isdisjoint(held):
            continue  # whatever the vectors say, it is not enough
        shared = len(wanted & held) / min(len(wanted), len(held))
        near = max(0.0, float(_vector(text[:_LONGEST]) @ _vector(other[:_LONGEST])))
        likeness = min(1.0, _TERMS_SHARE * shared + (1 - _TERMS_SHARE) * near)
        if likeness >= ALIKE:
            found.append(Duplicate(id=identity, likeness=likeness))
    return sorted(found, key=lambda one: (-one.likeness, one.id))[:_MOST]


@lru_cache(maxsize=_REMEMBERED)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


@lru_cache(maxsize=_REMEMBERED)
def _vector(text: str) -> Vectors:
    """Return the vector of a text; a new ticket is compared with all that are open."""
    vector: Vectors = embed([text])[0]
    return vector
