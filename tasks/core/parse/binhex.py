"""BinHex 4.0, in which Macintosh programs wrote files into texts (RFC 1741).

A line names the format; what stands between two colons after it is a file in letters, with runs of
one octet shortened: a header with its name, then its data and its resources.
"""

from data.byte_patterns import octet_pattern

LEAD = b"(This file must be converted with BinHex"
"""How a file begins; what stands after it is the version."""
LONGEST = 50_000_000
"""Octets of a file that are unpacked: a run of three may stand for 255."""

_ALPHABET = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr"
_SIX_BITS = {letter: value for value, letter in enumerate(_ALPHABET)}
_OTHERS = bytes(sorted(set(range(256)) - set(_ALPHABET)))
_LINE = octet_pattern(rb"^:?[!-,\-0-689@A-NP-VX-Z\[`a-fh-mp-r]+:?$")
_RUN = 0x90
_BEHIND_NAME = 19
"""Octets of the header behind the name: version, type, creator, flags, two lengths."""


def read_binhex(lines: list[bytes], at: int) -> tuple[bytes, bytes, int]:
    """Return name and content of the file whose lines begin at `at`, and the line after it.

    The content is its data, or its resources when it has no data; empty when there is no file.
    """
    letters = bytearray()
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at >= len(lines) or not lines[at].startswith(b":"):
        return b"", b"", at
    closed = False
    while at < len(lines) and not closed:
        line = lines[at].strip()
        if line and _LINE.search(line) is None:
            break
        letters += line
        closed = line.endswith(b":") and len(letters) > 1
        at += 1
    name, content = _content(_expanded(_octets(bytes(letters))))
    return name, content, at


def _octets(letters: bytes) -> bytes:
    """Return what letters of six bits each say."""
    sixes = letters.translate(None, _OTHERS)
    sixes = sixes[: len(sixes) // 4 * 4 + (len(sixes) % 4 if len(sixes) % 4 > 1 else 0)]
    bits = bytearray()
    for start in range(0, len(sixes), 4):
        group = sixes[start : start + 4]
        number = 0
        for letter in group:
            number = number << 6 | _SIX_BITS[letter]
        number <<= 6 * (4 - len(group))
        bits += number.to_bytes(3, "big")[: len(group) * 6 // 8]
    return bytes(bits)


def _expanded(octets: bytes) -> bytes:
    """Return octets with runs written out; 0x90 with a count of zero stands for itself."""
    first, *pieces = octets.split(bytes((_RUN,)))
    result = bytearray(first)
    for piece in pieces:
        count = piece[0] if piece else 0
        if not count:
            result.append(_RUN)
        elif result:
            result += result[-1:] * (count - 1)
        result += piece[1:]
        if len(result) > LONGEST:
            break
    return bytes(result[:LONGEST])


def _content(octets: bytes) -> tuple[bytes, bytes]:
    """Return the name and the content that an unpacked file holds."""
    length = octets[0] if octets else 0
    begin = 1 + length + _BEHIND_NAME + 2
    if not 0 < length < 64 or len(octets) < begin:
        return b"", b""
    sizes = octets[begin - 10 : begin - 2]
    data, resources = int.from_bytes(sizes[:4], "big"), int.from_bytes(sizes[4:], "big")
    content = octets[begin : begin + data]
    if not content:
        content = octets[begin + data + 2 : begin + data + 2 + resources]
    return octets[1 : 1 + length], content
