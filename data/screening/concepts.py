"""Kinds of words, looked up by hash: what lets one language's attacks teach another's.

The table is built from lexicons in training and stored with the weights, so that reading a message
is a binary search per word, prefix and phrase, all at once.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import re2

from data.mapped import translate_text

Ints = npt.NDArray[np.uint64]

LONGEST_PHRASE = 5
"""Words of a phrase; ideographs are a word each."""
LONGEST_WORD = 40
"""Letters of a word that enter its hash."""
PREFIXES = (4, 5, 6, 7, 8, 9)
"""Lengths of the beginnings of words that are looked up."""
PREFIX_MARK = np.uint64(0x5DEECE66D)
"""Sets the hash of a beginning apart from that of the same whole word."""
BASE = np.uint64(0x100000001B3)
POWERS: Ints = np.cumprod(np.full(LONGEST_WORD + 1, BASE), dtype=np.uint64)
_ACCENTS: dict[int, str | None] = dict.fromkeys(
    (*range(0x0300, 0x0370), *range(0x064B, 0x0656), 0x0640, 0x3099, 0x309A)
)
_ARTICLES = re2.compile(r"(^|[^\pL])(?:[وفبك]?ال|لل)(\p{Arabic}{2,})")
_LETTERS = (("ł", "l"), ("ß", "ss"), ("ı", "i"), ("ø", "o"), ("đ", "d"), ("ة", "ه"), ("ى", "ي"))
"""What decomposition leaves; endings that Arabic hands write either way."""
_DRAWN_CAPITALS = re2.compile(
    r"[\x{1D400}-\x{1D7FF}\x{1F130}-\x{1F149}\x{1D2C}-\x{1D42}ℂℋℌℍℐℑℒℕℙℚℛℜℝℤℨℬℭℰℱℳ]"
)
"""Capitals of mathematics, in squares and raised: they have no lower case while drawn so."""
_SIEVE = np.uint64(0x3FFFF)
_CHAIN = np.uint64(0xD1B54A32D192ED03)


def chain_hashes(first: Ints, second: Ints) -> Ints:
    """Return the hash of two things in a row."""
    return first * _CHAIN + second


def spread_bits(words: Ints) -> Ints:
    """Return words' sums with their bits spread."""
    return words ^ (words >> np.uint64(31))


@dataclass(frozen=True, kw_only=True)
class Concepts:
    """Hashes of words, prefixes and phrases with the concepts they belong to, as bits."""

    hashes: Ints
    """Shape (entries,), rising."""
    masks: Ints
    """Shape (entries,)."""

    def among(self, hashes: Ints) -> tuple[npt.NDArray[np.int64], Ints]:
        """Return which of `hashes` are known, rising, and the concepts of these."""
        likely = self._sieve[hashes & _SIEVE].nonzero()[0]
        some = hashes[likely]
        spots = self.hashes.searchsorted(some)
        same = (self.hashes.take(spots, mode="clip") == some).nonzero()[0]
        return likely[same], self.masks[spots[same]]

    @cached_property
    def _sieve(self) -> npt.NDArray[np.bool_]:
        """Which lowest bits some entry has; most words fall through."""
        sieve = np.zeros(int(_SIEVE) + 1, dtype=bool)
        sieve[self.hashes & _SIEVE] = True
        return sieve


def fold_plainly(text: str) -> str:
    """Return `text` without accents, in lower case."""
    if text.isascii():
        return text.lower()
    marked = unicodedata.normalize("NFKD", text.lower())
    if not marked.islower() and _DRAWN_CAPITALS.search(text) is not None:
        marked = marked.lower()
    for letter, others in _LETTERS:
        if letter in marked:
            marked = marked.replace(letter, others)
    if marked.isascii():
        return marked
    return without_articles(translate_text(marked, _ACCENTS))


def without_articles(text: str) -> str:
    """Return `text` without what Arabic writes onto its words: and, with, to, the."""
    return _ARTICLES.sub(r"\1\2", text) if _ARTICLES.search(text) is not None else text


def word_hash(word: str) -> np.uint64:
    """Return a word's hash as the numpy pass makes it."""
    codes = np.frombuffer(word.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    places = np.minimum(np.arange(len(codes)), LONGEST_WORD)
    total = np.add.reduce(codes * POWERS[places], keepdims=True)
    return np.uint64(spread_bits(total)[0])


def prefix_hash(word: str) -> np.uint64:
    """Return the hash of a word's beginning, apart from that of the same whole word."""
    return np.uint64(word_hash(word) ^ PREFIX_MARK)


def _words_of(entry: str) -> list[str]:
    """Return an entry's words; ideographs are words of one letter."""
    letters_found: list[str] = []
    for letter in fold_plainly(entry):
        if "\u3400" <= letter <= "\u9fff" or "\u3041" <= letter <= "\u3096":
            letters_found += [letter, " "]
        elif letter.isalnum() or letter == "*":
            letters_found.append(letter)
        else:
            letters_found.append(" ")
    return "".join(letters_found).split()


def concepts_from(lexicons: Iterable[Mapping[str, Mapping[str, Sequence[str]]]]) -> Concepts:
    """Build the table of all concepts; phrases of more than `LONGEST_PHRASE` words are left out.

    A name that several lexicons hold is one concept.
    """
    table: dict[int, int] = {}
    bits: dict[str, int] = {}
    for lexicon in lexicons:
        for name, languages in lexicon.items():
            bit = 1 << bits.setdefault(name, len(bits))
            for entry in (entry for entries in languages.values() for entry in entries):
                for value in _hashes_of(_words_of(str(entry))):
                    table[value] = table.get(value, 0) | bit
    ordered = sorted(table)
    return Concepts(
        hashes=np.array(ordered, dtype=np.uint64),
        masks=np.array([table[value] for value in ordered], dtype=np.uint64),
    )


def _hashes_of(words: list[str]) -> list[int]:
    if len(words) == 1 and words[0].endswith("*"):
        beginning = words[0].rstrip("*")[: PREFIXES[-1]]
        return [int(prefix_hash(beginning))] if len(beginning) >= PREFIXES[0] else []
    if not 1 <= len(words) <= LONGEST_PHRASE or any("*" in word for word in words):
        return []
    value = np.array([word_hash(words[0])], dtype=np.uint64)
    for word in words[1:]:
        value = chain_hashes(value, np.array([word_hash(word)], dtype=np.uint64))
    return [int(value[0])]
