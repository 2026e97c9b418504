"""Parameters of Content-Type and Content-Disposition, with RFC 2231 continuations and charsets.

The standard library reads them with `re` and in quadratic time (10 s for 20,000 pieces), and does
not decode the RFC 2047 words that many clients put where RFC 2231 belongs.

They are taken apart as bytes and decoded afterwards: a raw name in windows-1251 is still a name.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from urllib.parse import unquote_to_bytes

from data.byte_patterns import octet_pattern
from tasks.core.parse import limits
from tasks.core.parse.charsets import decode_bytes
from tasks.core.parse.words import decode_header
from tasks.core.words.cleaning import clean_line

MimeParameters = dict[str, str]
"""Names lower-cased, values decoded."""
SPELLINGS = 20
"""Names of one file that are kept."""

_PARAMETER = octet_pattern(rb';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))')
_TRAIL = octet_pattern(rb'([^\x81-\xfe](?:[\x81-\xfe]{2})*[\x81-\xfe])\\"(\s*(?:;|$))')
"""A quotation mark that ends a value behind a letter of Shift-JIS, GBK or Big5 that ends with 0x5C.

Before it stand letters of two octets, so that this one belongs to a letter and escapes nothing."""
_LOOSE = octet_pattern(rb"(?is)\b((?:file)?name)\s*=\s*(.*)")
_VALUE = octet_pattern(
    rb'(?i);\s*(?:file)?name\s*=\s*(?:"([^"\\;]*)"([^\s;"(]+)|([^\s;"][^;"]*[\s(][^;"]*))'
)
"""A name with more behind its closing quotation mark, or unquoted with blanks or a comment."""
_FILE_NAMES = ("filename", "name")
_AROUND = b" \t\r\"'"


@dataclass(frozen=True, slots=True)
class _Pieces:
    """What a header gives for one parameter, in bytes."""

    plain: list[bytes] = field(default_factory=list)
    """Values given under the plain name, in order."""
    numbered: dict[int, tuple[bytes, bool]] = field(default_factory=dict)
    """RFC 2231 pieces by number, and whether each is percent-encoded."""


def read_parameters(
    octets: bytes, header: str, defects: list[str], charset: str = ""
) -> tuple[str, MimeParameters]:
    """Return the value before the first `;`, lower-cased, and the parameters.

    A parameter given twice keeps its first value and is noted: programs differ in which one they
    take, which is how a part is hidden from a filter. Octets after `limits.HEADER_LENGTH` are not
    looked at. `charset` is what raw 8-bit values are written in where they are no UTF-8.
    """
    value, parameters, notes = _read(octets, header, charset)
    defects.extend(notes)
    return value, dict(parameters)


def raw_parameter(octets: bytes, name: str) -> bytes:
    """Return the first value of a parameter as the bytes that stand there, empty for none.

    For what is compared with bytes, as a boundary is (RFC 2046 section 5.1.1).
    """
    pieces = _taken_apart(octets)[1].get(name)
    if pieces is None:
        return b""
    return _join_pieces(pieces)[0] if pieces.numbered else pieces.plain[0]


def file_names(values: tuple[bytes, ...], charset: str) -> tuple[str, ...]:
    """Return every name that a program may show for a part, those of the first header first.

    `values` are its Content-Disposition and its Content-Type. Given twice, given plainly beside an
    encoded form, not separated by a semicolon, without its closing quote or with more behind it, or
    without quotes before a blank or a comment, or with backslashes, a name is read by some programs
    and not by others; what may be opened under any of them is judged by all.
    """
    name_values = [octets for octets in values if b"name" in octets.lower()]
    names = (clean_name(name) for octets in name_values for name in _spelt(octets, charset))
    return tuple(dict.fromkeys(name for name in names if name))[:SPELLINGS]


def clean_name(name: str) -> str:
    """Return a file name without folders, and without the dots and spaces that systems ignore."""
    return clean_line(name).replace("\\", "/").rsplit("/", 1)[-1].strip(". ")


def _spelt(octets: bytes, charset: str) -> Iterator[str]:
    """Yield the names of a file in one header; some programs end a name at a zero octet."""
    _, pieces_by_name, _ = _taken_apart(octets)
    other_pieces = _taken_apart(octets, as_octets=True)[1] if _escapes(octets) else {}
    readings = (pieces_by_name, other_pieces) if other_pieces else (pieces_by_name,)
    for parameter, reading in product(_FILE_NAMES, readings):
        pieces = reading.get(parameter)
        if pieces is None:
            continue
        if pieces.numbered:
            joined = _join_pieces(pieces)
            yield _decoded(*joined, "", [], charset)
            yield _decoded(joined[0].partition(b"\x00")[0], joined[1], "", [], charset)
        for plain in pieces.plain:
            yield decode_header(plain, "", [], charset)
            yield decode_header(plain.partition(b"\x00")[0], "", [], charset)
            if b"\\" in plain:  # a backslash before any letter escapes it (RFC 5322, 3.2.1)
                yield decode_header(plain.replace(b"\\", b""), "", [], charset)
    for match in _VALUE.finditer(octets[: limits.HEADER_LENGTH]):
        quoted, behind, bare = (part or b"" for part in match.groups())
        for name in (quoted + behind,) if quoted else (bare.partition(b"(")[0], *bare.split()[:1]):
            yield decode_header(name.strip(_AROUND), "", [], charset)
    for match in _LOOSE.finditer(octets[: limits.HEADER_LENGTH]):
        rest = match.group(2)
        closed = rest.find(b'"', 1) if rest.startswith(b'"') else -1
        if rest.startswith(b'"') and closed < 0:
            yield decode_header(rest.strip(_AROUND), "", [], charset)
        elif match.group(1).lower().decode("ascii") not in pieces_by_name:
            loose = rest[1:closed] if closed > 0 else rest.partition(b";")[0]
            yield decode_header(loose.strip(_AROUND), "", [], charset)


@lru_cache(maxsize=1024)
def _read(octets: bytes, header: str, charset: str) -> tuple[str, MimeParameters, tuple[str, ...]]:
    """Return value, parameters and defects; remembered, because few values are written often."""
    value, pieces_by_name, twice = _taken_apart(octets)
    defects = [f"parameter {name[:40]!r} twice in {header}" for name in twice]
    read: MimeParameters = {}
    for name, pieces in pieces_by_name.items():
        where = f"{header} {name[:40]}"
        if pieces.numbered:
            read[name] = _decoded(*_join_pieces(pieces), where, defects, charset)
        else:
            read[name] = decode_header(pieces.plain[0], where, defects, charset)
    return value, read, tuple(defects)


def _taken_apart(
    octets: bytes, *, as_octets: bool = False
) -> tuple[str, dict[str, _Pieces], list[str]]:
    """Return the value, what is given for each parameter, and the names that are given twice.

    `as_octets` takes every backslash for one, as programs do that know no letters of two octets.
    """
    octets = octets if as_octets else _without_false_escapes(octets)
    head, _, _ = octets.partition(b";")
    value = clean_line(head.partition(b"(")[0].decode("latin-1")).lower()
    pieces_by_name: dict[str, _Pieces] = {}
    twice: list[str] = []
    for match in _PARAMETER.finditer(octets[len(head) : limits.HEADER_LENGTH]):
        name_octets, quoted, bare = match.groups()
        name = name_octets.decode("latin-1").lower()
        content = _unescape(quoted) if quoted is not None else _without_comment(name, bare)
        stem, star, number = name.removesuffix("*").partition("*")
        if "*" not in name:
            pieces = pieces_by_name.setdefault(name, _Pieces())
            if pieces.plain:
                twice.append(name)
            pieces.plain.append(content)
        elif not star or not number or (number.isascii() and number.isdigit() and len(number) < 5):
            numbered = pieces_by_name.setdefault(stem, _Pieces()).numbered
            numbered.setdefault(int(number or 0), (content, name.endswith("*")))
    return value, pieces_by_name, twice


def _without_comment(name: str, bare: bytes) -> bytes:
    """Return an unquoted value without the comment behind it: `us-ascii (Plain text)`.

    RFC 2045 section 5.1 allows it; in the name of a file brackets are part of it.
    """
    plain = bare if name.startswith(_FILE_NAMES) else bare.partition(b" (")[0]
    return plain.strip(b' \t\r"')


def _without_false_escapes(octets: bytes) -> bytes:
    """Return a header in which no second octet of a letter escapes the quotation mark behind it."""
    return octets if not _escapes(octets) else _TRAIL.sub(rb'\1\\\\"\2', octets)


def _escapes(octets: bytes) -> bool:
    """Return whether a quotation mark may be escaped by the second octet of a letter."""
    return b'\\"' in octets and not octets.isascii()


def _unescape(quoted: bytes) -> bytes:
    """Return the content of a quoted string; lone backslashes of Windows paths stay."""
    if b"\\" not in quoted:
        return quoted
    return quoted.replace(b'\\"', b'"').replace(b"\\\\", b"\\")


def _join_pieces(pieces: _Pieces) -> tuple[bytes, str]:
    """Return the joined pieces and the charset that the first one names (RFC 2231 section 4.1)."""
    charset, joined = "", b""
    for position, number in enumerate(sorted(pieces.numbered)):
        content, extended = pieces.numbered[number]
        if extended and position == 0 and content.count(b"'") >= 2:
            declared, _, content = content.split(b"'", 2)
            charset = declared.decode("latin-1")
        joined += unquote_to_bytes(content) if extended else content
    return joined, charset


def _decoded(joined: bytes, declared: str, where: str, defects: list[str], charset: str) -> str:
    """Return joined pieces as text.

    Pieces without a charset may hold encoded words, which are decoded when all are together: some
    programs write a long word first and cut it for RFC 2231 afterwards.
    """
    if declared:
        return clean_line(decode_bytes(joined, declared, defects, where))
    return decode_header(joined, where, defects, charset)
