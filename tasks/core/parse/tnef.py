"""The body and the attachments that Outlook packs into `winmail.dat` (TNEF, MS-OXTNEF).

Why not tnefparse: it takes counts from the file on trust (four thousand million properties in a
hundred bytes are a hang, or all memory), copies the rest of the file for every attribute, and keeps
neither the charset nor the name of what it fails on. Here every length is checked against what is
there, and an attribute that is broken costs that attribute alone. The same files are read
with both in tests/core/reading/test_parse_tnef.py.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from tasks.core.parse.charsets import codec_name, decode_bytes
from tasks.core.parse.rtf import decompress_rtf, rtf_body
from tasks.core.words.cleaning import clean_line, clean_text

SIGNATURE = 0x223E9F78
ATTRIBUTES = 5_000
"""Attributes of a file that are read."""
PROPERTIES = 2_000
"""Properties of an attribute that are read."""
ATTACHMENTS = 200
"""Attachments that are unpacked."""

_BODY, _SUBJECT, _CODE_PAGE, _MESSAGE_PROPERTIES = 0x800C, 0x8004, 0x9007, 0x9003
_BEGIN_ATTACHMENT, _TITLE, _DATA, _ATTACHMENT_PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
_P_BODY, _P_HTML, _P_RTF, _P_SUBJECT, _P_CHARSET = 0x1000, 0x1013, 0x1009, 0x0037, 0x3FDE
_P_LONG_NAME, _P_NAME, _P_TYPE, _P_OBJECT, _P_CONTENT_ID = 0x3707, 0x3704, 0x370E, 0x3701, 0x3712
_FIXED = {
    0x02: 2, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 2, 0x14: 8, 0x40: 8,
    0x48: 16,
}  # fmt: skip
_UNICODE, _MANY = 0x1F, 0x1000
_COUNTED = frozenset({0x0D, 0x1E, _UNICODE, 0x102})


def is_tnef(content_type: str, name: str) -> bool:
    """Whether an attachment of this type and lower-cased file name is a TNEF file."""
    return content_type in ("application/ms-tnef", "application/vnd.ms-tnef") or name == (
        "winmail.dat"
    )


@dataclass
class TnefAttachment:
    """One file inside."""

    name: str = ""
    content_type: str = "application/octet-stream"
    data: bytes = b""


@dataclass
class Tnef:
    """What a TNEF file holds."""

    text: str = ""
    """The plain body."""
    html: str = ""
    """The HTML body, as such or out of RTF."""
    subject: str = ""
    attachments: list[TnefAttachment] = field(default_factory=list)


class _CutError(ValueError):
    """The file ends, or a length leads beyond its end."""


def read_tnef(octets: bytes, defects: list[str]) -> Tnef:
    """Return what a TNEF file holds; what is broken is left out and noted."""
    tnef = Tnef()
    if len(octets) < 6 or struct.unpack_from("<I", octets)[0] != SIGNATURE:
        defects.append("TNEF attachment is no TNEF")
        return tnef
    charset = "cp1252"
    try:
        for name, data in _attributes(octets):
            if name == _CODE_PAGE and len(data) >= 4:
                charset = _charset(struct.unpack_from("<I", data)[0])
            elif name == _BODY:
                tnef.text = tnef.text or _string(data, charset)
            elif name == _SUBJECT:
                tnef.subject = _string(data, charset)
            elif name == _MESSAGE_PROPERTIES:
                _message(data, charset, tnef, defects)
            elif name == _BEGIN_ATTACHMENT and len(tnef.attachments) < ATTACHMENTS:
                tnef.attachments.append(TnefAttachment())
            elif tnef.attachments:
                _attachment(name, data, charset, tnef.attachments[-1], defects)
    except _CutError:
        defects.append("TNEF attachment is cut")
    tnef.attachments = [
        attachment for attachment in tnef.attachments if attachment.data or attachment.name
    ]
    return tnef


def _attributes(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield name and data of each attribute (MS-OXTNEF section 2.1.3.2)."""
    at, count = 6, 0
    while at + 9 <= len(octets) and count < ATTRIBUTES:
        _, name, _, length = struct.unpack_from("<BHHI", octets, at)
        at += 9
        _unpack(f"<{length}s", octets, at)
        yield name, octets[at : at + length]
        at += length + 2
        count += 1


