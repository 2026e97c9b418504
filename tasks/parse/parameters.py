"""Parameters of Content-Type and Content-Disposition, with RFC 2231 continuations and charsets.

The standard library reads them with `re` and in quadratic time (10 s for 20,000 pieces), and does
not decode the RFC 2047 words that many clients put where RFC 2231 belongs.
"""

from functools import lru_cache
from urllib.parse import unquote_to_bytes

import re2

from tasks.parse import limits
from tasks.parse.words import clean_line, decode_bytes, decode_header

Parameters = dict[str, str]
"""Names lower-cased, values decoded."""

_PARAMETER = re2.compile(rb';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))')


def read_parameters(octets: bytes, header: str, defects: list[str]) -> tuple[str, Parameters]:
    """Return the value before the first `;`, lower-cased, and the parameters.

    A parameter given twice keeps its first value and is noted: programs differ in which one they
    take, which is how a part is hidden from a filter. Octets after `limits.HEADER_LENGTH` are not
    looked at; reading refuses a message that has so many in one header.
    """
    value, parameters, found = _read(octets, header)
    defects.extend(found)
    return value, dict(parameters)


@lru_cache(maxsize=1024)
def _read(octets: bytes, header: str) -> tuple[str, Parameters, tuple[str, ...]]:
    """Return value, parameters and defects; remembered, because few values are written often."""
    defects: list[str] = []
    head, _, _ = octets.partition(b";")
    value = clean_line(head.decode("latin-1")).lower()
    plain: Parameters = {}
    pieces: dict[str, dict[int, tuple[bytes, bool]]] = {}
    for match in _PARAMETER.finditer(octets[len(head) : limits.HEADER_LENGTH]):
        name_octets, quoted, bare = match.groups()
        name = name_octets.decode("latin-1").lower()
        content = _unescape(quoted) if quoted is not None else bare.strip(b' \t\r"')
        if "*" in name:
            _collect(pieces, name, content)
        elif name in plain:
            defects.append(f"parameter {name[:40]!r} twice in {header}")
        else:
            plain[name] = decode_header(content, f"{header} {name[:40]}", defects)
    for name, numbered in pieces.items():
        plain[name] = _assemble(numbered, f"{header} {name[:40]}", defects)
    return value, plain, tuple(defects)


def _unescape(quoted: bytes) -> bytes:
    """Return the content of a quoted string; lone backslashes of Windows paths stay."""
    if b"\\" not in quoted:
        return quoted
    return quoted.replace(b'\\"', b'"').replace(b"\\\\", b"\\")


def _collect(pieces: dict[str, dict[int, tuple[bytes, bool]]], name: str, content: bytes) -> None:
    """Keep one RFC 2231 piece: `name*`, `name*0` or `name*0*`."""
    extended = name.endswith("*")
    stem, _, number = name.removesuffix("*").partition("*")
    if number and not (number.isascii() and number.isdigit() and len(number) <= 4):
        return
    pieces.setdefault(stem, {}).setdefault(int(number or 0), (content, extended))


def _assemble(numbered: dict[int, tuple[bytes, bool]], where: str, defects: list[str]) -> str:
    """Return the joined pieces; the first one may name the charset (RFC 2231 section 4.1)."""
    charset, joined = "", b""
    for position, number in enumerate(sorted(numbered)):
        content, extended = numbered[number]
        if extended and position == 0 and content.count(b"'") >= 2:
            declared, _, content = content.split(b"'", 2)
            charset = declared.decode("latin-1")
        joined += unquote_to_bytes(content) if extended else content
    return clean_line(decode_bytes(joined, charset, defects, where))
