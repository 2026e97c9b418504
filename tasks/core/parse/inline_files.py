"""Files in the text of a mail: uuencoded, in the base64 of `uuencode -m`, in yEnc, in BinHex.

They are older than MIME (POSIX `uuencode`; yEnc 1.3; BinHex 4.0). A file is only what begins
with the line of its format, goes on with lines that its format allows, and holds something.
"""

import binascii
from dataclasses import dataclass

from data.byte_patterns import octet_pattern
from tasks.core.parse.binhex import LEAD, read_binhex
from tasks.core.parse.words import decode_base64

FILES = 100
"""Files of one text that are taken out of it."""
BEGINS = (b"begin ", b"begin-base64 ", b"=ybegin ", LEAD)
"""How files begin."""
_UU = octet_pattern(rb"^begin(-base64)? +([0-7]{3,4}) +(\S.*)$")
_YENC = octet_pattern(rb"^=ybegin(?: +[a-z]+=[0-9]+)+ +name=(\S.*)$")
_UU_LINE = octet_pattern(rb"^[ -`]+$")
_BASE64_LINE = octet_pattern(rb"^[A-Za-z0-9+/]+={0,2}$")
_LOST = 8
"""Spaces at the end of a line, each a zero, that may have been lost on the way."""
_SHIFTED = bytes((octet - 42) % 256 for octet in range(256))


@dataclass(frozen=True, slots=True)
class InlineFile:
    """A file out of a text."""

    name: bytes
    """Its name, in whatever charset."""
    data: bytes


def cut_files(octets: bytes) -> tuple[bytes, list[InlineFile]]:
    """Return the text without the files in it, and the files in order."""
    if not any(mark in octets for mark in BEGINS):
        return octets, []
    lines = octets.splitlines(keepends=True)
    kept_lines: list[bytes] = []
    files: list[InlineFile] = []
    at = 0
    while at < len(lines):
        inline_file = None
        if lines[at].startswith(BEGINS) and len(files) < FILES:
            inline_file = file_at(lines, at)
        if inline_file is None:
            kept_lines.append(lines[at])
            at += 1
        else:
            file, at = inline_file
            files.append(file)
    return b"".join(kept_lines) if files else octets, files


def file_at(lines: list[bytes], at: int) -> tuple[InlineFile, int] | None:
    """Return the file that begins at line `at` and the line after its end, or None."""
    head = lines[at].rstrip(b"\r\n")
    name: bytes
    if head.startswith(LEAD):
        name, data, end = read_binhex(lines, at + 1)
    elif (match := _UU.search(head)) is not None:
        data, end = (_base64 if match.group(1) else _uu)(lines, at + 1)
        name = match.group(3)
    elif (match := _YENC.search(head)) is not None:
        data, end = _yenc(lines, at + 1)
        name = match.group(1)
    else:
        return None
    return (InlineFile(name.strip(), data), end) if data else None


def _uu(lines: list[bytes], at: int) -> tuple[bytes, int]:
    """Return uuencoded content and the line after it; spaces at line ends may have been lost."""
    decoded = bytearray()
    while at < len(lines):
        line = lines[at].rstrip(b"\r\n")
        if line.strip() == b"end":
            return bytes(decoded), at + 1
        octets = _uu_line(line)
        if octets is None:
            break
        decoded += octets
        at += 1
    return bytes(decoded), at


def _uu_line(line: bytes) -> bytes | None:
    """Return what a line says, or None when it is none: its first letter tells its length."""
    if _UU_LINE.search(line) is None:
        return None
    count = (line[0] - 32) & 63
    letters = (count + 2) // 3 * 4
    if len(line) - 1 > letters + 2:  # some programs add a checksum
        return None
    if len(line) - 1 < letters - _LOST and count > _LOST:
        return None
    try:
        return binascii.a2b_uu(line[: 1 + letters].ljust(1 + letters))
    except binascii.Error:
        return None


def _base64(lines: list[bytes], at: int) -> tuple[bytes, int]:
    """Return base64 content and the line after it."""
    letters = bytearray()
    while at < len(lines):
        line = lines[at].rstrip(b"\r\n")
        if line == b"====":
            at += 1
            break
        if _BASE64_LINE.search(line) is None:
            break
        letters += line
        at += 1
    return decode_base64(bytes(letters), [], ""), at


def _yenc(lines: list[bytes], at: int) -> tuple[bytes, int]:
    """Return yEnc content and the line after it; without its last line all the rest is content."""
    coded = bytearray()
    while at < len(lines) and not lines[at].startswith(b"=yend"):
        line = lines[at].rstrip(b"\r\n")
        if not line.startswith(b"=ypart "):
            coded += line
        at += 1
    first, *escaped = bytes(coded).split(b"=")
    decoded = first.translate(_SHIFTED)
    pieces = [decoded]
    for piece in escaped:
        pieces.append(bytes(((octet - 64 - 42) % 256) for octet in piece[:1]))
        pieces.append(piece[1:].translate(_SHIFTED))
    return b"".join(pieces), at + 1