def _message(data: bytes, charset: str, tnef: Tnef, defects: list[str]) -> None:
    """Take bodies and subject out of the message's properties."""
    values = dict(_properties(data, defects))
    code = values.get(_P_CHARSET)
    page = _charset(struct.unpack("<I", code[1])[0]) if code and len(code[1]) == 4 else charset
    if body := values.get(_P_BODY):
        tnef.text = _text(*body, page)
    if subject := values.get(_P_SUBJECT):
        tnef.subject = _text(*subject, page)
    if html := values.get(_P_HTML):
        tnef.html = _text(*html, page)
    if (packed := values.get(_P_RTF)) and not tnef.html:
        html_body, text = rtf_body(decompress_rtf(packed[1], defects))
        tnef.html = clean_text(html_body)
        tnef.text = tnef.text or clean_text(text)


def _attachment(
    name: int, data: bytes, charset: str, tnef_attachment: TnefAttachment, defects: list[str]
) -> None:
    """Take name, type and bytes of an attachment out of one of its attributes."""
    if name == _TITLE:
        tnef_attachment.name = tnef_attachment.name or _string(data, charset)
    elif name == _DATA:
        tnef_attachment.data = data
    elif name == _ATTACHMENT_PROPERTIES:
        values = dict(_properties(data, defects))
        for property_id in (_P_NAME, _P_LONG_NAME):
            if value := values.get(property_id):
                tnef_attachment.name = clean_line(_text(*value, charset)) or tnef_attachment.name
        if value := values.get(_P_TYPE):
            tnef_attachment.content_type = (
                clean_line(_text(*value, charset)).lower() or tnef_attachment.content_type
            )
        if (value := values.get(_P_OBJECT)) and not tnef_attachment.data:
            tnef_attachment.data = value[1][16:]  # behind the identifier of the interface


def _properties(data: bytes, defects: list[str]) -> Iterator[tuple[int, tuple[int, bytes]]]:
    """Yield id, type and first value of each property (MS-OXTNEF section 2.1.3.4)."""
    try:
        (count,) = _unpack("<I", data, 0)
        at = 4
        for _ in range(min(count, PROPERTIES)):
            kind, name = _unpack("<HH", data, at)
            at += 4
            if name >= 0x8000:
                at = _skip_name(data, at)
            many, kind = bool(kind & _MANY), kind & ~_MANY
            values = 1
            if many or kind in _COUNTED:
                (values,) = _unpack("<I", data, at)
                at += 4
            value = b""
            for number in range(min(values, len(data))):
                size = _FIXED.get(kind)
                if size is None:
                    (size,) = _unpack("<I", data, at)
                    at += 4
                _unpack(f"<{size}s", data, at)
                value = data[at : at + size] if number == 0 else value
                at += size + -size % 4
            yield name, (kind, value)
    except _CutError:
        defects.append("properties of a TNEF attachment are broken")


def _skip_name(data: bytes, at: int) -> int:
    """Return where the value of a named property begins."""
    _, kind = _unpack("<16sI", data, at)
    if kind == 0:
        return at + 24
    (length,) = _unpack("<I", data, at + 20)
    return at + 24 + int(length) + -int(length) % 4


def _unpack(form: str, data: bytes, at: int) -> tuple[int, ...]:
    if at + struct.calcsize(form) > len(data):
        raise _CutError
    return struct.unpack_from(form, data, at)


def _text(kind: int, value: bytes, charset: str) -> str:
    """Return a property as text."""
    return _string(value, "utf-16-le" if kind == _UNICODE else charset)


def _string(octets: bytes, charset: str) -> str:
    """Return a string that ends with NUL."""
    text = decode_bytes(octets, charset, [], "TNEF")
    return clean_text(text.rstrip("\x00"))


def _charset(code_page: int) -> str:
    """Return the charset of a code page of Windows."""
    charsets = {
        65001: "utf-8",
        20127: "ascii",
        20866: "koi8-r",
        21866: "koi8-u",
        28591: "iso8859-1",
    }
    name = charsets.get(code_page, f"cp{code_page}")
    return name if codec_name(name) else "cp1252"
