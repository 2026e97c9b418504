"""Header values and text without control characters: encoded words (RFC 2047), base64.

The standard library's `email.header.decode_header` runs `re` over the mail, decodes every word by
itself, which breaks a letter that a client cut between two words, and raises on what it cannot
read; so words are read here.
"""

import binascii

from data.byte_patterns import octet_pattern
from tasks.core.parse.charsets import decode_bytes, decode_shifted, decode_undeclared
from tasks.core.words.cleaning import clean_line

ENCODED_WORDS = 100
"""Encoded words of one header that are decoded; a header with more is shown as it came."""

_WORD = octet_pattern(
    rb"=\?([^?\s=*]{1,60})(?:\*[^?\s]{0,20})?\?"
    rb"(?:[bB]\?([^?]*)|[qQ]\?((?:[^?=]|=[^?]|\?+[^?=])*?\?*?))(?:\?=|\?\s*$|\s*$)"
)
"""An encoded word; the last one may have lost its end, as cut values do.

In quoted letters some programs leave a question mark as it is (`=?utf-8?Q?Ready??=`)."""


def decode_header(octets: bytes, name: str, defects: list[str], charset: str = "") -> str:
    """Return an unfolded header value with its encoded words decoded, as one clean line.

    `charset` is the body's, in which clients write headers that they should have encoded.

    Adjoining words of one charset are joined before they are decoded, because clients cut letters
    in two; white space between two words is dropped (RFC 2047 section 6.2).
    """
    if b"=?" not in octets:
        if octets.isascii() and b"\x1b$" not in octets:
            return clean_line(octets.decode("ascii"))
        return clean_line(plain_text(octets, name, defects, charset))
    matches = list(_WORD.finditer(octets))
    if not matches:
        defects.append(f"broken encoded word in header {name}")
        return clean_line(plain_text(octets, name, defects, charset))
    if len(matches) > ENCODED_WORDS:
        defects.append(f"more than {ENCODED_WORDS} encoded words in header {name}")
        return clean_line(plain_text(octets, name, defects, charset))
    pieces: list[str] = []
    octets_held, held_charset, at = b"", "", 0
    for match in matches:
        between = octets[at : match.start()]
        declared = match.group(1).decode("ascii", "replace").lower()
        if (between.strip() or declared != held_charset) and octets_held:
            pieces.append(decode_bytes(octets_held, held_charset, defects, f"header {name}"))
            octets_held = b""
        if between.strip() or not at:
            pieces.append(plain_text(between, name, defects, charset))
        octets_held += _word_bytes(match.group(2), match.group(3), name, defects)
        held_charset, at = declared, match.end()
    pieces.append(decode_bytes(octets_held, held_charset, defects, f"header {name}"))
    rest = octets[at:]
    if b"=?" in rest or not matches[-1].group().endswith(b"?="):
        defects.append(f"broken encoded word in header {name}")
    pieces.append(plain_text(rest, name, defects, charset))
    return clean_line("".join(pieces))


def plain_text(octets: bytes, name: str, defects: list[str], charset: str) -> str:
    """Return header bytes outside encoded words; RFC 6532 allows UTF-8, all else is odd."""
    if b"\x1b$" in octets and (shifted := decode_shifted(octets)) is not None:
        return shifted
    if octets.isascii():
        return octets.decode("ascii")
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        defects.append(f"8-bit characters of no stated charset in header {name}")
        return decode_undeclared(octets, charset)


def _word_bytes(base64: bytes | None, quoted: bytes | None, name: str, defects: list[str]) -> bytes:
    """Return the octets of one encoded word (RFC 2047 section 4), in whichever form it came."""
    if base64 is None:
        return binascii.a2b_qp(quoted or b"", header=True)
    return decode_base64(base64, defects, f"header {name}")


_NOT_BASE64 = bytes(
    sorted(
        set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
    )
)
_WHITE = b" \t\r\n"


def decode_base64(octets: bytes, defects: list[str], where: str) -> bytes:
    """Return decoded base64 (RFC 4648); letters outside the alphabet are skipped and noted.

    What follows a padding is read for itself: programs encode piece by piece, each with its own.
    """
    octets_kept = octets.translate(None, _NOT_BASE64)
    if len(octets_kept) != len(octets.translate(None, _WHITE)):
        defects.append(f"broken base64 in {where}")
    decoded: list[bytes] = []
    for piece in filter(None, octets_kept.split(b"=")):
        whole = piece
        if len(piece) % 4 == 1:
            defects.append(f"cut base64 in {where}")
            whole = piece[:-1]
        decoded.append(binascii.a2b_base64(whole + b"=" * (-len(whole) % 4)))
    return b"".join(decoded)
