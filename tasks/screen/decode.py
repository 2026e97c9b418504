"""Reading codes: base64, base32, hex, rot13, URL, HTML, quoted-printable, reversed.

Bounded: at most `MAX_BLOBS` pieces of `MAX_BYTES` each, two layers deep, so that the work is linear
in the message and a decoder bomb does nothing. What does not read as text is not returned.
"""

import base64
import binascii
import codecs
import html
import quopri
import urllib.parse
from collections.abc import Callable, Iterator

import re2

from tasks.patterns import compiled
from tasks.screen.gate import GATE

MAX_BLOBS = 40
MAX_BYTES = 20_000
MAX_ESCAPED = 100_000
MAX_DEPTH = 2

_BASE64 = compiled(r"[A-Za-z0-9+/_\-]{20,}={0,2}")
_BASE64_WRAPPED = compiled(r"(?:[A-Za-z0-9+/]{60,76}\r?\n){1,}[A-Za-z0-9+/]{4,76}={0,2}")
_BASE32 = compiled(r"\b[A-Z2-7]{24,}={0,6}")
_HEX = compiled(r"(?:(?:\\x|0x|\b)?[0-9A-Fa-f]{2}[ ,:]?){16,}")
_NOT_HEX = compiled(r"\\x|0x|[^0-9A-Fa-f]")
_URL = compiled(r"(?:%[0-9A-Fa-f]{2}[A-Za-z0-9.,_\-+]*){4,}")
_HTML = compiled(r"(?:&#(?:x[0-9A-Fa-f]{2,6}|[0-9]{2,7});?[A-Za-z ]{0,3}){4,}")
_QUOPRI = compiled(r"(?:=[0-9A-F]{2}[A-Za-z ]{0,12}){5,}")
_UNICODE = compiled(r"(?:\\u[0-9A-Fa-f]{4}[A-Za-z ]{0,3}){4,}")
_ESCAPED = compiled(r"%[0-9A-Fa-f]{2}|&#|=[0-9A-F]{2}|\\u[0-9A-Fa-f]{4}")
_LONG_WORD_SIGN, _WRAPPED_SIGN, _BASE32_SIGN, _HEX_SIGN, _ESCAPED_SIGN = map(
    GATE.watch, (_BASE64, _BASE64_WRAPPED, _BASE32, _HEX, _ESCAPED)
)
CODED = _LONG_WORD_SIGN | _HEX_SIGN | _ESCAPED_SIGN
"""Sign of a text that may hold codes."""
_WORDS = compiled(r"\pL{2,}[ ,.:;!?'\-]+\pL{2,}")


def decoded(text: str, signs: int, coded_word: bool = False) -> Iterator[tuple[str, str]]:
    """Yield (code, plain text) for everything in `text` that decodes to words.

    Args:
        text: what may hold codes.
        signs: what `GATE` found in it.
        coded_word: whether it holds a telling word in rot13 or backwards; without one these
            two, which would change any text into something, are not tried.

    """
    budget = [MAX_BLOBS]
    yield from _layer(text, signs, 1, budget)
    if coded_word:
        yield "rot13", codecs.encode(text[:MAX_BYTES], "rot13")
        yield "reversed", text[:MAX_BYTES][::-1]


def _layer(text: str, signs: int, depth: int, budget: list[int]) -> Iterator[tuple[str, str]]:
    """Yield one layer of codes, and what lies below it."""
    for code, plain in _pieces(text, signs, budget):
        if _WORDS.search(plain) is not None:
            yield code, plain
        if depth < MAX_DEPTH:
            yield from _layer(plain, GATE.signs(plain), depth + 1, budget)


def _pieces(text: str, signs: int, budget: list[int]) -> Iterator[tuple[str, str]]:
    """Yield what the codes of this layer spell, until the budget is used up."""
    for sign, code, pattern, decoder in _BLOBS:
        if not signs & sign:
            continue
        for found in pattern.finditer(text):
            if budget[0] <= 0:
                return
            budget[0] -= 1
            plain = decoder(found.group()[:MAX_BYTES])
            if plain:
                yield code, plain
    if not signs & _ESCAPED_SIGN:
        return
    for code, pattern, decoder in _ESCAPES:  # letters and escapes mix, so the whole text is read
        if budget[0] > 0 and pattern.search(text) is not None:
            budget[0] -= 1
            plain = decoder(text[:MAX_ESCAPED])
            if plain and plain != text:
                yield code, plain


def _readable(raw: bytes) -> str:
    """Return the bytes as text when they are text, else an empty string."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    odd = sum(1 for letter in text[:400] if not letter.isprintable() and letter not in "\r\n\t")
    return text if odd * 20 <= len(text[:400]) else ""


def _base64(blob: str) -> str:
    blob = "".join(blob.split()).rstrip("=").replace("-", "+").replace("_", "/")
    blob = blob[: len(blob) - 1] if len(blob) % 4 == 1 else blob
    try:
        return _readable(base64.b64decode(blob + "=" * (-len(blob) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _base32(blob: str) -> str:
    blob = blob.rstrip("=")
    try:
        return _readable(base64.b32decode(blob + "=" * (-len(blob) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _hex(blob: str) -> str:
    digits = _NOT_HEX.sub("", blob)
    try:
        return _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    except ValueError:
        return ""


def _url(blob: str) -> str:
    return urllib.parse.unquote_plus(blob)


def _quopri(blob: str) -> str:
    return _readable(quopri.decodestring(blob.encode("utf-8", "replace")))


def _unicode(blob: str) -> str:
    return str(_UNICODE_ONE.sub(lambda found: chr(int(found.group(1), 16)), blob))


_UNICODE_ONE = compiled(r"\\u([0-9A-Fa-f]{4})")
_Decoder = Callable[[str], str]
_BLOBS: tuple[tuple[int, str, "re2._Regexp", _Decoder], ...] = (
    (_WRAPPED_SIGN, "base64", _BASE64_WRAPPED, _base64),
    (_LONG_WORD_SIGN, "base64", _BASE64, _base64),
    (_BASE32_SIGN, "base32", _BASE32, _base32),
    (_HEX_SIGN, "hex", _HEX, _hex),
)
_ESCAPES: tuple[tuple[str, "re2._Regexp", _Decoder], ...] = (
    ("url", _URL, _url),
    ("html", _HTML, html.unescape),
    ("quoted_printable", _QUOPRI, _quopri),
    ("unicode_escape", _UNICODE, _unicode),
)
