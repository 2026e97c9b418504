"""Bytes to text: charsets, encoded words (RFC 2047) and the removal of control characters.

The standard library's `email.header.decode_header` runs `re` over the mail, decodes every word by
itself, which breaks a letter that a client cut between two words, and raises on what it cannot
read; so words are read here.
"""

import binascii
import codecs
from functools import lru_cache

import re2
from charset_normalizer import from_bytes

ENCODED_WORDS = 100
"""Encoded words of one header that are decoded; a header with more is shown as it came."""
GUESS_BYTES = 16_384
"""Bytes that the charset is guessed from; guessing costs about 1 ms per kB."""

_ASCII = bytes(range(128))
_WESTERN = (
    "€‚„…†‡‰‹›‘’“”•–—™\u00a0¡£§©ª«®°²´·º»¿ÀÁÂÃÄÅÆÇÈÉÊËÍÎÏÑÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëíîïñóôõöøùúûüŒœ"
).encode("cp1252")
_WESTERN_SHARE = 12
"""One octet of so many may be no ASCII in a text of Western Europe, whose letters are known.

In Central Europe, Turkey and the Baltic more are, and they include others; the statistics of
letters, which cost far more, take a few quotation marks for anything."""

# What mail declares against what it means: the names are subsets in theory, supersets in practice
# (WHATWG Encoding Standard, section 4.2), and some were never registered.
_MEANT = {
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}
_UNREGISTERED = {
    "unicode-1-1-utf-7": "utf-7",
    "ks_c_5601-1987": "cp949",
    "ansi": "cp1252",
    "utf8mb4": "utf-8",
    "iso-8859-8-i": "iso8859-8",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-gbk": "gb18030",
    "cp-850": "cp850",
    "windows-874": "cp874",
}
# Codecs that Python calls text though no mail is written in them; some are quadratic.
_NOT_MAIL = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})

_LINE_ENDS = re2.compile(r"[\x0b\x0c\x1c-\x1f\x{85}\x{2028}\x{2029}]")
"""What ends a line or a field without being a line feed; without it words would run together."""
_CONTROLS = re2.compile(r"[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{2028}\x{2029}\x{fffe}\x{ffff}]")
_WORD = re2.compile(rb"=\?([^?\s=*]{1,60})(?:\*[^?\s]{0,20})?\?([bBqQ])\?([^?]*)\?=")


@lru_cache(maxsize=256)
def codec_name(charset: str) -> str | None:
    """Return Python's codec for a declared charset, or None when it is not a charset of mail."""
    wanted = charset.strip().strip("\"'").lower()
    wanted = _UNREGISTERED.get(wanted, wanted)
    if not wanted or not wanted.isascii():
        return None
    try:
        found = codecs.lookup(wanted)
    except (LookupError, ValueError):
        return None
    if not found._is_text_encoding or found.name in _NOT_MAIL:
        return None
    return _MEANT.get(found.name, found.name)


def decode_bytes(octets: bytes, charset: str, defects: list[str], where: str) -> str:
    """Return `octets` as text; an unknown or wrong `charset` is replaced by a guess and noted."""
    if octets.isascii() and not charset:
        return octets.decode("ascii")
    codec = codec_name(charset) if charset else "utf-8"
    if codec is None:
        defects.append(f"unknown charset {charset[:40]!r} in {where}")
    else:
        try:
            return clean_surrogates(octets.decode(codec))
        except (UnicodeError, ValueError):
            note = f"charset {charset[:40]!r} does not fit" if charset else "no charset fits"
            defects.append(f"{note} in {where}")
    return _guess(octets)


def _guess(octets: bytes) -> str:
    """Return text in the likeliest charset: UTF-8, cp1252, else what letters' statistics say."""
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        pass
    other = octets.translate(None, _ASCII)
    if len(other) * _WESTERN_SHARE <= len(octets) and not other.translate(None, _WESTERN):
        return octets.decode("cp1252", "replace")
    best = from_bytes(octets[:GUESS_BYTES], steps=5, chunk_size=512).best()
    codec = codec_name(best.encoding) if best else None
    return clean_surrogates(octets.decode(codec or "cp1252", "replace"))


def clean_surrogates(text: str) -> str:
    """Return `text` with lone surrogates, which are no characters, replaced."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def clean_text(text: str) -> str:
    """Return `text` with LF as line end and without other control characters than tabs."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROLS.search(text) is None:
        return text
    return str(_CONTROLS.sub("", _LINE_ENDS.sub("\n", text)))


def clean_line(text: str) -> str:
    """Return `text` as one line: runs of white space and control characters become one space."""
    if text.isprintable():
        return " ".join(text.split()) if "  " in text or not text.isascii() else text.strip(" ")
    return " ".join(_CONTROLS.sub(" ", text).split())


def decode_header(octets: bytes, name: str, defects: list[str], charset: str = "") -> str:
    """Return an unfolded header value with its encoded words decoded, as one clean line.

    `charset` is the body's, in which clients write headers that they should have encoded.

    Adjoining words of one charset are joined before they are decoded, because clients cut letters
    in two; white space between two words is dropped (RFC 2047 section 6.2).
    """
    if b"=?" not in octets:
        if octets.isascii():
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
    held, held_charset, at = b"", "", 0
    for match in matches:
        between = octets[at : match.start()]
        declared = match.group(1).decode("ascii", "replace").lower()
        if (between.strip() or declared != held_charset) and held:
            pieces.append(decode_bytes(held, held_charset, defects, f"header {name}"))
            held = b""
        if between.strip() or not at:
            pieces.append(plain_text(between, name, defects, charset))
        held += _word_bytes(match.group(2), match.group(3), name, defects)
        held_charset, at = declared, match.end()
    pieces.append(decode_bytes(held, held_charset, defects, f"header {name}"))
    rest = octets[at:]
    if b"=?" in rest:
        defects.append(f"broken encoded word in header {name}")
    pieces.append(plain_text(rest, name, defects, charset))
    return clean_line("".join(pieces))


def plain_text(octets: bytes, name: str, defects: list[str], charset: str) -> str:
    """Return header bytes outside encoded words; RFC 6532 allows UTF-8, all else is odd."""
    if octets.isascii():
        return octets.decode("ascii")
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        defects.append(f"8-bit characters of no stated charset in header {name}")
        codec = codec_name(charset) if charset else None
        return clean_surrogates(octets.decode(codec or "cp1252", "replace"))


def _word_bytes(encoding: bytes, payload: bytes, name: str, defects: list[str]) -> bytes:
    """Return the octets of one encoded word (RFC 2047 section 4)."""
    if encoding in b"qQ":
        return binascii.a2b_qp(payload, header=True)
    return decode_base64(payload, defects, f"header {name}")


_NOT_BASE64 = bytes(
    sorted(
        set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    )
)
_WHITE = b" \t\r\n="


def decode_base64(octets: bytes, defects: list[str], where: str) -> bytes:
    """Return decoded base64 (RFC 4648); letters outside the alphabet are skipped and noted."""
    kept = octets.translate(None, _NOT_BASE64)
    if len(kept) != len(octets.translate(None, _WHITE)):
        defects.append(f"broken base64 in {where}")
    if len(kept) % 4 == 1:
        defects.append(f"cut base64 in {where}")
        kept = kept[:-1]
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))
