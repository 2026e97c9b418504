"""Text to hashed features by sentence, for the classifier of injected instructions.

One pass of numpy over all sentences of a batch of texts. A sentence ends at a full stop, a question
or exclamation mark, a blank line, a list item or a line that is too short to be wrapped; it is cut
after `LONGEST_SENTENCE` characters, so that text without marks is not one sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from data.ngrams import readable
from data.screening_concepts import (
    LONGEST_PHRASE,
    LONGEST_WORD,
    POWERS,
    PREFIX_MARK,
    PREFIXES,
    Concepts,
    chained,
    settled,
)
from data.screening_lines import SEPARATOR, lines_joined

BITS = 20
"""Features are hashed to `2**BITS` places."""
LONGEST_SENTENCE = 320
CONCEPT_WEIGHT = 2
"""How many features a concept counts for, being one against a sentence's many words."""

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]

_LAST = np.uint64(65535)
_SHIFT = np.uint64(64 - BITS)
_KINDS: Ints = np.array(
    [(0x9E3779B97F4A7C15 * (2 * kind + 1)) & 0xFFFFFFFFFFFFFFFF for kind in range(16)],
    dtype=np.uint64,
)
_WORD, _PAIR, _TRIPLE, _FIRST, _FIRST_PAIR, _CONCEPT, _STEM, _APART = range(8, 16)
_STEPS = (1, 2)
"""How far apart words of concepts stand among those of their sentence, to count as an order."""
_GAPS = (2, 3)
"""How far apart the words of a pair with a gap stand."""


_STEM_AT = PREFIXES.index(5)


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


_LETTER, _IDEOGRAPH, _END = 1, 2, 4


@cache
def _table() -> npt.NDArray[np.uint8]:
    """What the first 65,536 code points are: of words, words by themselves, ends of sentences."""
    table = np.zeros(65536, dtype=np.uint8)
    for code in range(65536):
        table[code] = _LETTER * chr(code).isalnum()
    table[0x3400:0xA000] |= _IDEOGRAPH
    table[0x3041:0x3097] |= _IDEOGRAPH  # hiragana, which joins words as spaces part them elsewhere
    table[[ord(mark) for mark in ".!?…。！？;；"]] |= _END
    return table


def _hashed(values: Ints, kind: int) -> Spots:
    """Spread 64-bit values over the places, apart for each kind of feature."""
    mixed = (values ^ (values >> np.uint64(29))) * _KINDS[kind]
    places: Spots = (mixed >> _SHIFT).astype(np.int64)
    return places


def _sentence_numbers(
    codes: Ints, kinds: npt.NDArray[np.uint8], separators: npt.NDArray[np.bool_]
) -> Spots:
    """Number the sentences; each code point gets the number of the one that it stands in."""
    ends = (kinds & _END) != 0
    space = codes == 32
    after = np.zeros(len(codes), dtype=bool)
    after[1:] = ends[:-1] & (space[1:] | (codes[:-1] > 0x2FFF))
    starts = after | separators
    starts[0] = True
    firsts = np.flatnonzero(starts)
    lengths = np.diff(np.append(firsts, len(codes)))
    for place in np.flatnonzero(lengths > LONGEST_SENTENCE).tolist():
        begin = firsts[place]
        starts[begin : begin + lengths[place] : LONGEST_SENTENCE] = True
    numbers: Spots = np.cumsum(starts) - 1
    return numbers


