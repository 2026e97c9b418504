"""Signs of an attachment's kind in its bytes, whatever its name and declared type say.

Nothing is unpacked or executed: beginnings of formats, names in a ZIP's directory (APPNOTE 4.3.12)
and of streams in a compound file ([MS-CFB] 2.6.1) tell enough. Every step is bounded, for the bytes
are somebody else's.
"""

import struct
from collections.abc import Iterator

HEAD = 65_536
"""Bytes at the beginning in which text-like signs are sought."""
SEARCHED = 16_000_000
"""Bytes of a compound file in which stream names are sought."""
ENTRIES = 2_000
"""Entries of a ZIP that are looked at."""
_DOS_HEADER = 64
"""Octets with which a program for DOS or Windows begins; some of them are zero."""
BEFORE_PDF = 1_024
"""Octets within which readers look for the beginning of a PDF."""
_WIDE = 200
"""Octets by which text of two octets for each letter is told."""

_PROGRAMS = (
    (b"\x7fELF", "program"),
    (b"\xca\xfe\xba\xbe", "program"),
    (b"\xcf\xfa\xed\xfe", "program"),
    (b"\xfe\xed\xfa\xcf", "program"),
    (b"L\x00\x00\x00\x01\x14\x02\x00", "shortcut"),
    (b"#!", "script"),
)
_FORMATS = (
    (b"%PDF-", "pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"Rar!\x1a\x07", "rar"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gzip"),
    (b"MSCF", "cab"),
    (b"{\\rt", "rtf"),  # Word opens what is cut so
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
)
_RUNS = (
    b".exe .scr .com .pif .bat .cmd .vbs .vbe .js .jse .wsf .wsh .hta .msi .ps1 .jar .lnk .cpl "
    b".url .iso .img .chm .dll .one"
).split()
_PAGE = (b"<html", b"<!doctype html", b"<script", b"<form", b"<svg")


def signs_of(octets: bytes) -> tuple[str, ...]:
    """Return what the bytes show, each once, in alphabetical order.

    `program`, `script`, `shortcut`, and the formats `pdf`, `ole`, `zip`, `rar`, `7z`, `gzip`,
    `cab`, `rtf`, `iso`, `image`, `page`; `macros` (a document with VBA), `encrypted` (its content
    cannot be looked into), `holds program` (an archive with something that runs), `active` (a PDF
    or RTF that does something when opened), `asks` (a page with a form or a password field),
    `scripted` (a page with a script).
    """
    return tuple(sorted(set(_signs(octets))))


def _signs(octets: bytes) -> Iterator[str]:
    head = octets[:HEAD]
    yield from (sign for magic, sign in _PROGRAMS if head.startswith(magic))
    if head.startswith(b"MZ") and b"\x00" in head[:_DOS_HEADER]:  # words may begin so
        yield "program"
    kinds = {kind for magic, kind in _FORMATS if head.startswith(magic)}
    if not kinds and b"\n%PDF-1." in head[:BEFORE_PDF] and b"%%EOF" in octets:
        kinds = {"pdf"}
    yield from kinds
    if octets[32_769:32_774] == b"CD001":
        yield "iso"
    if "zip" in kinds:
        yield from _zip(octets)
    if "ole" in kinds:
        yield from _compound(octets[:SEARCHED])
    if "pdf" in kinds:
        yield from _pdf(octets[:SEARCHED])
    if "rtf" in kinds and b"\\objdata" in octets[:SEARCHED]:
        yield "active"
    if head.startswith(b"Rar!\x1a\x07\x01\x00") and _rar5_encrypted(head):
        yield "encrypted"
    elif head.startswith(b"Rar!\x1a\x07\x00") and len(head) > 11 and head[10] & 0x80:
        yield "encrypted"  # MHD_PASSWORD: even the names are
    if not kinds:
        wide = head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[:_WIDE].count(b"\x00") * 3 > len(
            head[:_WIDE]
        )
        yield from _page((head.replace(b"\x00", b"") if wide else head).lower())


def _zip(octets: bytes) -> Iterator[str]:
    """Read names and flags of the central directory, found from the end as readers do."""
    at = octets.rfind(b"PK\x05\x06", max(0, len(octets) - 66_000))
    if at < 0 or at + 20 > len(octets):
        return
    size, place = struct.unpack_from("<II", octets, at + 12)
    if octets[place : place + 4] != b"PK\x01\x02":
        place = max(0, at - size)  # something stands before the archive
    for _ in range(ENTRIES):
        if octets[place : place + 4] != b"PK\x01\x02" or place + 46 > len(octets):
            return
        flags = struct.unpack_from("<H", octets, place + 8)[0]
        lengths = struct.unpack_from("<HHH", octets, place + 28)
        name = octets[place + 46 : place + 46 + lengths[0]].lower().rstrip(b". ")
        if flags & 1:
            yield "encrypted"
        if name.endswith((b"vbaproject.bin", b"xl/macrosheets/sheet1.xml")):
            yield "macros"
        if name.endswith(tuple(_RUNS)):
            yield "holds program"
        place += 46 + sum(lengths)


def _compound(octets: bytes) -> Iterator[str]:
    """Look for the names of streams, which a directory keeps in UTF-16."""
    if "_VBA_PROJECT".encode("utf-16-le") in octets:
        yield "macros"
    if "EncryptedPackage".encode("utf-16-le") in octets:
        yield "encrypted"


def _pdf(octets: bytes) -> Iterator[str]:
    if b"/Encrypt" in octets:
        yield "encrypted"
    if any(
        key in octets for key in (b"/JavaScript", b"/JS ", b"/JS(", b"/Launch", b"/EmbeddedFile")
    ):
        yield "active"


def _rar5_encrypted(head: bytes) -> bool:
    """Whether the first block says that the rest is encrypted (header type 4)."""
    return len(head) > 14 and head[13] == 4


def _page(head: bytes) -> Iterator[str]:
    if not any(mark in head for mark in _PAGE):
        return
    yield "page"
    if b"<form" in head or b'type="password"' in head or b"type=password" in head:
        yield "asks"
    if b"<script" in head or b"onload=" in head or b'http-equiv="refresh"' in head:
        yield "scripted"
