"""Bytes in printable characters: uuencode, base85 in its three alphabets, UTF-7.

Base85 without marks looks like anything; it is read where a long run holds signs that neither
links nor base64 have, and is text only when what comes out is.
"""

import base64
import binascii
import string
from collections.abc import Iterator

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.letter_codes import text_of
from tasks.core.screen.disguises.packed_bytes import read_packed
from tasks.core.screen.disguises.turned_codes import each
from tasks.core.screen.words.pattern_gate import GATE

_PLACES = 5
_LONGEST_RUN = 5_000
"""Characters of a run that is tried in three alphabets."""
_UUENCODED = compiled(r"(?m)^begin [0-7]{3} [^\n]{1,80}\n((?:[ -`]{2,62}\r?\n)+)")
_ASCII85 = compiled(r"<~([!-uz\s]{20,})~>")
_UTF7 = compiled(r"\+([A-Za-z0-9+/]{3,})-|\+([A-Za-z0-9+/]{24,})\b")
_BARE = compiled(r"[!-~]{30,}(?:\r?\n[!-~]{30,})*(?:\r?\n[!-~]+)?")
_ODD = compiled(r"[<>^`{|}\[\]\\\"]")
"""Signs of base85 that stand in no link and in no base64."""
_FEWEST_ODD = 2
_MARKED_SIGN = GATE.watch(
    compiled(r"begin [0-7]{3} |<~[!-u]|\+[A-Za-z0-9+/]{3,}-|\+[A-Za-z0-9+/]{24}"), kind="signs"
)
_BARE_SIGN = GATE.watch(compiled(r"[!-~]{4}[<>^`{|}\[\]\\\"][!-~]{4}"), kind="signs")
ARMOURED = _MARKED_SIGN | _BARE_SIGN
"""Sign of a text that may hold one of these."""
_Z85 = f"{string.digits}{string.ascii_lowercase}{string.ascii_uppercase}.-:+=^!/*?&<>()[]{{}}@%$#"
_B85 = f"{string.digits}{string.ascii_uppercase}{string.ascii_lowercase}!#$%&()*+-;<=>?@^_`{{|}}~"
_TO_B85 = str.maketrans(_Z85, _B85)


def armoured(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for what is written in printable characters; `signs` are `GATE`'s."""
    if signs & _MARKED_SIGN:
        yield from each(_UUENCODED, text, "uuencode", _uudecoded, 1)
        yield from each(_ASCII85, text, "ascii85", _ascii85, 1)
        plain = str(
            _UTF7.sub(lambda item: _utf7(item.group(1) or item.group(2)) or item.group(), text)
        )
        if plain != text:
            yield "utf7", plain
    if signs & _BARE_SIGN:
        yield from _yield_bare_runs(text)


def _yield_bare_runs(text: str) -> Iterator[tuple[str, str]]:
    tried = 0
    for match in _BARE.finditer(text):
        run = "".join(match.group()[:_LONGEST_RUN].split())
        if len(_ODD.findall(run)) < _FEWEST_ODD:
            continue
        tried += 1
        if tried > _PLACES:
            return
        for decode in (base64.b85decode, _z85, base64.a85decode):
            try:
                plain = read_packed(decode(run))
            except (ValueError, OverflowError):
                continue
            if plain:
                yield "base85", plain


def _z85(piece: str) -> bytes:
    """Decode the alphabet of ZeroMQ's RFC 32."""
    return base64.b85decode(piece.translate(_TO_B85))


def _uudecoded(lines: str) -> str:
    raw = b""
    for line in lines.splitlines():
        try:
            raw += binascii.a2b_uu(line)
        except binascii.Error:
            return ""
    return text_of(raw)


def _ascii85(piece: str) -> str:
    try:
        return read_packed(base64.a85decode("".join(piece.split())))
    except ValueError:
        return ""


def _utf7(piece: str) -> str:
    """Return a shifted sequence of UTF-7 (RFC 2152) when it spells letters of one alphabet."""
    piece = piece[: len(piece) - (len(piece) % 4 == 1)]
    try:
        plain = base64.b64decode(piece + "=" * (-len(piece) % 4), validate=True).decode("utf-16-be")
    except (binascii.Error, ValueError):
        return ""
    letters = all(
        ord(letter) < 0x530 and (letter.isprintable() or letter.isspace()) for letter in plain
    )
    return plain if plain and letters else ""
