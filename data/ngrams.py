"""Text to hashed features: character n-grams inside words, words, pairs of words, and marks.

One pass over a batch of texts serves every model that reads it. The hash is a polynomial over code
points with a fixed mixer, in 64-bit wrap-around arithmetic: the same on every platform.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import re2

from data.concepts import marks

HEAD_CHARACTERS = 2000
"""What is read of a text's beginning; the wish stands early."""
TAIL_CHARACTERS = 500
"""What is read of its end."""
LONGEST_WORD = 64
"""Letters of a word that enter its hash."""

Ints = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.int64]

_BASE = 0x100000001B3
_ADDRESS = re2.compile(r"(?i)(?:https?://|www\.)\S+|\S+@\S+\.\S+")
_POWERS: Ints = np.cumprod(
    np.concatenate(([1], np.full(LONGEST_WORD, _BASE))).astype(np.uint64), dtype=np.uint64
)


@dataclass(frozen=True, kw_only=True)
class Grams:
    """The distinct features of a batch: `hashes` ordered by text, then by value."""

    hashes: npt.NDArray[np.uint32]
    """Shape (features,): 32-bit hashes, distinct within a text."""
    rows: Spots
    """Shape (features,): which text each hash is of."""
    sizes: npt.NDArray[np.float32]
    """Shape (texts,): how many distinct features each text has."""


def replace_surrogates(text: str) -> str:
    """`text` with lone surrogates replaced, which neither UTF-8 nor re2 can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _shorten(text: str) -> tuple[str, int]:
    """What is read of `text`, with each address as one word, and how many addresses it holds."""
    text = replace_surrogates(text)
    if len(text) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        text = f"{text[:HEAD_CHARACTERS]} {text[-TAIL_CHARACTERS:]}"
    if "://" in text or "www." in text or "@" in text:
        text, links = re2.subn(_ADDRESS, lambda hit: _address(hit[0]), text)
        return text, int(links)
    return text, 0


def normalize_text(text: str) -> str:
    """Lower case and addresses as one word each, ready to be cut."""
    return f" {_shorten(text)[0].lower()} "


def addresses(text: str) -> int:
    """How many links and mail addresses are in what is read of `text`."""
    return _shorten(text)[1]


def _address(host: str) -> str:
    return " mailaddress " if "@" in host and "://" not in host else " weblink "


@cache
def _letters() -> npt.NDArray[np.bool_]:
    """Which of the first 65,536 code points belong to words."""
    table = np.zeros(65536, dtype=bool)
    for code in range(65536):
        table[code] = chr(code).isalnum()
    return table


def _mix(values: Ints, seed: int) -> npt.NDArray[np.uint32]:
    """Spread 64-bit values over 32 bits, apart for each kind of feature."""
    values = values + np.uint64((seed * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (values >> np.uint64(32)).astype(np.uint32)


def _codes(texts: Sequence[str]) -> tuple[Ints, Spots]:
    """Code points of all texts in one row with single spaces and `0` for digits; owners of each."""
    joined = "".join(texts)
    codes: npt.NDArray[np.uint32] = np.frombuffer(
        joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32
    ).copy()
    owners: Spots = np.repeat(
        np.arange(len(texts), dtype=np.int64), np.fromiter(map(len, texts), np.int64, len(texts))
    )
    codes[codes <= 32] = 32
    codes[(codes == 0xA0) | (codes == 0x200B)] = 32
    codes[(codes >= 48) & (codes <= 57)] = 48
    codes[codes == 0x2019] = 39
    space = codes == 32
    keep = np.ones(len(codes), dtype=bool)
    keep[1:] = ~(space[1:] & space[:-1] & (owners[1:] == owners[:-1]))
    return codes[keep].astype(np.uint64), owners[keep]


def _character_grams(codes: Ints, longest: int) -> list[tuple[Any, Spots]]:
    """Hashes and places of the n-grams of 2 to `longest` code points that stay inside a word."""
    space = codes == 32
    before = np.concatenate(([0], np.cumsum(space)))
    rolling = codes.copy()
    character_grams = []
    for size in range(2, longest + 1):
        count = len(codes) - size + 1
        if count <= 0:
            break
        rolling = rolling[:count] * np.uint64(_BASE) + codes[size - 1 :]
        inner = before[size - 1 : size - 1 + count] - before[1 : 1 + count]
        good = inner == 0
        if size == 2:
            good &= ~(space[:count] & space[1 : 1 + count])
        spots = np.flatnonzero(good)
        character_grams.append((_mix(rolling[spots], size), spots))
    return character_grams


def _word_grams(codes: Ints, owners: Spots) -> list[tuple[Any, Spots]]:
    """Hashes and places of words and of pairs of neighbouring words."""
    letter = _letters()[np.minimum(codes, np.uint64(65535)).astype(np.int64)]
    before = np.concatenate(([False], letter[:-1]))
    starts = np.flatnonzero(letter & ~before)
    if len(starts) == 0:
        return []
    first = np.zeros(len(codes), dtype=np.int64)
    first[starts] = starts
    place = np.minimum(np.arange(len(codes)) - np.maximum.accumulate(first), LONGEST_WORD)
    parts = np.where(letter, (codes + np.uint64(1)) * _POWERS[place], np.uint64(0))
    words: Ints = np.add.reduceat(parts, starts)
    pairs = np.flatnonzero(owners[starts[1:]] == owners[starts[:-1]])
    both = words[pairs] * np.uint64(31) + (words[pairs + 1] ^ (words[pairs + 1] >> np.uint64(7)))
    return [(_mix(words, 100), starts), (_mix(both, 101), starts[pairs])]


def _marks(cut: Sequence[tuple[str, int]]) -> tuple[Any, Spots]:
    """Hashes of the marks of texts, and the texts that they are of."""
    marks_by_text = [marks(text, links) for text, links in cut]
    numbers = np.array([number for own in marks_by_text for number in own], dtype=np.uint64)
    return _mix(numbers, 200), np.repeat(np.arange(len(cut)), [len(own) for own in marks_by_text])


def mark_hashes(texts: Sequence[str]) -> npt.NDArray[np.uint32]:
    """The hashes of all marks that `texts` have, sorted."""
    return np.unique(_marks([_shorten(text) for text in texts])[0])


def grams(texts: Sequence[str], *, longest: int = 5) -> Grams:
    """All features of `texts`; never fails, whatever the text holds."""
    cut = [_shorten(text) for text in texts]
    codes, owners = _codes([f" {text.lower()} " for text, _ in cut])
    gram_parts = [
        (hashes, owners[spots])
        for hashes, spots in _character_grams(codes, longest) + _word_grams(codes, owners)
    ]
    gram_parts.append(_marks(cut))
    keys = np.concatenate(
        [(rows.astype(np.uint64) << np.uint64(32)) | hashes for hashes, rows in gram_parts]
    )
    keys.sort()  # and not np.unique, whose table of hashes is slower than sorting
    keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)]]
    rows = (keys >> np.uint64(32)).astype(np.int64)
    return Grams(
        hashes=(keys & np.uint64(0xFFFFFFFF)).astype(np.uint32),
        rows=rows,
        sizes=np.bincount(rows, minlength=len(texts)).astype(np.float32),
    )
