"""The header of an entity: its fields as they came, folds undone, and where the body begins."""

from functools import lru_cache

from tasks.core.parse import limits as limits

_NAME_OCTETS = bytes(octet for octet in range(33, 127) if octet != 58)
STRAY_LINES = 50
"""Lines below a stray one in which the header may go on."""
_WRITERS = frozenset({"from", "sender", "reply-to"})
_OF_EVERY_MESSAGE = frozenset({
    "from", "to", "subject", "date", "message-id", "mime-version", "content-type",
    "content-transfer-encoding", "content-disposition",
})  # fmt: skip


def split_headers(
    octets: bytes, defects: list[str]
) -> tuple[list[tuple[str, bytes]], bytes, bytes]:
    """Return the header fields, the body after the first blank line, and lines that are neither."""
    if octets.startswith((b"\n", b"\r\n")):
        return [], octets[1:] if octets.startswith(b"\n") else octets[2:], b""
    end, body_at = _blank_line(octets)
    if end < 0 and len(octets) > limits.HEADER_BLOCK:
        raise limits.refuse("header_block", limits.HEADER_BLOCK)
    block = octets[:end] if end >= 0 else octets
    headers: list[tuple[str, bytes]] = []
    stray: list[bytes] = []
    lines = block.split(b"\n")
    at = 0
    for number, line in enumerate(lines):
        start, colon, value = line.partition(b":")
        if headers and line.startswith((b" ", b"\t")):
            _extend(headers, line, defects)
        elif name := _field_name(start, bool(colon)):
            headers.append((name, _bounded(name, value.strip(b" \t\r"), defects)))
            if len(headers) > limits.HEADER_COUNT:
                raise limits.refuse("header_count", limits.HEADER_COUNT)
        elif (line.startswith((b"From ", b">From ")) and not headers) or not line.strip():
            pass  # the separator line of an mbox file, or the end of a message without a body
        elif _goes_on(lines[number + 1 : number + 1 + STRAY_LINES], headers):
            defects.append("a line of the header is no header field")
            stray.append(line)
        else:
            defects.append("the header ends without a blank line")
            return headers, octets[at:], b"\n".join(stray)
        at += len(line) + 1
    return headers, octets[body_at:], b"\n".join(stray)


def _goes_on(below: list[bytes], headers: list[tuple[str, bytes]]) -> bool:
    """Whether a header goes on below a line that is no field.

    So it does when the next line is a field, or when one follows that every message has. Those that
    this one has already do not count: a text that begins without a blank line above it quotes them.
    """
    had = {name for name, _ in headers} & _OF_EVERY_MESSAGE
    names = [_field_name(line.partition(b":")[0], b":" in line) for line in below]
    if names and names[0] and names[0] not in had:
        return True
    return any(name in _OF_EVERY_MESSAGE and name not in had for name in names)


def _blank_line(octets: bytes) -> tuple[int, int]:
    """Return where the first blank line begins and where what follows it does; -1 for none."""
    most = limits.HEADER_BLOCK + 4
    blank_lines = [
        (at, at + len(mark))
        for mark in (b"\n\n", b"\n\r\n")
        if (at := octets.find(mark, 0, most)) >= 0
    ]
    return min(blank_lines, default=(-1, len(octets)))


@lru_cache(maxsize=1024)
def _field_name(name: bytes, colon: bool) -> str:
    """Return the lower-cased name of a header field, or "" when it is none."""
    name = name.rstrip(b" \t")
    if not colon or not name or name.translate(None, _NAME_OCTETS):
        return ""
    return name.decode("ascii").lower()


def _bounded(name: str, value: bytes, defects: list[str]) -> bytes:
    """Return a value up to its limit; what is beyond is noted, and the rest of the mail is read.

    Who wrote a mail is not read by halves: there the limit refuses.
    """
    if len(value) > limits.HEADER_LENGTH:
        if name in _WRITERS:
            raise limits.refuse("header_length", limits.HEADER_LENGTH)
        defects.append(f"header {name[:40]} is longer than is read")
    return value[: limits.HEADER_LENGTH]


def _extend(headers: list[tuple[str, bytes]], line: bytes, defects: list[str]) -> None:
    """Add a folded line to the last header (RFC 5322 section 2.2.3)."""
    name, value = headers[-1]
    if len(value) < limits.HEADER_LENGTH:
        line = line.strip(b" \t\r")
        headers[-1] = (name, _bounded(name, value + b" " + line if value else line, defects))
    elif not line.isspace():
        _bounded(name, value + b" ", defects)
