"""Text to hashed features by sentence, for the classifier of injected instructions.

One pass of numpy over all sentences of a batch of texts; a mail is so short that what costs is how
many calls of numpy there are, so what is alike is computed in one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.screening.concepts import POWERS, Concepts, chain_hashes
from data.screening.mark_features import mark_features
from data.screening.reading import BatchReading, Words, read
from data.screening.word_features import CONCEPT, concept_features, of_sentences, words_with_kinds

BITS = 22
"""Features are hashed to `2**BITS` places."""

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]

FoundFeatures = tuple[int, Ints, Spots]
"""Features of one kind: the kind, their values, and the sentence of each."""

_SHIFT = np.uint64(64 - BITS)
_KINDS: Ints = np.array(
    [(0x9E3779B97F4A7C15 * (2 * kind + 1)) & 0xFFFFFFFFFFFFFFFF for kind in range(16)],
    dtype=np.uint64,
)
_RUN = 5
_WORD, _PAIR, _TRIPLE, _FIRST, _FIRST_PAIR = range(8, 13)
_STEM, _APART = 14, 15
_WITH_KIND, _AFTER_KIND, _MARKED = 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class Sentences:
    """The sentences of a batch of texts with their features."""

    texts: Spots
    """Shape (sentences,): which text each sentence is of, rising."""
    places: Spots
    """Shape (features,): hash of each feature, below `2**BITS`."""
    owners: Spots
    """Shape (features,): which sentence each feature is of, in no order."""

    @property
    def count(self) -> int:
        """How many sentences there are."""
        return len(self.texts)


def sentences(texts: Sequence[str], concepts: Concepts) -> Sentences:
    """Return the features of `texts` by sentence; never fails, whatever they hold."""
    if not texts:
        none = np.zeros(0, dtype=np.int64)
        return Sentences(texts=none, places=none, owners=none)
    return extract_features(read(texts, concepts))


def extract_features(reading: BatchReading) -> Sentences:
    """Return the features of what was read."""
    feature_parts = [_characters(reading)]
    if reading.words is not None:
        feature_parts += _words(reading.words, reading.texts)
    places, owners = _hash_features(feature_parts)
    return Sentences(texts=reading.texts, places=places, owners=owners)


def _hash_features(feature_parts: Sequence[FoundFeatures]) -> tuple[Spots, Spots]:
    """Spread the values over the places, apart for each kind; return places and sentences."""
    values = np.concatenate([own for _, own, _ in feature_parts])
    kinds = _KINDS[[kind for kind, _, _ in feature_parts]].repeat(
        [len(own) for _, own, _ in feature_parts]
    )
    places = ((values ^ (values >> np.uint64(29))) * kinds) >> _SHIFT
    return places.view(np.int64), np.concatenate([owners for _, _, owners in feature_parts])


def _characters(reading: BatchReading) -> FoundFeatures:
    """Return the n-grams of 5 code points that stay inside a word."""
    codes, drawn = reading.codes, reading.drawn
    two = codes[:-1] * POWERS[0] + codes[1:]
    five = (two[:-3] * POWERS[1] + two[2:-1]) * POWERS[0] + codes[4:]
    spots = (drawn[1:-3] & drawn[2:-2] & drawn[3:-1]).nonzero()[0]
    return _RUN, five[spots], reading.numbers[spots]


def _words(own: Words, texts_of: Spots) -> list[FoundFeatures]:
    """Return the features of words, of two and three in a row, of openings, concepts and marks."""
    rows, sentence, known_words = own.rows, own.sentence, own.known
    words = rows[0]
    in_sentence = [
        (sentence[step:] == sentence[: max(len(words) - step, 0)]).nonzero()[0]
        for step in (1, 2, 3)
    ]
    pairs, triples, fours = in_sentence
    opening = np.concatenate(([True], sentence[1:] != sentence[:-1])).nonzero()[0]
    opened = opening[:-1] if opening[-1] == len(words) - 1 else opening
    opened = opened[sentence[opened + 1] == sentence[opened]]
    concepts_held = of_sentences(known_words, sentence, len(texts_of))
    beside, after = words_with_kinds(words, concepts_held, sentence, texts_of)
    return [
        *(
            (_MARKED, *mark_found)
            for mark_found in mark_features(words, known_words, sentence, concepts_held, own.marks)
        ),
        (_WITH_KIND, *beside),
        (_AFTER_KIND, *after),
        (_WORD, words, sentence),
        (_STEM, own.stems, sentence[own.stemmed]),
        (_PAIR, rows[1][pairs], sentence[pairs]),
        (_TRIPLE, rows[2][triples], sentence[triples]),
        (_APART, chain_hashes(words[triples], words[triples + 2]), sentence[triples]),
        (_APART, chain_hashes(words[fours], words[fours + 3]), sentence[fours]),
        (_FIRST, words[opening], sentence[opening]),
        (_FIRST_PAIR, rows[1][opened], sentence[opened]),
        *(
            (CONCEPT, *concept_found)
            for concept_found in concept_features(known_words, sentence, opening, texts_of)
        ),
    ]
