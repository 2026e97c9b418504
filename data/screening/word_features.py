"""The features of kinds of words: alone, in twos and threes, first in a sentence, and with words.

An order to a machine often needs two sentences, one that takes its rules away and one that says
what to do: so each kind in a sentence counts also with each kind in the one before it.

The kinds of a word or sentence are bits of one number. All numbers are taken apart together, and
all pairs are made together, for a message is so short that calls of numpy are what it costs.
"""

import numpy as np
import numpy.typing as npt

from data.ranges import ranges
from data.screening.concepts import chain_hashes

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]

CONCEPT = 13
"""The kind of feature that these are."""
_STEPS = (1, 2)
"""How far apart words of concepts stand among those of their sentence, to count as an order."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_TOGETHER, _LEADING, _ORDERED, _BESIDE, _THREE = 64, 8192, 16384, 65536, 131072
"""Where the keys of two kinds in a sentence, of its first word's, of an order, of two kinds in
neighbouring sentences and of three in a row begin."""


def concept_features(
    known_concepts: Ints, sentence: Spots, opening: Spots, texts: Spots
) -> list[tuple[Ints, Spots]]:
    """Return values and sentences of the features of concepts.

    Args:
        known_concepts: the concepts of each word, as bits.
        sentence: the number of each word's sentence, rising.
        opening: which word is the first of each sentence.
        texts: which text each sentence is of, rising.

    """
    spots = known_concepts.nonzero()[0]
    if len(spots) == 0:
        return []
    own, whose = known_concepts[spots], sentence[spots]
    changes = np.concatenate(([0], (whose[1:] != whose[:-1]).nonzero()[0] + 1))
    leading = opening[known_concepts[opening] != 0]
    sets = np.concatenate((own, np.bitwise_or.reduceat(own, changes), known_concepts[leading]))
    rows, concept = members(sets)
    begins = rows.searchsorted(np.arange(len(sets) + 1))
    of_words, in_sentences = begins[len(spots)], begins[len(spots) + len(changes)]
    owners = np.concatenate((whose, whose[changes], sentence[leading]))[rows]
    lone = concept[of_words:].copy()
    lone[in_sentences - of_words :] += _LEADING
    pairs = [
        _pair_members(begins, rows, slice(of_words, in_sentences)),
        *(_pair_following(begins, rows[:of_words], whose, step) for step in _STEPS),
        _pair_with_sentence_before(
            begins, rows, slice(of_words, in_sentences), whose[changes], texts
        ),
    ]
    begin, places, firsts, ends = (np.concatenate(own) for own in zip(*pairs, strict=True))
    times = ends - firsts
    keys = (begin + concept[places] * 64).repeat(times) + concept[ranges(firsts, times)]
    three = _three(begins, rows[:of_words], concept, whose)
    concept_parts = [(lone, owners[of_words:]), (keys, owners[places].repeat(times)), three]
    return [(keys.astype(np.uint64) * _SPREAD, whom) for keys, whom in concept_parts]


def of_sentences(known_concepts: Ints, sentence: Spots, count: int) -> Ints:
    """Return the concepts of each of `count` sentences, as bits."""
    concept_sets = np.zeros(count, dtype=np.uint64)
    np.bitwise_or.at(concept_sets, sentence, known_concepts)
    return concept_sets


def words_with_kinds(
    words: Ints, kinds: Ints, sentence: Spots, texts: Spots
) -> tuple[tuple[Ints, Spots], tuple[Ints, Spots]]:
    """Return each word with each kind of its sentence, and with each of the sentence before.

    A word says little by itself, and beside the name of a machine a good deal: a linear model knows
    only what it is told to count.

    Args:
        words: the hash of each word.
        kinds: the concepts of each sentence, as bits.
        sentence: the number of each word's sentence, rising.
        texts: which text each sentence is of, rising.

    """
    before = np.zeros_like(kinds)
    before[1:] = np.where(texts[1:] == texts[:-1], kinds[:-1], np.uint64(0))
    beside, after = (_pair_words_with_sets(words, sets, sentence) for sets in (kinds, before))
    return beside, after


def _pair_words_with_sets(words: Ints, sets: Ints, sentence: Spots) -> tuple[Ints, Spots]:
    """Return the hash of each word with each member of its sentence's set, and the sentence."""
    word, kind = with_members(sets, sentence)
    return chain_hashes(words[word], kind + _SPREAD), sentence[word]


