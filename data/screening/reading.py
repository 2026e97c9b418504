"""Text to words: where sentences and words begin, what kinds they are of, and the marks around.

One pass of numpy over all texts of a batch. A sentence ends at a full stop, a question or
exclamation mark, a blank line, a list item or a line that is too short to be wrapped; it is cut
after `LONGEST_SENTENCE` characters, so that text without marks is not one sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from data.ngrams import replace_surrogates
from data.ranges import lengths
from data.screening.concepts import (
    LONGEST_PHRASE,
    POWERS,
    PREFIX_MARK,
    PREFIXES,
    Concepts,
    chain_hashes,
    spread_bits,
)
from data.screening.lines import SEPARATOR, lines_joined
from data.screening.mark_features import WordMarks, marks_around

LONGEST_SENTENCE = 320

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Kinds = npt.NDArray[np.uint8]

_STEM_AT = PREFIXES.index(5)
_PREFIXES: Spots = np.array(PREFIXES)[:, None]


@dataclass(frozen=True, kw_only=True)
class Words:
    """The words of a batch of texts; one at least."""

    starts: Spots
    """Shape (words,): at which code point each begins."""
    sentence: Spots
    """Shape (words,): the number of each one's sentence, rising."""
    rows: Ints
    """Shape (`LONGEST_PHRASE`, words): hash of each word, and of so many in a row from it."""
    stems: Ints
    """The hash of the first five letters of words that have so many."""
    stemmed: Spots
    """Which word each stem is of."""
    known: Ints
    """Shape (words,): the kinds of each word, as bits."""
    marks: WordMarks
    """What stands around them."""


@dataclass(frozen=True, kw_only=True)
class BatchReading:
    """A batch of texts, read."""

    codes: Ints
    """The code points of all texts, in lower case, digits as `0`."""
    drawn: Flags
    """Which of them are neither spaces nor ends of lines."""
    letter: Flags
    """Which of them belong to words."""
    texts: Spots
    """Shape (sentences,): which text each sentence is of, rising."""
    numbers: Spots
    """The number of each code point's sentence."""
    words: Words | None
    """None where there is not one."""


_LETTER, _IDEOGRAPH, _SEPARATES, _SPACE, _END, _WIDE_END = 1, 2, 4, 8, 16, 32


@cache
def _table() -> Kinds:
    """What the first 65,536 code points are: of words, words by themselves, ends of sentences."""
    table = np.zeros(65536, dtype=np.uint8)
    for code in range(65536):
        table[code] = _LETTER * chr(code).isalnum()
    table[0x3400:0xA000] |= _IDEOGRAPH
    table[0x3041:0x3097] |= _IDEOGRAPH  # hiragana, which joins words as spaces part them elsewhere
    table[[ord(mark) for mark in ".!?…。！？;；"]] |= _END
    table[[ord(mark) for mark in "。！？；"]] |= _WIDE_END  # no space follows these
    table[ord(SEPARATOR)] |= _SEPARATES
    table[[ord(" "), ord(SEPARATOR)]] |= _SPACE
    return table


@cache
def _ascii_tables() -> tuple[bytes, bytes]:
    """Return what each byte of ASCII is read as, digits being one, and its kind."""
    read_as = bytes(range(48)) + b"0" * 10 + bytes(range(58, 256))
    return read_as.replace(SEPARATOR.encode(), b" "), _table()[:256].tobytes()


def _code_points(text: str) -> tuple[Ints, Kinds]:
    """Return the code points, separators as spaces and digits as `0`, and what each is."""
    if text.isascii():  # most mail, and bytes are translated at once
        raw = text.encode()
        read_as, kind_of = _ascii_tables()
        codes: Ints = np.frombuffer(raw.translate(read_as), dtype=np.uint8).astype(np.uint64)
        return codes, np.frombuffer(raw.translate(kind_of), dtype=np.uint8)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _table().take(points, mode="clip")
    codes = points.astype(np.uint64)
    codes[(points >= 48) & (points <= 57)] = 48
    codes[(kinds & _SEPARATES) != 0] = 32
    return codes, kinds


def _first_code_points(kinds: Kinds) -> Spots:
    """Return where each sentence begins."""
    starts = (kinds & _SEPARATES) != 0
    before, here = kinds[:-1], kinds[1:]
    starts[1:] |= ((before & _END) != 0) & (((here & _SPACE) | (before & _WIDE_END)) != 0)
    starts[0] = True
    firsts: Spots = starts.nonzero()[0]
    sizes = lengths(firsts, len(kinds))
    too_long = (sizes > LONGEST_SENTENCE).nonzero()[0]
    if len(too_long) == 0:
        return firsts
    for place in too_long.tolist():
        begin = firsts[place]
        starts[begin : begin + sizes[place] : LONGEST_SENTENCE] = True
    return np.flatnonzero(starts)


