"""The text of decoded bytes, packed or not, and only where they are text.

Sound UTF-8 or UTF-16 first; what is neither is left to `damaged_bytes`.
Bounded: of what is packed the first `MAX_BYTES` are read, so a bomb does nothing.
"""

import bz2
import lzma
import zlib

from tasks.core.screen.disguises.damaged_bytes import mended
from tasks.core.screen.words.folding import keep_visible

MAX_BYTES = 20_000
_LZMA_MEMORY = 16 << 20
_WIDE, _ALPHABETS = 40, 2
"""Bytes by which UTF-16 is told: every second one is the same, but for spaces."""
_LETTER = 4
"""Bytes of the longest letter."""
_SHORTEST = 12
"""Bytes of a text whose last letter may be cut."""
_ZLIB = (b"\x1f\x8b", b"x\x01", b"x\x9c", b"x\xda")
_BEGIN = 400


def read_packed(raw: bytes) -> str:
    """Return the bytes as text when they are text, packed or not, else an empty string."""
    whole = unpack_bytes(raw)
    plain = _text_in(whole, "utf-8")
    if not plain and len(raw) > 8:
        if len(set(raw[1:_WIDE:2])) <= _ALPHABETS:
            return _text_in(raw, "utf-16-le")  # as shells write commands
        if len(set(raw[0:_WIDE:2])) <= _ALPHABETS:
            return _text_in(raw, "utf-16-be")
        return _text_in(_inflated(raw, -zlib.MAX_WBITS), "utf-8") or mended(whole)
    return plain


def _text_in(raw: bytes, encoding: str) -> str:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < max(len(raw) - _LETTER, _SHORTEST):
            return ""
        text = raw[: error.start].decode(encoding)  # cut within its last letter
    begin = keep_visible(text[:_BEGIN])
    odd = sum(1 for letter in begin if not letter.isprintable() and letter not in "\r\n\t")
    return text if odd * 20 <= len(begin) else ""


def unpack_bytes(raw: bytes) -> bytes:
    """Return the beginning of what gzip, zlib, bzip2 or xz packed, else `raw`.

    By RFC 1952, RFC 1950, and the first bytes of the two others.
    """
    if raw[:2] in _ZLIB:
        return _inflated(raw, zlib.MAX_WBITS | 32) or raw
    try:
        if raw[:3] == b"BZh":
            return bz2.BZ2Decompressor().decompress(raw, MAX_BYTES)
        if raw[:6] == b"\xfd7zXZ\x00" or raw[:3] == b"]\x00\x00":
            return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY).decompress(raw, MAX_BYTES)
    except (OSError, EOFError, lzma.LZMAError):
        return raw
    return raw


def _inflated(raw: bytes, window: int) -> bytes:
    """Return the beginning of what Deflate packed (RFC 1951); nothing when it is none."""
    try:
        return zlib.decompressobj(window).decompress(raw, MAX_BYTES)
    except zlib.error:
        return b""
