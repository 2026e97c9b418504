"""Words of a text as the screen's encoder reads them, with their letters, kinds and marks."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.ranges import lengths, ranges
from data.screening.reading import BatchReading, Words, letters_from
from data.screening.word_features import bits_of

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

GRAM_BITS = 14
"""Runs of letters are hashed to `2**GRAM_BITS` rows."""
KINDS = 64
SIDES = 11
"""Bits of the marks at one side of a word, see `data.screening.mark_features`."""
MARKS = 2 * SIDES + 1
_STEP = np.uint64(1_000_003)
_FOUR = np.uint64(7)
"""Sets runs of four letters apart from those of three."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(64 - GRAM_BITS)


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """Some words of a reading."""

    words: Ints
    """Shape (words,): the hash of each."""
    grams: Spots
    """The rows of all words' runs of three and four letters, word by word; each has one at
    least."""
    firsts: Spots
    """Shape (words,): where the runs of each word begin."""
    kinds: Ints
    """Shape (words,): the kinds of each, as bits."""
    before: Ints
    behind: Ints
    quoted: npt.NDArray[np.bool_]
    """The marks around each, see `data.screening.mark_features.Marks`."""


def tokens(reading: BatchReading, own: Words, chosen: Spots) -> Tokens:
    """Return the words `chosen` of a reading, by their numbers, in that order."""
    grams, firsts = _grams(reading, own, chosen)
    return Tokens(
        words=own.rows[0][chosen],
        grams=grams,
        firsts=firsts,
        kinds=own.known[chosen],
        before=own.marks.before[chosen],
        behind=own.marks.behind[chosen],
        quoted=own.marks.quoted[chosen],
    )


def kinds_of(own: Tokens) -> Floats:
    """Return the kinds of words as numbers, shape (words, `KINDS`)."""
    return bits_of(own.kinds).astype(np.float32)


def marks_of(own: Tokens) -> Floats:
    """Return the marks around words as numbers, shape (words, `MARKS`)."""
    behind, quoted = np.uint64(SIDES), np.uint64(2 * SIDES)
    together = own.before | (own.behind << behind) | (own.quoted.astype(np.uint64) << quoted)
    return bits_of(together)[:, :MARKS].astype(np.float32)


def _grams(reading: BatchReading, own: Words, chosen: Spots) -> tuple[Spots, Spots]:
    """Return the runs of letters of words, each around one of its letters; nought is a border."""
    starts = own.starts[chosen]
    following = lengths(own.starts, len(reading.codes))[chosen]
    sizes = np.minimum(letters_from(reading.letter, starts), following)
    places = ranges(starts, sizes)
    letters = np.where(reading.letter, reading.codes, np.uint64(0))
    three = (letters[places - 1] * _STEP + letters[places]) * _STEP + letters[places + 1]
    on = reading.letter[places + 1].nonzero()[0]
    four = three[on] * _STEP + letters[np.minimum(places[on] + 2, len(letters) - 1)] + _FOUR
    word = np.arange(len(chosen)).repeat(sizes)
    values, whose = np.concatenate((three, four)), np.concatenate((word, word[on]))
    order = whose.argsort(kind="stable")
    values = values[order]
    rows = ((values ^ (values >> np.uint64(29))) * _SPREAD) >> _SHIFT
    return rows.view(np.int64), whose[order].searchsorted(np.arange(len(chosen)))
