"""Open tickets that a new one may repeat: by the terms that both hold and by meaning."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

from data.records.core.record import Record
from tasks.core.language.embedding import Vectors, embed
from tasks.core.words.sentences import terms

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
    text = text[:_LONGEST]
    own_terms = _terms(text)
    cut = ((identity, other[:_LONGEST]) for identity, other in others)
    # Without a shared term it is not enough, whatever the vectors say.
    alike = [
        (identity, other) for identity, other in cut if not own_terms.isdisjoint(_terms(other))
    ]
    if not alike:
        return []
    own, *vectors = _vectors([text, *(other for _, other in alike)])
    duplicates: list[Duplicate] = []
    for (identity, other), vector in zip(alike, vectors, strict=True):
        other_terms = _terms(other)
        shared = len(own_terms & other_terms) / min(len(own_terms), len(other_terms))
        near = max(0.0, float(own @ vector))
        likeness = min(1.0, _TERMS_SHARE * shared + (1 - _TERMS_SHARE) * near)
        if likeness >= ALIKE:
            duplicates.append(Duplicate(id=identity, likeness=likeness))
    return sorted(duplicates, key=lambda duplicate: (-duplicate.likeness, duplicate.id))[:_MOST]


@lru_cache(maxsize=_REMEMBERED)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


_made: OrderedDict[str, Vectors] = OrderedDict()
_remembering = Lock()


def _vectors(texts: Sequence[str]) -> list[Vectors]:
    """Return the vector of each text; those that are not remembered are made in one go.

    A new ticket is compared with all that are open, the same ones again and again.
    """
    with _remembering:
        vector_by_text = {text: _made[text] for text in texts if text in _made}
    fresh = [text for text in dict.fromkeys(texts) if text not in vector_by_text]
    if fresh:
        vector_by_text |= zip(fresh, embed(fresh), strict=True)
    with _remembering:
        for text, vector in vector_by_text.items():
            _made[text] = vector
            _made.move_to_end(text)
        while len(_made) > _REMEMBERED:
            _made.popitem(last=False)
    return [vector_by_text[text] for text in texts]
