"""Makes TNEF files (`winmail.dat`) and compressed RTF for the tests."""

import struct

HTML_RTF = (
    rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}}"
    rb"{\*\generator Postern;}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 The gears "
    rb"{\*\htmltag84 <b>}\htmlrtf {\b\htmlrtf0 fit\htmlrtf }\htmlrtf0{\*\htmltag92 </b>}"
    rb"\'fcber\u8364?all.\htmlrtf\par}\htmlrtf0{\*\htmltag72 </p>}}"
)
PLAIN_RTF = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 First line\par Second \{line\}\tab end\par}"


def attribute(level: int, name: int, kind: int, data: bytes) -> bytes:
    """Return one attribute with its checksum (MS-OXTNEF section 2.1.3.2)."""
    head = struct.pack("<BHHI", level, name, kind, len(data))
    return head + data + struct.pack("<H", sum(data) & 0xFFFF)


def property_(name: int, kind: int, value: bytes) -> bytes:
    """Return one property of variable length."""
    return struct.pack("<HHII", kind, name, 1, len(value)) + value + b"\0" * (-len(value) % 4)


def properties(*each: bytes) -> bytes:
    """Return a list of properties."""
    return struct.pack("<I", len(each)) + b"".join(each)


def tnef(*attributes: bytes) -> bytes:
    """Return a TNEF file of these attributes."""
    start = attribute(1, 0x9006, 8, struct.pack("<I", 0x10000))
    page = attribute(1, 0x9007, 6, struct.pack("<II", 1252, 0))
    return struct.pack("<IH", 0x223E9F78, 1) + start + page + b"".join(attributes)


def message(*each: bytes) -> bytes:
    """Return the attribute that holds the message's properties."""
    return attribute(1, 0x9003, 6, properties(*each))


def file(name: str, content: bytes, long_name: str = "", content_type: str = "") -> bytes:
    """Return the attributes of one attached file."""
    each = []
    if long_name:
        each.append(property_(0x3707, 0x1F, (long_name + "\0").encode("utf-16-le")))
    if content_type:
        each.append(property_(0x370E, 0x1E, content_type.encode() + b"\0"))
    return (
        attribute(2, 0x9002, 6, b"\0" * 14)
        + attribute(2, 0x8010, 1, name.encode("cp1252") + b"\0")
        + attribute(2, 0x800F, 6, content)
        + (attribute(2, 0x9005, 6, properties(*each)) if each else b"")
    )


def packed(rtf: bytes) -> bytes:
    """Return RTF in its compressed form, every octet a literal (MS-OXRTFCP section 2.2)."""
    body = b"".join(b"\0" + rtf[at : at + 8] for at in range(0, len(rtf), 8))
    end = (207 + len(rtf)) % 4096
    body += b"\1" + struct.pack(">H", end << 4) if len(rtf) % 8 == 0 else b""
    return struct.pack("<IIII", len(body) + 12, len(rtf), 0x75465A4C, 0) + body
