"""Reading codes: base64, base32, hex, URL, HTML, quoted-printable, and what lies below them.

Whole texts that are turned are read by `ciphers`, codes of single letters by `letter_codes` and
`spelling_alphabets`, bytes in other printable characters by `ascii_armour`, strings of programs by
`program_text`, words in stars by `starred_words`, codes that are turned and single words in a code
by `turned_codes`.

Bounded: at most `MAX_BLOBS` pieces that decode to something, of `MAX_BYTES` each, among at most
`MAX_TRIED` characters of pieces, three layers deep, so that the work is linear in the message and
a decoder bomb does nothing. What does not read as text is not returned, and uses up no piece: a
mail may hold a hundred keys before the one that says something.
"""

import base64
import binascii
import codecs
import html
import quopri
import urllib.parse
from collections.abc import Callable, Iterator

import re2

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.ascii_armour import ARMOURED, armoured
from tasks.core.screen.disguises.ciphers import turned
from tasks.core.screen.disguises.damaged_bytes import mended
from tasks.core.screen.disguises.disguise_names import ALL, Disguises
from tasks.core.screen.disguises.escaped_lines import places_of
from tasks.core.screen.disguises.joining import undisguised
from tasks.core.screen.disguises.letter_codes import LETTERED, lettered
from tasks.core.screen.disguises.packed_bytes import MAX_BYTES, read_packed
from tasks.core.screen.disguises.program_text import WRITTEN, program_text
from tasks.core.screen.disguises.scrambled import unscrambled
from tasks.core.screen.disguises.spelling_alphabets import SPELLED, spelled_out
from tasks.core.screen.disguises.starred_words import STARRED, unstarred
from tasks.core.screen.disguises.turned_codes import PARTLY, partly
from tasks.core.screen.words.folding import keep_visible
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE

MAX_BLOBS = 120
MAX_TRIED = 600_000
MAX_ESCAPED = 100_000
MAX_DEPTH = 3
_TAIL = 8_000
"""Characters that are read of the end of a long piece."""
_LONG_BLOB = 60
"""Letters from which base64 is also read backwards and in rot13; links are mostly shorter."""
_FEWEST_SIGNS = 8
"""Different letters of base64; rulers have fewer."""
_OFFSET_BLOB = 44
"""Letters from which base64 is read from its second to fourth letter too: fewer hold no words."""

_BASE64 = compiled(r"[A-Za-z0-9+/_\-]{20,}={0,2}")
_BASE64_WRAPPED = compiled(r"(?:[A-Za-z0-9+/]{20,100}\r?\n(?:[ \t>]*))+[A-Za-z0-9+/]{4,100}={0,2}")
_BASE64_SHORT = compiled(r"(?:\b[A-Za-z0-9+/]{4} ){6,}[A-Za-z0-9+/]{2,4}={0,2}")
"""In groups of four letters."""
_BASE32 = compiled(r"\b(?:[A-Z2-7]{24,}|[a-z2-7]{24,})={0,6}")
_HEX = compiled(r"(?:(?:\\x|0x|\b)?[0-9A-Fa-f]{2}[ ,:;\s-]{0,3}){16,}")
_NOT_HEX = compiled(r"\\x|0x|[^0-9A-Fa-f]")
_URL = compiled(r"(?:%[0-9A-Fa-f]{2}[\pL0-9.,_\-+]*){4,}")
_HTML = compiled(r"(?:&(?:amp;)*#(?:x[0-9A-Fa-f]{1,6}|[0-9]{2,7});?[A-Za-z ]{0,3}){4,}")
_QUOPRI = compiled(r"(?:=[0-9A-F]{2}[A-Za-z ]{0,12}(?:=\r?\n)?){5,}")
_UNICODE = compiled(
    r"(?:(?:\\+u\{?|U\+|%u|\\+U0{3})[0-9A-Fa-f]{2,6}\}?[A-Za-z ]{0,3}){4,}"
    r"|(?:\\0{0,4}[0-9A-Fa-f]{2} ?){4,}"
)
_ESCAPED = compiled(
    r"%[0-9A-Fa-f]{2}|&#|&amp;#|=[0-9A-F]{2}|(?:\\u\{?|U\+|%u)[0-9A-Fa-f]{2}|\\[0U][0-9A-Fa-f]{3}"
    r"|(?:\\[0-9A-Fa-f]{2} ){3}"
)
_LONG_WORD_SIGN = GATE.watch(compiled(r"[A-Za-z0-9+/_\-]{20}"), kind="runs")
_SHORT_SIGN = GATE.watch(compiled(r"(?:\b[A-Za-z0-9+/]{4} ){6}"), kind="signs")
_HEX_SIGN = GATE.watch(compiled(r"[0-9A-Fa-f ,:;\\x\s-]{32}"), kind="hex")
_ESCAPED_SIGN = GATE.watch(_ESCAPED, kind="escapes")
CODED = (
    _LONG_WORD_SIGN | _SHORT_SIGN | _HEX_SIGN | _ESCAPED_SIGN | LETTERED | PARTLY | ARMOURED
    | WRITTEN | SPELLED | STARRED
)  # fmt: skip
"""Sign of a text that may hold codes."""
_WORDS = compiled(r"\pL{2,}[ ,.:;!?'\-]+\pL{2,}|[\p{Han}\p{Hiragana}\p{Katakana}]{4}")


