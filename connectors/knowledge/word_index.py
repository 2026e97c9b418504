"""The word index: the entries' texts as postings in memory, ranked by BM25.

Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond* (2009). Made anew
from the table when that has another version. LanceDB has a full text index too; each of its
queries costs 2 to 3 ms of processor time before it looks at anything, and they cannot be batched.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import lru_cache
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from connectors.knowledge.succession import in_force
from connectors.knowledge.table import LANGUAGE
from data.codes import codes
from data.lexicons.drafting import stop_words
from data.records.core.knowledge import KnowledgeEntry
from data.word_forms import fold, stem

LONGEST_QUERY = 40
"""Distinct words of a query that are looked for."""
_OFTEN, _LENGTH = 1.2, 0.75
"""BM25's k1 and b, as Lucene and LanceDB have them."""
_HAS_SUCCESSORS = '"superseded":[{'
"""How the JSON of an entry says that there are such."""
_KEPT_BELOW = 0x3000
"""Letters whose answer is remembered: the alphabets; no query can make the table large."""


class _Apart(dict[int, int]):
    """A table for `str.translate`: letters and digits stay, the rest parts words."""

    def __missing__(self, code: int) -> int:
        kept_code = code if unicodedata.category(chr(code))[0] in "LN" else 32
        if code < _KEPT_BELOW:
            self[code] = kept_code
        return kept_code


_APART = _Apart()


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    return frozenset(fold(word) for word in stop_words())


def _words(text: str) -> list[str]:
    return fold(text).translate(_APART).split()


def query_words(query: str) -> list[str]:
    """Return the distinct words of `query` that carry a topic, or all when none does; folded."""
    every = dict.fromkeys(_words(query))
    return ([word for word in every if word not in _stop_words()] or list(every))[:LONGEST_QUERY]


class WordIndex:
    """The words of all entries, as they were in one version of the table."""

    def __init__(self, version: int, columns: Mapping[str, Sequence[Any]]) -> None:
        """`columns` are id, entry, text, language, trusted, valid_from and valid_until."""
        self.version = version
        self.ids = list(columns["id"])
        self.bodies = dict(zip(self.ids, columns["entry"], strict=True))
        """Each entry as JSON."""
        self._trusted = np.array(columns["trusted"], dtype=bool)
        self._from = np.array(columns["valid_from"], dtype=np.int64)
        self._until = np.array(columns["valid_until"], dtype=np.int64)
        self._languages = np.array(columns["language"], dtype=object)
        self._postings = _postings(columns["text"])
        self._superseded = {
            name: KnowledgeEntry.model_validate_json(body)
            for name, body in self.bodies.items()
            if _HAS_SUCCESSORS in body
        }

    def gone(self, day: date) -> frozenset[str]:
        """Return the entries in whose place others stand on `day`."""
        return frozenset(
            name for name, entry in self._superseded.items() if not in_force(entry, day)
        )

    def allowed(
        self, day: int, language: str | None, gone_ids: Collection[str] = ()
    ) -> npt.NDArray[np.bool_]:
        """Return which entries count, shape (n,): those of `write_filter`, less `gone_ids`."""
        allowed_rows = self._trusted & (self._from <= day) & (self._until >= day)
        if gone_ids:
            allowed_rows &= np.array([name not in gone_ids for name in self.ids], dtype=bool)
        if language is not None and LANGUAGE.match(language):
            allowed_rows &= self._languages == language
        return np.asarray(allowed_rows, dtype=bool)

    def best(self, query: str, allowed: npt.NDArray[np.bool_], limit: int) -> list[str]:
        """Return the ids of what holds the words of `query`, best first."""
        scores = np.zeros(len(self.ids), dtype=np.float32)
        for word in dict.fromkeys((*map(stem, query_words(query)), *codes(query))):
            if (postings := self._postings.get(word)) is not None:
                scores[postings[0]] += postings[1]
        places = np.flatnonzero((scores > 0) & allowed)
        if len(places) > limit:
            least = np.partition(scores[places], -limit)[-limit]
            places = places[scores[places] >= least]
        ranked = sorted((-float(scores[place]), self.ids[place]) for place in places)
        return [name for _, name in ranked[:limit]]


_Postings = dict[str, tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]]


def _postings(texts: Sequence[str]) -> _Postings:
    """Return for each stem where it is, and how much it says there."""
    counted = [Counter((*map(stem, _words(text)), *codes(text))) for text in texts]
    lengths = [counts.total() for counts in counted]
    usual = sum(lengths) / len(lengths) if lengths else 1.0
    places: dict[str, list[int]] = {}
    shares: dict[str, list[float]] = {}
    for place, counts in enumerate(counted):
        long = _OFTEN * (1 - _LENGTH + _LENGTH * lengths[place] / (usual or 1.0))
        for word, count in counts.items():
            places.setdefault(word, []).append(place)
            shares.setdefault(word, []).append(count * (_OFTEN + 1) / (count + long))
    return {
        word: (
            np.array(where, dtype=np.int32),
            np.array(shares[word], dtype=np.float32)
            * np.float32(log(1 + (len(texts) - len(where) + 0.5) / (len(where) + 0.5))),
        )
        for word, where in places.items()
    }