def sentences(texts: Sequence[str], concepts: Concepts) -> Sentences:
    """Return the features of `texts` by sentence; never fails, whatever they hold."""
    prepared = [f"{SEPARATOR} {lines_joined(readable(text))} " for text in texts]
    joined = "".join(prepared)
    codes: Ints = np.frombuffer(
        joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32
    ).astype(np.uint64)
    kinds = _table()[np.minimum(codes, _LAST)]
    separators = codes == ord(SEPARATOR)
    codes[(codes >= 48) & (codes <= 57)] = 48
    codes[separators] = 32
    numbers = _sentence_numbers(codes, kinds, separators)
    starts_of_texts = np.cumsum([0, *map(len, prepared)])[:-1]
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    owners_of_sentences = np.searchsorted(starts_of_texts, first, side="right") - 1
    count = int(numbers[-1]) + 1 if len(numbers) else 0
    found = _words(codes, kinds, numbers, count, concepts)
    found += [(places, numbers[spots]) for places, spots in _characters(codes)]
    none = np.zeros(0, dtype=np.int64)
    return Sentences(
        texts=owners_of_sentences,
        places=np.concatenate([none, *(places for places, _ in found)]),
        owners=np.concatenate([none, *(owners for _, owners in found)]),
    )


def _characters(codes: Ints) -> list[tuple[Spots, Spots]]:
    """Hashes and spots of the n-grams of 4 and 5 code points that stay inside a word."""
    before = np.cumsum(codes == 32)
    rolling = codes
    found = []
    for size in range(2, 6):
        count = len(codes) - size + 1
        if count <= 0:
            break
        rolling = rolling[:count] * POWERS[0] + codes[size - 1 :]
        if size > 3:
            spots = np.flatnonzero(before[size - 2 : size - 2 + count] == before[:count])
            found.append((_hashed(rolling[spots], size), spots))
    return found


def _words(
    codes: Ints,
    kinds: npt.NDArray[np.uint8],
    numbers: Spots,
    count: int,
    concepts: Concepts,
) -> list[tuple[Spots, Spots]]:
    """Hashes and sentences of words, of two and three in a row, of openings and of concepts."""
    letter = (kinds & _LETTER) != 0
    ideograph = (kinds & _IDEOGRAPH) != 0
    begins = letter.copy()
    begins[1:] &= ~letter[:-1] | ideograph[1:] | ideograph[:-1]
    starts = np.flatnonzero(begins)
    if len(starts) == 0:
        return []
    place = np.arange(len(codes)) - np.repeat(
        np.append(0, starts), np.diff(np.concatenate(([0], starts, [len(codes)])))
    )
    terms = np.where(letter, codes * POWERS[np.minimum(place, LONGEST_WORD)], np.uint64(0))
    words = settled(np.add.reduceat(terms, starts))
    sentence = numbers[starts]
    rows = [_rows_of(words, sentence, size) for size in range(2, LONGEST_PHRASE + 1)]
    (pairs, both), (triples, three) = rows[:2]
    opening = np.flatnonzero(np.diff(sentence, prepend=-1))
    opened = opening[opening < len(words) - 1]
    opened = opened[sentence[opened + 1] == sentence[opened]]
    spots, hashes, stems = _beginnings(terms, starts, letter)
    whole = (np.arange(len(words)), *(begun for begun, _ in rows), spots)
    found = concepts.of(np.concatenate((words, *(chain for _, chain in rows), hashes)))
    known = np.zeros(len(words), dtype=np.uint64)
    hit = np.flatnonzero(found)
    np.bitwise_or.at(known, np.concatenate(whole)[hit], found[hit])
    return [
        (_hashed(words, _WORD), sentence),
        (_hashed(hashes[stems], _STEM), sentence[spots[stems]]),
        (_hashed(both, _PAIR), sentence[pairs]),
        (_hashed(three, _TRIPLE), sentence[triples]),
        *(_apart(words, sentence, gap) for gap in _GAPS),
        (_hashed(words[opening], _FIRST), sentence[opening]),
        (_hashed(chained(words[opened], words[opened + 1]), _FIRST_PAIR), sentence[opened]),
        *_concepts(known, sentence, opening, count),
    ]


def _rows_of(words: Ints, sentence: Spots, size: int) -> tuple[Spots, Ints]:
    """Return where so many words stand in a row in one sentence, and the hash of each row."""
    last = size - 1
    spots = np.flatnonzero(sentence[last:] == sentence[: max(len(words) - last, 0)])
    chain = words[spots]
    for further in range(1, size):
        chain = chained(chain, words[spots + further])
    return spots, chain


