"""Content-Transfer-Encoding undone (RFC 2045 section 6), broken ones as far as possible."""

import binascii

from data.byte_patterns import octet_pattern
from tasks.core.parse.words import decode_base64
from tasks.core.words.cleaning import clean_line

_WORD = 40
"""Octets of the longest word of prose; a line of base64 has 60 and more."""
_BLANKS = 12
"""Octets of prose among which one blank stands, at least."""
_FOOTER = 4_000
"""Octets at the end of a body in base64 in which a footer is looked for."""
_GAP = octet_pattern(rb"\S[ \t\r]*\n[ \t\r]*\n\s*")
_LONG = octet_pattern(rb"(?m)^[A-Za-z0-9+/=]{41,}[ \t\r]*$")
_SPOKEN = octet_pattern(rb"\w[.,:;]? +[\w(]")


def transfer_encoding(declared: bytes | None) -> str:
    """Return the encoding that a header value names, lower-cased; empty for none."""
    if declared is None:
        return ""
    plain = declared.partition(b";")[0].partition(b"(")[0]  # a comment may follow (RFC 2045, 6.1)
    return clean_line(plain.decode("latin-1")).strip("\"' ").lower()


def decode_transfer(body: bytes, declared: bytes | None, defects: list[str]) -> bytes:
    """Return the body of a part without the encoding that its header declares."""
    encoding = transfer_encoding(declared)
    if encoding == "base64":
        if _is_prose(body):
            defects.append("a part in plain text says that it is base64")
            return body
        end = _footer_start(body)
        return decode_base64(body[:end], defects, "a part") + body[end:]
    if encoding in ("quoted-printable", "quoted printable"):
        return binascii.a2b_qp(_with_plain_breaks(body))
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


def _with_plain_breaks(body: bytes) -> bytes:
    """Return quoted-printable without what stands behind a soft line break.

    The way here may have put blanks there (RFC 2045 section 6.7, rule 3), and one that ends in CR
    alone would swallow the line after it.
    """
    alone = body.count(b"=\r") != body.count(b"=\r\n")
    if not alone and b"= " not in body and b"=\t" not in body:
        return body
    lines = body.split(b"\n")
    for at, line in enumerate(lines):
        if line.endswith((b" ", b"\t", b"\r")) and (bare := line.rstrip(b" \t\r")).endswith(b"="):
            lines[at] = line = bare
        if alone and b"=\r" in line:
            lines[at] = line[:-1].replace(b"=\r", b"=\n") + line[-1:]
    return b"\n".join(lines)


def _footer_start(body: bytes) -> int:
    """Return where words begin that a list or a scanner has put below a body in base64.

    They stand below a blank line, and no line of base64 follows.
    """
    begin = max(0, len(body) - _FOOTER)
    end = body[begin:]
    for match in _GAP.finditer(end) if b" " in end else ():
        rest = end[match.end() :]
        if _SPOKEN.search(rest) is not None and _LONG.search(rest) is None:
            return begin + int(match.start()) + 1
    return len(body)


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