def with_members(sets: Ints, sentence: Spots) -> tuple[Spots, Ints]:
    """Return each word as often as its sentence's set has members, and the members.

    `sets` is one set for each sentence, `sentence` the number of each word's.
    """
    rows, concept = members(sets)
    begins = rows.searchsorted(np.arange(len(sets) + 1))
    firsts = begins[sentence]
    times = begins[sentence + 1] - firsts
    spots = ranges(firsts, times)
    return np.arange(len(sentence)).repeat(times), concept[spots].astype(np.uint64)


def members(sets: Ints) -> tuple[Spots, Spots]:
    """Return each set's number as often as it has bits, and the bits, both rising."""
    flat = bits_of(sets).ravel().nonzero()[0]
    return flat >> 6, flat & 63


def bits_of(values: Ints) -> npt.NDArray[np.uint8]:
    """Return the bits of numbers, the lowest first; shape (numbers, 64)."""
    raw = values.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(raw, bitorder="little").reshape(-1, 64)


_Pairs = tuple[Spots, Spots, Spots, Spots]
"""Where the keys begin, the place of each first one, and the range of the second ones' places."""


def _pair_members(begins: Spots, rows: Spots, some: slice) -> _Pairs:
    """Return each two members of a set, for the members at the places `some`."""
    places = np.arange(some.start, some.stop)
    return np.full(len(places), _TOGETHER), places, places + 1, begins[rows[some] + 1]


def _pair_following(begins: Spots, rows: Spots, whose: Spots, step: int) -> _Pairs:
    """Return members of sets of one sentence that stand `step` sets apart."""
    follower = np.minimum(rows + step, len(whose) - 1)
    places = ((whose[follower] == whose[rows]) & (follower == rows + step)).nonzero()[0]
    follower = follower[places]
    keys = np.full(len(places), _ORDERED * step)
    return keys, places, begins[follower], begins[follower + 1]


def _pair_with_sentence_before(
    begins: Spots, rows: Spots, some: slice, whose: Spots, texts: Spots
) -> _Pairs:
    """Return members of a sentence's set with those of the sentence before it in its text.

    Args:
        begins: where the members of each set begin.
        rows: the set of each member.
        some: the places of members of the sets of sentences.
        whose: the number of the sentence of each such set.
        texts: which text each sentence is of.

    """
    first = int(rows[some.start])
    number = rows[some] - first
    before = np.maximum(number - 1, 0)
    here, there = whose[number], whose[before]
    places = ((here - there == 1) & (texts[here] == texts[there])).nonzero()[0]
    others = before[places] + first
    keys = np.full(len(places), _BESIDE)
    return keys, places + some.start, begins[others], begins[others + 1]


def _three(begins: Spots, rows: Spots, concept: Spots, whose: Spots) -> tuple[Spots, Spots]:
    """Return keys and sentences of members of three sets in a row of one sentence."""
    last = len(whose) - 1
    places = (whose[np.minimum(rows + 2, last)] == whose[rows]).nonzero()[0]
    places = places[rows[places] + 2 <= last]
    ahead = rows[places]
    first, two = _crossed(places, begins[ahead + 1], begins[ahead + 2])
    beyond = rows[first] + 2
    pair, three = _crossed(np.arange(len(first)), begins[beyond], begins[beyond + 1])
    keys = (concept[first[pair]] * 64 + concept[two[pair]]) * 64 + concept[three]
    return _THREE + keys, whose[rows[first[pair]]]


def _crossed(places: Spots, firsts: Spots, ends: Spots) -> tuple[Spots, Spots]:
    """Return each of `places` with every number of its range."""
    times = ends - firsts
    return places.repeat(times), ranges(firsts, times)
