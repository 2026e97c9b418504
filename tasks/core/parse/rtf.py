"""The body that Outlook keeps as compressed RTF: unpacked, and read as HTML or text.

(MS-OXRTFCP for the compression, MS-OXRTFEX for HTML inside RTF.) Formatting is dropped.
"""

import struct

import re2

from tasks.core.patterns import compiled

RTF_BYTES = 4_000_000
"""Bytes of unpacked RTF that are read."""
_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss "
    b"\\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl"
    b"\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_INSTEAD = 10
"""Letters that may stand for one of Unicode."""
_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_TOKEN = compiled(
    r"\\(?:([a-z]{1,32})(-?[0-9]{1,10})? ?|('(?:[0-9a-fA-F]{2})?|[^a-z']))"
    r"|[\r\n]+|([{}]|[^\\{}\r\n]+)"
)
_WORDS = {
    "par": "\n", "line": "\n", "tab": "\t", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—", "cell": " | ", "row": "\n",
}  # fmt: skip
_SILENT = frozenset({
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "datastore",
    "colorschememapping", "listtable", "listoverridetable", "generator", "header", "footer",
    "mhtmltag", "fldinst", "pntext", "latentstyles", "xmlnstbl", "rsidtbl",
})  # fmt: skip


def decompress_rtf(octets: bytes, defects: list[str]) -> bytes:
    """Return unpacked RTF (MS-OXRTFCP section 2.1.3); what is cut ends early and is noted."""
    if len(octets) < 16:
        return b""
    _, _, kind, _ = struct.unpack_from("<IIII", octets)
    if kind == _PLAIN:
        return octets[16 : 16 + RTF_BYTES]
    if kind != _COMPRESSED:
        defects.append("RTF body of unknown form")
        return b""
    window = bytearray(_START.ljust(4_096, b"\x00"))
    write = len(_START)
    unpacked = bytearray()
    at, end = 16, len(octets)
    while at < end and len(unpacked) < RTF_BYTES:
        flags = octets[at]
        at += 1
        for bit in range(8):
            if flags >> bit & 1:
                if at + 2 > end:
                    return bytes(unpacked)
                reference = octets[at] << 8 | octets[at + 1]
                at += 2
                offset, length = reference >> 4, (reference & 15) + 2
                if offset == write:
                    return bytes(unpacked)
                piece = bytearray()
                for _ in range(length):
                    octet = window[offset]
                    window[write] = octet
                    piece.append(octet)
                    offset, write = (offset + 1) % 4_096, (write + 1) % 4_096
                unpacked += piece
            elif at < end:
                window[write] = octets[at]
                unpacked.append(octets[at])
                write = (write + 1) % 4_096
                at += 1
    if len(unpacked) >= RTF_BYTES:
        defects.append("RTF body is longer than is read")
    return bytes(unpacked)


def rtf_body(rtf: bytes) -> tuple[str, str]:
    """Return the HTML that an RTF body was made from, and its text; either may be empty."""
    source = rtf.decode("latin-1")
    text = _read(source)
    return (text, "") if "\\fromhtml" in source[:2_000] else ("", text)


class _Writer:
    """The text in the making; octets of a code page are kept until a whole letter is there."""

    def __init__(self, charset: str) -> None:
        self.pieces: list[str] = []
        self.octets = bytearray()
        self.charset = charset

    def write(self, text: str) -> None:
        """Add text."""
        if self.octets:
            self.pieces.append(self.octets.decode(self.charset, "replace"))
            self.octets.clear()
        self.pieces.append(text)


def _read(source: str) -> str:
    """Return the text of RTF; when it was made from HTML, that HTML."""
    encapsulated = "\\fromhtml" in source[:2_000]
    writer = _Writer(_charset(source))
    silent, opened = False, False
    skip, instead = 0, 1  # what stands behind a letter of Unicode, for readers without it (\\uc)
    stack: list[tuple[bool, int]] = []
    for match in _TOKEN.finditer(source):
        word, number, sign, text = match.groups()
        if text == "{":
            stack.append((silent, instead))
            opened, skip = True, 0
            continue
        if text == "}":
            silent, instead = stack.pop() if stack else (False, 1)
            skip = 0
        elif word:
            if word == "htmlrtf":
                silent = encapsulated and number != "0"
            elif word == "htmltag":
                silent = False
            elif word == "uc":
                instead = min(int(number or 1), _INSTEAD)
            elif opened and word in _SILENT:
                silent = True
            elif word == "u" and number and not silent:
                point = int(number) % 65_536
                writer.write("\ufffd" if 0xD800 <= point <= 0xDFFF else chr(point))
                skip = max(0, instead)
            elif word in _WORDS and not silent:
                writer.write(_WORDS[word])
        elif sign == "*":
            silent = silent or not source.startswith("\\htmltag", match.end())
            continue  # the word that follows still opens the group
        elif sign and len(sign) > 1 and not silent:
            if skip:
                skip -= 1
            else:
                writer.octets.append(int(sign[1:], 16))
        elif sign and not silent:
            writer.write({"~": "\u00a0", "_": "-", "\n": "\n", "-": ""}.get(sign, sign))
        elif text and not silent:
            writer.write(text[skip:])
            skip = max(0, skip - len(text))
        opened = False
    writer.write("")
    return "".join(writer.pieces)


def _charset(source: str) -> str:
    """Return the charset of the octets in RTF."""
    match = re2.search(r"\\ansicpg([0-9]{3,5})", source[:2_000])
    name = f"cp{match.group(1)}" if match else "cp1252"
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name
