"""The header as it came, for those who must not be fooled by a friendly reading of it.

`tasks.core.parse.parsing` reads bad mail as well as it can. Who wrote a message may not rest on
that: what two programs read differently is what spoofing is made of, so here a field is either
plain or odd.
"""

from dataclasses import dataclass

from data.byte_patterns import octet_pattern

_NAME_OCTETS = bytes(octet for octet in range(33, 127) if octet != 58)
_BLANK = octet_pattern(rb"\r?\n\r?\n")
_MOST_OCTETS = 262_144
"""Bytes of a header block that are looked at; the reading stage refuses longer ones."""


@dataclass(frozen=True, slots=True)
class Field:
    """One header field (RFC 5322 section 2.2)."""

    name: str
    """Lower case; empty for a line that is no field."""
    value: bytes
    """What follows the colon, folds kept as CRLF, without the final one."""
    plain: bool = True
    """Whether the name is directly followed by its colon."""


def header_fields(raw: bytes) -> tuple[Field, ...]:
    """Return the fields of a message's header in order."""
    head = raw[:_MOST_OCTETS]
    if head.startswith((b"\r\n", b"\n")):
        return ()
    end = _BLANK.search(head)
    fields: list[tuple[str, list[bytes], bool]] = []
    for line in (head[: end.start()] if end else head).split(b"\n"):
        line = line.removesuffix(b"\r")
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1][1].append(line)
            continue
        name, colon, value = line.partition(b":")
        bare = name.rstrip(b" \t")
        good = bool(colon and bare) and not bare.translate(None, _NAME_OCTETS)
        if good:
            fields.append((bare.decode("ascii").lower(), [value], bare == name))
        elif line.strip():
            fields.append(("", [line], False))
    return tuple(Field(name, b"\r\n".join(lines), plain) for name, lines, plain in fields)


def fields_named(fields: tuple[Field, ...], name: str) -> tuple[Field, ...]:
    """Return the fields of that name (lower case), in order."""
    return tuple(field for field in fields if field.name == name)
