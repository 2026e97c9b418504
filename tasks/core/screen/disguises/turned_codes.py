"""Codes that were themselves turned, and single words of a text written in a code.

What is found here is given back in the text it stood in, or as the code that lies below.
"""

import base64
import binascii
import codecs
import string
from collections.abc import Callable, Iterator

import re2

from tasks.core.patterns import compiled
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE

_BYTES = 20_000
_CHARACTERS = 32_000
"""Characters of a text whose words are looked at, at its two ends."""
_WORDS = 400
"""Words of a text that are tried."""
_FEWEST, _SHORTEST = 2, 4
"""Words that must be read, and letters that they have."""
_LETTERS = frozenset(string.ascii_letters)
_BACKWARDS = compiled(
    r"(?:[0-9A-Fa-f]{2}x\\[ ,]{0,2}){8,}|(?:;[0-9A-Fa-f]{1,6}x?#&[A-Za-z ]{0,2}){8,}"
    r"|(?:[0-9A-Fa-f]{2}%){8,}|(?:[0-9A-F]{2}=){8,}|(?:[0-9A-Fa-f]{4}u\\ ?){8,}"
)
_ROTATED = compiled(
    r"(?:\\k[0-9n-sN-S]{2}[ ,]?){8,}|(?:&#k[0-9n-sN-S]{1,5};){6,}|(?:%[0-9n-sN-S]{2}){8,}"
    r"|\b(?:[0-9n-sN-S]{2}[ ,:-]?){16,}"
)
_BACKWARDS_SIGN = GATE.watch(
    compiled(r"[0-9A-Fa-f]{2}x\\[0-9 ,]|;[0-9A-Fa-f]{1,6}x?#&|[0-9A-Fa-f]{4}u\\[0-9]"),
    compiled(r"(?:[0-9A-Fa-f]{2}[%=]){4}"),
    kind="escapes",
)
_ROTATED_SIGN = GATE.watch(
    compiled(r"\\k[0-9]|&#k[0-9n-s]|(?:%[0-9][0-9n-s]){4}"),
    compiled(r"(?:[0-9][0-9n-sN-S]){8}"),
    kind="escapes",
)
_BEFORE = r"(^|[\s\"'(>])"
_CODED_WORD = compiled(
    rf"{_BEFORE}([A-Za-z0-9]*[a-z][A-Z0-9][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*={{0,2}}"
    r"|(?:[4-7][0-9a-fA-F]){5,}|[A-Z2-7]*[A-Z][2-7][A-Z2-7]+={0,6})"
)
"""Words in base64, hex or base32: letters high and low with figures between, as few words have."""
_CODED_WORD_SIGN = GATE.watch(
    compiled(
        rf"{_BEFORE}(?:[A-Za-z0-9]*[a-z][A-Z0-9][A-Za-z0-9]*[A-Z0-9]"
        r"|(?:[4-7][0-9a-fA-F]){5}|[A-Z2-7]*[A-Z][2-7][A-Z2-7])"
    )
)
PARTLY = _BACKWARDS_SIGN | _ROTATED_SIGN | _CODED_WORD_SIGN
"""Sign of a text that may hold one of these."""


def partly(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for what is turned or coded word by word in `text`."""
    if not signs & PARTLY:
        return
    if signs & _BACKWARDS_SIGN:
        yield from each(_BACKWARDS, text, "reversed", lambda piece: piece[::-1])
    if signs & _ROTATED_SIGN:
        yield from each(_ROTATED, text, "rot13", lambda piece: codecs.encode(piece, "rot13"))
    if signs & _CODED_WORD_SIGN:
        yield from _by_words(text)


def each(
    pattern: "re2._Regexp", text: str, code: str, undo: Callable[[str], str], group: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for the first five places of a pattern that `undo` makes something of."""
    for match, _ in zip(pattern.finditer(text), range(5), strict=False):
        plain = undo(match.group(group)[:_BYTES])
        if plain:
            yield code, plain


def _by_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines in which words are written in a code, with these words written plainly."""
    text = ends(text, _CHARACTERS)
    read: dict[str, str] = {}
    for match, _ in zip(_CODED_WORD.finditer(text), range(_WORDS), strict=False):
        word = match.group(2)
        plain = _plain_word(word)
        if plain != word:
            read[word] = plain
    if len(read) < _FEWEST:
        return
    lines = [line for line in text.split("\n") if any(word in line for word in read)]
    whole = "\n".join(lines)
    for word, plain in read.items():
        whole = whole.replace(word, plain)
    yield "coded_words", whole


def _plain_word(word: str) -> str:
    """Return what a word says in base64, hex or base32 when that is a word too, else the word."""
    bare = word.rstrip("=")
    if bare.isalpha() and (bare.islower() or (bare.isupper() and len(word) % 8) or bare.istitle()):
        return word
    for decode in (_base64, _hex, _base32):
        try:
            plain = decode(bare).decode("utf-8").rstrip(".,;:!?")
        except (binascii.Error, ValueError):
            continue
        if (
            len(plain) >= _SHORTEST
            and plain.isalpha()
            and (plain.islower() or plain.istitle() or plain.isupper())
            and (not plain.isascii() or _LETTERS.issuperset(plain))
        ):
            return plain
    return word


def _base64(word: str) -> bytes:
    return base64.b64decode(word + "=" * (-len(word) % 4), validate=True)


def _hex(word: str) -> bytes:
    return bytes.fromhex(word)


def _base32(word: str) -> bytes:
    return base64.b32decode(word + "=" * (-len(word) % 8))
