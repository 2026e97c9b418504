"""Content-Transfer-Encoding undone (RFC 2045 section 6), broken ones as far as possible."""

import binascii

from tasks.parse.words import decode_base64
from tasks.words.cleaning import clean_line

_WORD = 40
"""Octets of the longest word of prose; a line of base64 has 60 and more."""
_BLANKS = 12
"""Octets of prose among which one blank stands, at least."""


def transfer_encoding(declared: bytes | None) -> str:
    """Return the encoding that a header value names, lower-cased; empty for none."""
    if declared is None:
        return ""
    return clean_line(declared.decode("latin-1").partition(";")[0]).strip("\"' ").lower()


def decode_transfer(body: bytes, declared: bytes | None, defects: list[str]) -> bytes:
    """Return the body of a part without the encoding that its header declares."""
    encoding = transfer_encoding(declared)
    if encoding == "base64":
        if _is_prose(body):
            defects.append("a part in plain text says that it is base64")
            return body
        return decode_base64(body, defects, "a part")
    if encoding in ("quoted-printable", "quoted printable"):
        return binascii.a2b_qp(body)
    if encoding in ("x-uuencode", "uuencode", "x-uue"):
        return _uudecode(body, defects)
    if encoding not in ("", "7bit", "8bit", "binary"):
        defects.append(f"unknown Content-Transfer-Encoding {encoding[:40]!r}")
    return body


def _is_prose(body: bytes) -> bool:
    """Return whether a body that should be base64 is text as it stands: words, signs and blanks."""
    if max(map(len, body.split()), default=0) > _WORD:
        return False
    blanks = body.count(b" ")
    return blanks * _BLANKS >= len(body) > 0 and any(sign in body for sign in b".,;:?!'")


def _uudecode(octets: bytes, defects: list[str]) -> bytes:
    """Return uuencoded content; what cannot be read is left out and noted."""
    decoded, inside = bytearray(), False
    for line in octets.splitlines():
        if line.startswith(b"begin "):
            inside = True
        elif line.strip() == b"end":
            break
        elif inside:
            try:
                decoded += binascii.a2b_uu(line)
            except binascii.Error:
                defects.append("broken uuencode in a part")
                break
    return bytes(decoded)