def decoded(text: str, signs: int, undone: Disguises = ALL) -> Iterator[tuple[str, str]]:
    """Yield (code, plain text) for everything in `text` that decodes to words.

    `signs` is what `GATE` found in it.
    """
    yield from _layer(text, signs, 1, _Budget(undone))


class _Budget:
    """What is to be read of a text and of all that lies below it, and how much of it is left."""

    def __init__(self, undone: Disguises) -> None:
        self.undone = undone
        """Disguises and codes that are read."""
        self.pieces = MAX_BLOBS
        """Pieces that may still decode to something."""
        self.characters = MAX_TRIED
        """Characters of pieces that may still be tried."""
        self._tried: set[str] = set()

    def allows(self, piece: str) -> bool:
        """Whether a piece may be tried; links with the same key come several times."""
        if self.pieces <= 0 or self.characters <= 0 or piece in self._tried:
            return False
        self.characters -= len(piece)
        self._tried.add(piece)
        return True


def _layer(
    text: str, signs: int, depth: int, budget: _Budget, above: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield one layer of codes, what is disguised in it, and what lies below it.

    What was just turned by `above` is not turned back by it.
    """
    undone = budget.undone
    turned_here = turned(text, signs) if "ciphers" in undone and above != "reordered" else ()
    for code, plain in (
        *_pieces(text, signs, budget),
        *(turned_text for turned_text in turned_here if turned_text[0] != above),
        *(
            reading_made
            for name, reader in _READERS
            if name in undone
            for reading_made in reader(text, signs)
        ),
    ):
        if _WORDS.search(keep_visible(plain)) is not None:
            yield code, plain
        below = GATE.signs(plain)
        yield from ((code, other) for _, other in undisguised(plain, below, undone))
        if "scrambled" in undone and (ordered := unscrambled(plain)) is not None:
            yield code, ordered
        if depth < MAX_DEPTH:
            yield from _layer(plain, below, depth + 1, budget, code)


def _pieces(text: str, signs: int, budget: _Budget) -> Iterator[tuple[str, str]]:
    """Yield what the codes of this layer spell, until the budget is used up."""
    for sign, code, pattern, decoder in _BLOBS:
        if (
            code not in budget.undone
            or not signs & sign
            or (pattern is _BASE64_WRAPPED and "\n" not in text)
        ):
            continue
        for match in pattern.finditer(text):
            for piece in _head_and_tail(match.group()):
                if budget.allows(f"{code} {piece}") and (plain := decoder(piece)):
                    budget.pieces -= 1
                    yield code, plain
    if not signs & _ESCAPED_SIGN:
        return
    for code, pattern, decoder in _ESCAPES:  # letters and escapes mix, so what is around is read
        if code in budget.undone and budget.pieces > 0 and pattern.search(text) is not None:
            written = places_of(ends(text, MAX_ESCAPED), pattern)
            plain = decoder(written)
            if plain and plain != written:
                budget.pieces -= 1
                yield code, plain


def _head_and_tail(blob: str) -> tuple[str, ...]:
    """Return a piece, or its two ends when it is long; the second may begin within a byte."""
    return (blob,) if len(blob) <= MAX_BYTES else (blob[:MAX_BYTES], blob[-_TAIL:])


def _base64(blob: str) -> str:
    blob = "".join(blob.replace(">", "").split()).rstrip("=")
    if len(set(blob)) < _FEWEST_SIGNS:
        return ""
    long = len(blob) >= _LONG_BLOB
    for other in (blob, *((blob[::-1], codecs.encode(blob, "rot13")) if long else ())):
        plain_text = _base64_plain(other)
        if plain_text:
            return plain_text
    return _base64_within(blob) if len(blob) >= _OFFSET_BLOB else ""


def _base64_within(blob: str) -> str:
    """Return what base64 says from its second to fourth letter, after letters of something else."""
    return next(filter(None, (mended(_base64_bytes(blob[offset:])) for offset in (1, 2, 3))), "")


def _base64_plain(blob: str) -> str:
    return read_packed(_base64_bytes(blob))


def _base64_bytes(blob: str) -> bytes:
    """Return what base64 of either alphabet holds (RFC 4648 sections 4 and 5), else nothing."""
    blob = blob.replace("-", "+").replace("_", "/")
    blob = blob[: len(blob) - 1] if len(blob) % 4 == 1 else blob
    try:
        return base64.b64decode(blob + "=" * (-len(blob) % 4))
    except (binascii.Error, ValueError):
        return b""


def _base32(blob: str) -> str:
    blob = blob.rstrip("=")
    for other in (blob, blob[::-1]):
        try:
            raw = base64.b32decode(other + "=" * (-len(blob) % 8), casefold=True)
        except (binascii.Error, ValueError):
            continue
        if plain := read_packed(raw):
            return plain
    return ""


def _hex(blob: str) -> str:
    digits = _NOT_HEX.sub("", blob)
    digits = digits[: len(digits) // 2 * 2]
    if plain := read_packed(bytes.fromhex(digits)):
        return plain
    others = read_packed(bytes.fromhex(digits[::-1])), mended(bytes.fromhex(f"{digits[1:]}0"))
    return "\n\n".join(filter(None, others))  # one of them may be printable by chance


def _url(blob: str) -> str:
    for _ in range(MAX_DEPTH):  # quoted twice, it is no other code
        blob, before = urllib.parse.unquote_plus(blob), blob
        if blob == before:
            break
    return blob


def _html(blob: str) -> str:
    for _ in range(MAX_DEPTH):
        blob, before = html.unescape(blob), blob
        if blob == before:
            break
    return blob


def _quopri(blob: str) -> str:
    return read_packed(quopri.decodestring(blob.encode("utf-8", "replace")))


def _unicode(blob: str) -> str:
    return str(_UNICODE_ONE.sub(lambda item: _letter(next(filter(None, item.groups()))), blob))


def _letter(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


_UNICODE_ONE = compiled(
    r"(?:\\+u|U\+)\{([0-9A-Fa-f]{2,6})\}|(?:\\+|%)u([0-9A-Fa-f]{4})|U\+([0-9A-Fa-f]{4,5}) ?"
    r"|\\+U0{3}([0-9A-Fa-f]{5})|\\(0{0,4}[0-9A-Fa-f]{2,6}) ?"
)
_Decoder = Callable[[str], str]
_BLOBS: tuple[tuple[int, str, "re2._Regexp", _Decoder], ...] = (
    (_LONG_WORD_SIGN, "base64", _BASE64_WRAPPED, _base64),
    (_LONG_WORD_SIGN, "base64", _BASE64, _base64),
    (_SHORT_SIGN, "base64", _BASE64_SHORT, _base64),
    (_LONG_WORD_SIGN, "base32", _BASE32, _base32),
    (_HEX_SIGN, "hex", _HEX, _hex),
)
_READERS: tuple[tuple[str, Callable[[str, int], Iterator[tuple[str, str]]]], ...] = (
    ("letter_codes", lettered),
    ("turned_codes", partly),
    ("ascii_armour", armoured),
    ("program_text", program_text),
    ("spelling_alphabets", spelled_out),
    ("starred_words", unstarred),
)
"""Codes that are read by themselves: each is given a text and its signs."""
_ESCAPES: tuple[tuple[str, "re2._Regexp", _Decoder], ...] = (
    ("url", _URL, _url),
    ("html", _HTML, _html),
    ("quoted_printable", _QUOPRI, _quopri),
    ("unicode_escape", _UNICODE, _unicode),
)