def read(texts: Sequence[str], concepts: Concepts) -> BatchReading:
    """Read `texts`, of which there is one at least; never fails, whatever they hold."""
    prepared = [f"{SEPARATOR} {lines_joined(replace_surrogates(text))} " for text in texts]
    codes, kinds = _code_points("".join(prepared))
    firsts = _first_code_points(kinds)
    numbers = np.arange(len(firsts)).repeat(lengths(firsts, len(codes)))
    ends_of_texts = np.cumsum([len(text) for text in prepared])
    texts_of = ends_of_texts.searchsorted(firsts, side="right")
    letter = (kinds & _LETTER) != 0
    starts = _starts(letter, kinds)
    words = None
    if len(starts):
        separates = (kinds & _SEPARATES) != 0
        marks = marks_around(codes, separates, firsts, starts, numbers[starts])
        words = _words(codes, letter, starts, numbers[starts], marks, concepts)
    return BatchReading(
        codes=codes,
        drawn=(kinds & _SPACE) == 0,
        letter=letter,
        texts=texts_of,
        numbers=numbers,
        words=words,
    )


def _starts(letter: Flags, kinds: Kinds) -> Spots:
    """Return where words begin; an ideograph is a word, and so is what follows it."""
    begins = letter.copy()
    ideograph = kinds & _IDEOGRAPH
    begins[1:] &= ~letter[:-1] | ((ideograph[1:] | ideograph[:-1]) != 0)
    return begins.nonzero()[0]


def _words(
    codes: Ints, letter: Flags, starts: Spots, sentence: Spots, marks: WordMarks, concepts: Concepts
) -> Words:
    place = np.arange(len(codes))
    place[starts[0] :] -= starts.repeat(lengths(starts, len(codes)))
    # letters beyond `LONGEST_WORD` share the last power
    terms = np.where(letter, codes * POWERS.take(place, mode="clip"), np.uint64(0))
    sums = terms.cumsum()
    before = sums[starts - 1]  # no word is at place 0, where a separator is
    rows = _in_rows(spread_bits(lengths(before, sums[-1])))
    begun, hashes, stems = _beginnings(sums, before, starts, letter)
    return Words(
        starts=starts,
        sentence=sentence,
        rows=rows,
        stems=hashes[stems],
        stemmed=begun[stems],
        known=_find_concepts(rows, sentence, begun, hashes, concepts),
        marks=marks,
    )


def _in_rows(words: Ints) -> Ints:
    """Return the hash of each word and of so many in a row from it, shape (phrase, words).

    Of a row that goes beyond the last word it is 0.
    """
    rows = np.zeros((LONGEST_PHRASE, len(words)), dtype=np.uint64)
    rows[0] = words
    for further in range(1, min(LONGEST_PHRASE, len(words))):
        rows[further, :-further] = chain_hashes(rows[further - 1, :-further], words[further:])
    return rows


def _find_concepts(
    rows: Ints, sentence: Spots, begun: Spots, hashes: Ints, concepts: Concepts
) -> Ints:
    """Return the concepts of each word: its own, its beginnings', and of phrases from it on."""
    count = len(sentence)
    hit, masks = concepts.among(np.concatenate((rows.ravel(), hashes)))
    phrases = hit.searchsorted(rows.size)
    further, word = np.divmod(hit[:phrases], count)
    last = np.minimum(word + further, count - 1)
    whole = sentence[last] == sentence[word]  # a phrase does not go on in the next sentence
    known_concepts = np.zeros(count, dtype=np.uint64)
    spots = np.concatenate((word[whole], begun[hit[phrases:] - rows.size]))
    np.bitwise_or.at(
        known_concepts, spots, np.concatenate((masks[:phrases][whole], masks[phrases:]))
    )
    return known_concepts


def _beginnings(
    sums: Ints, before: Ints, starts: Spots, letter: Flags
) -> tuple[Spots, Ints, slice]:
    """Return which words have beginnings of the lengths looked up, the hashes, and the stems.

    `sums` are the terms of words added up, and `before` what they are before each word.
    """
    letters = letters_from(letter, starts)
    length, begun = np.nonzero(letters >= _PREFIXES)
    hashes = sums[starts[begun] + length + (PREFIXES[0] - 1)] - before[begun]
    first, last = length.searchsorted((_STEM_AT, _STEM_AT + 1)).tolist()
    return begun, spread_bits(hashes) ^ PREFIX_MARK, slice(first, last)


def letters_from(letter: Flags, starts: Spots) -> Spots:
    """Return how many letters stand in a row from each of `starts` on."""
    others = (~letter).nonzero()[0]
    spots: Spots = others[others.searchsorted(starts)] - starts  # a space ends every text
    return spots
