"""Words without their vowels, and words whose beginning was put to their end.

Undone only with words that the screen knows, and only where several stand in a row.
"""

from collections.abc import Iterator
from functools import cache

from tasks.core.patterns import compiled
from tasks.core.screen.words.gate import GATE
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.order_words import order_words
from tasks.core.screen.words.vocabulary import vocabulary

_CHARACTERS = 32_000
"""Characters of a text that are looked at, at its two ends."""
_FEWEST_KNOWN, _FEWEST_LETTERS = 2, 4
"""Words that must be known, and letters that they keep."""
_BARE_WORD = r"[a-zA-Z]?[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z]{1,14}"
_BARE = compiled(rf"(?:\b{_BARE_WORD}\b[ ,.:;@]{{1,3}}){{4,}}\b{_BARE_WORD}\b")
_BARE_SIGN = GATE.watch(
    compiled(
        r"\b[a-zA-Z]?[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z]{3,14}[ ,]{1,2}"
        r"(?:[a-zA-Z]?[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z]{1,14}[ ,]{1,2}){2}"
    ),
    kind="ciphers",
)
_MOVED = compiled(r"\b(\pL{2,})(?:ay|AY)\b")
_MOVED_SIGN = GATE.watch(compiled(r"[a-z]ay[ ,.:;]{1,2}[a-zA-Z]+ay[ ,.:;]{1,2}[a-zA-Z]+ay\b"))
PLAYED = _BARE_SIGN | _MOVED_SIGN
"""Sign of a text that may hold such words."""
_VOWELS = str.maketrans("", "", "aeiou")
_LONGEST_BEGINNING = 3


def wordplay(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for words without vowels or turned around; `signs` are `GATE`'s."""
    if not signs & PLAYED:
        return
    text = ends(text, _CHARACTERS)
    if signs & _BARE_SIGN:
        for match, _ in zip(_BARE.finditer(text), range(_LONGEST_BEGINNING), strict=False):
            words = match.group().split()
            whole = [_full_word(word) for word in words]
            restored = sum(
                1
                for before, after in zip(words, whole, strict=True)
                if before != after and len(before) >= _FEWEST_LETTERS
            )
            if restored >= _FEWEST_KNOWN:
                yield "no_vowels", " ".join(whole)
    if signs & _MOVED_SIGN:
        yield "moved_letters", str(_MOVED.sub(lambda item: _moved_back(item.group(1)), text))


def _full_word(word: str) -> str:
    bare = word.strip(",.:;@").lower()
    return _skeletons().get(bare, _skeletons().get(bare[:1] + bare[1:].translate(_VOWELS), word))


@cache
def _skeletons() -> dict[str, str]:
    """Return words of orders by what is left without vowels, with their first letter and without.

    Where two words leave the same, the one of the stronger concept counts.
    """
    word_by_bare: dict[str, str] = {}
    for word in order_words():
        if word.isascii():
            word_by_bare.setdefault(word[:1] + word[1:].translate(_VOWELS), word)
            word_by_bare.setdefault(word.translate(_VOWELS), word)
    return {bare: word for bare, word in word_by_bare.items() if bare and bare != word}


def _moved_back(word: str) -> str:
    """Return a word with its beginning where it belongs; a known word, or with one letter moved."""
    known_words = vocabulary().words
    stems = [word, word[:-1]] if word[-1:].lower() in "wy" else [word]
    for stem in stems:
        for size in range(_LONGEST_BEGINNING + 1):
            turned = stem[len(stem) - size :] + stem[: len(stem) - size]
            if turned.lower() in known_words:
                return turned
    return word[-1:] + word[:-1]
