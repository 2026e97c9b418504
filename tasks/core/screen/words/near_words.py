"""Words that differ from given ones by a letter: found by what both are without one letter.

Symmetric deletion (Garbe, "1000x faster spelling correction algorithm", 2012): of the given words
all are kept that lack one letter, and those of a word that is looked for are compared with them. So
a letter too few, too many or wrong, two neighbours in the wrong order, and a letter that has gone
from one end while another came to the other end are found alike.
"""

from collections.abc import Iterable, Sequence


class NearWords:
    """Given words, by all that is near them."""

    def __init__(self, words: Iterable[str], shortest: int) -> None:
        """Keep those of `words` that have `shortest` letters, doubled letters counted once."""
        pairs = list(words)
        self._whole: dict[str, str] = {}
        for short, word in zip(squeeze_words(pairs), pairs, strict=True):
            if len(short) >= shortest:
                self._whole.setdefault(short, word)
        self._lacking: dict[str, str] = {}
        for short, word in self._whole.items():
            for less in _without_one(short):
                self._lacking.setdefault(less, word)
        self._shortest = shortest
        longest = max(map(len, self._whole), default=0) + 1
        self._begin: list[set[str]] = [set() for _ in range(longest + 1)]
        self._end: list[set[str]] = [set() for _ in range(longest + 1)]
        for short in self._whole:
            for size in range(len(short) - 1, len(short) + 2):
                self._begin[size].add(short[: _half(size)])
                self._end[size].add(short[-_half(size) :])

    def find(self, word: str) -> str:
        """Return the given word that is `word` or near it, or nothing.

        `word` has doubled letters once, as `squeeze_words` returns it.
        """
        if not self._may_be(word):
            return ""
        whole = self._whole.get(word) or self._lacking.get(word)
        if whole or len(word) < self._shortest:
            return whole or ""
        for less in _without_one(word):
            if whole := self._whole.get(less) or self._lacking.get(less):
                return whole
        return ""

    def _may_be(self, word: str) -> bool:
        """Whether one half of a word, or of it without a letter at an end, is a given word's."""
        size = len(word)
        if not self._shortest - 1 <= size < len(self._begin):
            return False
        half, less = _half(size), _half(size - 1)
        return (
            word[:half] in self._begin[size]
            or word[-half:] in self._end[size]
            or word[1 : 1 + less] in self._begin[size - 1]
            or word[-1 - less : -1] in self._end[size - 1]
        )


def squeeze_words(words: Sequence[str]) -> list[str]:
    """Return words with each letter once where it stands several times in a row."""
    text = " ".join(words)
    for letter in set(text) - {" "}:
        while letter * 2 in text:
            text = text.replace(letter * 2, letter)
    return text.split(" ") if words else []


def _half(size: int) -> int:
    """Return how many letters of one end of a word of `size` letters a slip leaves alone."""
    return (size - 1) // 2


def _without_one(word: str) -> list[str]:
    """Return what a word is without each of its letters."""
    return [word[:at] + word[at + 1 :] for at in range(len(word))]