def _apart(words: Ints, sentence: Spots, gap: int) -> tuple[Spots, Spots]:
    """Return hashes and sentences of two words with others between them."""
    spots = np.flatnonzero(sentence[gap:] == sentence[: max(len(words) - gap, 0)])
    return _hashed(chained(words[spots], words[spots + gap]), _APART), sentence[spots]


def _beginnings(
    terms: Ints, starts: Spots, letter: npt.NDArray[np.bool_]
) -> tuple[Spots, Ints, slice]:
    """Return which words have beginnings of the lengths looked up, the hashes, and the stems."""
    sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(terms)))
    letters = np.concatenate(([0], np.cumsum(letter)))
    spots, hashes = [], []
    for length in PREFIXES:
        ends = np.minimum(starts + length, len(terms))
        whole = np.flatnonzero(letters[ends] - letters[starts] == length)
        spots.append(whole)
        hashes.append(sums[ends[whole]] - sums[starts[whole]])
    before = sum(len(some) for some in spots[:_STEM_AT])
    stems = slice(before, before + len(spots[_STEM_AT]))
    return np.concatenate(spots), settled(np.concatenate(hashes)) ^ PREFIX_MARK, stems


def _in_order(known: Ints, sentence: Spots, step: int) -> tuple[Spots, Spots]:
    """Return features and sentences of concepts that follow each other, whatever stands between."""
    spots = np.flatnonzero(known)
    bits = np.arange(64, dtype=np.uint64)
    rows, concept = np.nonzero(((known[spots][:, None] >> bits) & np.uint64(1)).astype(bool))
    own = np.bincount(rows, minlength=len(spots) + step)
    begins = np.cumsum(own) - own
    follower = rows + step
    inside = np.minimum(follower, len(spots) - 1)
    same = (follower < len(spots)) & (sentence[spots][rows] == sentence[spots][inside])
    times = np.where(same, own[follower], 0)
    first = np.repeat(np.arange(len(rows)), times)
    nth = np.arange(len(first)) - np.repeat(np.cumsum(times) - times, times)
    second = begins[follower[first]] + nth
    keys = (16384 * step + concept[first] * 64 + concept[second]).astype(np.uint64)
    places = _hashed(keys * np.uint64(0x9E3779B97F4A7C15), _CONCEPT)
    return places, sentence[spots][rows[first]]


def _concepts(
    known: Ints, sentence: Spots, opening: Spots, count: int
) -> list[tuple[Spots, Spots]]:
    """Return the features of each sentence's concepts, of two together, and of its first."""
    spots = np.flatnonzero(known)
    if len(spots) == 0:
        return []
    masks = np.zeros(count, dtype=np.uint64)
    np.bitwise_or.at(masks, sentence[spots], known[spots])
    full = np.flatnonzero(masks)
    bits = np.arange(64, dtype=np.uint64)
    has = ((masks[full][:, None] >> bits) & np.uint64(1)).astype(bool)
    one_sentence, one = np.nonzero(has)
    present = np.flatnonzero(has.any(axis=0))
    upper, lower = np.triu_indices(len(present), 1)
    upper, lower = present[upper], present[lower]
    rows, pair = np.nonzero(has[:, upper] & has[:, lower])
    first, second = upper[pair], lower[pair]
    leading = opening[known[opening] != 0]
    lead_row, lead = np.nonzero(((known[leading][:, None] >> bits) & np.uint64(1)).astype(bool))
    keys = np.concatenate((one, 64 + first * 64 + second, 8192 + lead)).astype(np.uint64)
    owners = np.concatenate((full[one_sentence], full[rows], sentence[leading][lead_row])).astype(
        np.int64
    )
    places = _hashed(keys * np.uint64(0x9E3779B97F4A7C15), _CONCEPT)
    return [
        (np.repeat(places, CONCEPT_WEIGHT), np.repeat(owners, CONCEPT_WEIGHT)),
        *(_in_order(known, sentence, step) for step in _STEPS),
    ]
