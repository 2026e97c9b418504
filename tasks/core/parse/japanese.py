"""Japanese text with the letters of vendors: ①, ㈱, 髙, and katakana of half width.

ISO-2022-JP and EUC-JP are written with them every day, and Python's codecs know them in Shift JIS
only (WHATWG Encoding Standard, section 12: the index jis0208 has them in all three). So such text
is rewritten as Shift JIS, which is arithmetic.
"""

from collections.abc import Iterator

JAPANESE = frozenset({
    "euc_jp", "iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3",
    "iso2022_jp_ext", "cp932",
})  # fmt: skip
"""Python's codecs for Japanese."""
_ESCAPE = b"\x1b"


def decode_japanese(octets: bytes, codec: str) -> str | None:
    """Return text that Python's own codec refuses, or None when it is something else."""
    if codec not in JAPANESE or codec == "cp932":
        return None
    if codec != "euc_jp" and not octets.isascii():
        return None  # ISO-2022-JP has seven bits
    pieces = _extended_unix(octets) if codec == "euc_jp" else _escaped(octets)
    try:
        return b"".join(pieces).decode("cp932")
    except UnicodeDecodeError:
        return None


def _escaped(octets: bytes) -> Iterator[bytes]:
    """Yield ISO-2022-JP as Shift JIS; an escape says what the octets after it are (RFC 1468)."""
    head, *rest = octets.split(_ESCAPE)
    yield head
    for piece in rest:
        if piece.startswith((b"$B", b"$@")):
            yield _doubled(piece[2:])
        elif piece.startswith(b"(I"):
            yield bytes(octet | 0x80 if octet > 0x20 else octet for octet in piece[2:])
        elif piece.startswith((b"(B", b"(J")):
            yield piece[2:]
        else:
            yield b"\xff"  # another set of letters: no Shift JIS


def _doubled(octets: bytes) -> bytes:
    """Return pairs of 7-bit octets as Shift JIS; line ends between them stay."""
    result = bytearray()
    at = 0
    while at < len(octets):
        first, second = octets[at], octets[at + 1 : at + 2]
        if 0x21 <= first <= 0x7E and second and 0x21 <= second[0] <= 0x7E:
            result += _as_shift_jis(first, second[0])
            at += 2
        else:
            result.append(first)
            at += 1
    return bytes(result)


def _extended_unix(octets: bytes) -> Iterator[bytes]:
    """Yield EUC-JP as Shift JIS; its third set, which few mails use, has no place there."""
    at = 0
    while at < len(octets):
        pair = octets[at : at + 2]
        if pair[0] < 0x80:
            yield pair[:1]
            at += 1
            continue
        if len(pair) < 2 or pair[1] < 0xA1:
            yield b"\xff"
        elif pair[0] == 0x8E:
            yield pair[1:]
        elif 0xA1 <= pair[0] <= 0xFE:
            yield _as_shift_jis(pair[0] & 0x7F, pair[1] & 0x7F)
        else:
            yield b"\xff"
        at += 2


def _as_shift_jis(row: int, cell: int) -> bytes:
    """Return a letter of JIS X 0208, given by its 7-bit octets, in Shift JIS."""
    first = ((row - 0x21) >> 1) + (0x81 if row <= 0x5E else 0xC1)
    odd_row = cell + (0x1F if cell < 0x60 else 0x20)
    return bytes((first, odd_row if row % 2 else cell + 0x7E))
