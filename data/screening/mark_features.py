"""The features of marks: what stands before and behind a word, and what is quoted.

*Agent, pay him* calls somebody, and *the agent pays him* tells of him. *He wrote "forget your
rules"* tells of an order, and *forget your rules* is one. Their words and the order of these are
nearly the same; the marks tell them apart.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from data.quotation_marks import QUOTATION_MARKS
from data.screening.concepts import chain_hashes
from data.screening.word_features import members, of_sentences, with_members

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint8]
FoundMarks = tuple[Ints, Spots]
"""Values of features, and the sentence of each."""

_COMMA, _COLON, _QUOTE, _BRACKET, _DASH, _END, _ASKS, _OTHER = (1 << bit for bit in range(8))
_MARKS = {
    _COMMA: ",;、，；",
    _COLON: ":：",
    _QUOTE: QUOTATION_MARKS,
    _BRACKET: "()[]{}<>（）",
    _DASH: "–—|=/\\",
    _END: ".!。！…",
    _ASKS: "?？",
    _OTHER: "*#_~`@$%&+^",
}
_CLAUSE = _COMMA | _COLON | _DASH | _QUOTE
"""What a new clause may stand behind."""
_LAST, _FIRST = 256, 512
"""Stand for the end of a sentence behind its last word, and for its beginning before the first."""
_BETWEEN = 1024
"""More than any marks at one side of a word."""
_SORT = np.uint64(1_000_003)
"""Sets the sorts of features apart."""


@dataclass(frozen=True, kw_only=True)
class WordMarks:
    """What marks stand around words, each shape (words,)."""

    before: Ints
    """Bits of what stands between the word before and this one, or `_FIRST`."""
    behind: Ints
    """Bits of what stands between this word and the next one, and `_LAST`."""
    opens: Flags
    """Whether a sentence or a clause begins with it."""
    quoted: Flags
    """Whether it stands in a quotation that begins in its line."""


@cache
def _table() -> Bits:
    """Return what mark each of the first 65,536 code points is, as a bit; of others 0."""
    table = np.zeros(65536, dtype=np.uint8)
    for mark, letters in _MARKS.items():
        table[[ord(letter) for letter in letters]] = mark
    return table


def marks_around(
    codes: Ints, separates: Flags, firsts: Spots, starts: Spots, sentence: Spots
) -> WordMarks:
    """Return the marks around each word.

    Args:
        codes: the code points of a batch of texts.
        separates: which of them part lines that do not belong together.
        firsts: where sentences begin, rising.
        starts: where words begin, rising.
        sentence: the number of each word's sentence, rising.

    """
    marks = _table().take(codes.view(np.int64), mode="clip")
    edges = _either(firsts, starts, len(codes))  # what opens the next sentence is not of this one
    after = np.bitwise_or.reduceat(marks, edges)[edges.searchsorted(starts)]
    first = np.concatenate(([True], sentence[1:] != sentence[:-1]))
    last = np.ones_like(first)
    last[:-1] = first[1:]
    before = np.zeros(len(starts), dtype=np.uint64)
    before[1:] = after[:-1]
    opens = first | ((before & np.uint64(_CLAUSE)) != 0)
    before[first] = _FIRST
    quotes = (marks == _QUOTE).cumsum()
    in_line = quotes - np.maximum.accumulate(np.where(separates, quotes, 0))
    return WordMarks(
        before=before,
        behind=after + np.uint64(_LAST) * last,
        opens=opens,
        quoted=(in_line[starts] & 1) != 0,
    )


def _either(some: Spots, others: Spots | Flags, count: int) -> Spots:
    """Return which of `count` places are of either, rising; far quicker than `np.union1d`."""
    either = np.zeros(count, dtype=np.bool_)
    either[some] = True
    either[others] = True
    return either.nonzero()[0]


def mark_features(
    words: Ints, known_concepts: Ints, sentence: Spots, kinds: Ints, marks: WordMarks
) -> list[FoundMarks]:
    """Return values and sentences of the features of marks.

    Args:
        words: the hash of each word.
        known_concepts: the kinds of each word, as bits.
        sentence: the number of each word's sentence, rising.
        kinds: the kinds of each sentence, as bits; shape (sentences,).
        marks: what stands around the words.

    """
    followed = (marks.behind & np.uint64(_LAST - 1) != 0)[:-1].nonzero()[0]
    followed = followed[sentence[followed] == sentence[followed + 1]]
    mark_parts = [
        *_kinds_within(known_concepts, sentence, marks),
        *_words_beside(words, sentence, marks, followed),
        *_across(words, known_concepts, sentence, marks, followed),
        _with_kinds(words, sentence, marks.opens.nonzero()[0], kinds),
        _pair_words_outside(words, known_concepts, sentence, len(kinds), marks.quoted),
    ]
    return [
        (values * _SORT + np.uint64(sort), whose) for sort, (values, whose) in enumerate(mark_parts)
    ]


def _kinds_within(known_concepts: Ints, sentence: Spots, marks: WordMarks) -> list[FoundMarks]:
    """Return each kind with what stands before it, behind it and around it, and if quoted."""
    spots = known_concepts.nonzero()[0]
    rows, kind = members(known_concepts[spots])
    word = spots[rows]
    before, behind = marks.before[word], marks.behind[word]
    mark_sorts = (before * np.uint64(_BETWEEN) + behind, behind, before, marks.quoted[word])
    own = kind.astype(np.uint64)
    return [(chain_hashes(own, what.astype(np.uint64)), sentence[word]) for what in mark_sorts]


def _words_beside(
    words: Ints, sentence: Spots, marks: WordMarks, followed: Spots
) -> list[FoundMarks]:
    """Return words with the mark behind them, and words with the mark before them."""
    ends = _either(followed, marks.behind >= _LAST, len(words))
    return [
        (chain_hashes(words[ends], marks.behind[ends]), sentence[ends]),
        (chain_hashes(words[followed + 1], marks.behind[followed]), sentence[followed]),
    ]


def _across(
    words: Ints, known_concepts: Ints, sentence: Spots, marks: WordMarks, followed: Spots
) -> list[FoundMarks]:
    """Return kinds with the mark behind them and the word, or its kinds, that it parts them from.

    In *agent, pay* these are a machine, a comma and *pay*.
    """
    some = followed[known_concepts[followed] != 0]
    rows, kind = members(known_concepts[some])
    word = some[rows]
    keys = kind.astype(np.uint64) * np.uint64(_BETWEEN) + marks.behind[word]
    others, further = members(known_concepts[word + 1])
    return [
        (chain_hashes(words[word + 1], keys), sentence[word]),
        (chain_hashes(keys[others], further.astype(np.uint64)), sentence[word[others]]),
    ]


def _with_kinds(words: Ints, sentence: Spots, some: Spots, kinds: Ints) -> FoundMarks:
    """Return `some` words each with each kind that its sentence has among `kinds`."""
    number, kind = with_members(kinds, sentence[some])
    word = some[number]
    return chain_hashes(words[word], kind), sentence[word]


def _pair_words_outside(
    words: Ints, known_concepts: Ints, sentence: Spots, count: int, quoted: Flags
) -> FoundMarks:
    """Return words outside of quotations, each with each kind that is quoted in its sentence."""
    inside = of_sentences(known_concepts[quoted], sentence[quoted], count)
    some = (~quoted & (inside[sentence] != 0)).nonzero()[0]
    return _with_kinds(words, sentence, some, inside)
