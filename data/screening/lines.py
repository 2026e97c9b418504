"""Lines of a mail to running text: what was wrapped is joined, what stands apart stays apart."""

import re2

from data.screening.concepts import fold_plainly

SEPARATOR = "\x1e"
"""Stands between pieces of text that do not belong to one sentence."""
_WRAPPED = 52
"""A line at least this long, with no mark at its end, goes on in the next."""
_MOST_CHARACTERS = 60_000
"""What is read of a text; of a longer one the beginning, the middle and the end."""
# of bytes, for places in bytes need not be counted again as characters
_ADDRESS = re2.compile(rb"(?i)(?:https?://|www\.)[^\s)\]>\"']+|[\w.+\-]+@[\w\-]+\.[\w.\-]+")
_RUNS = re2.compile(rb"[-=_*#~.+ ]{6,}")
_ITEMS = ("-", "*", "•", "#", "[", "<", "|", "{", "`", "–")
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "…", ">", "]")


def lines_joined(text: str) -> str:
    """Return `text` in lower case on one line, addresses as one word each.

    Reads at most 60,000 characters, so that the work is bounded; what is quoted loses its marks.
    """
    if len(text) > _MOST_CHARACTERS:
        third, middle = _MOST_CHARACTERS // 3, len(text) // 2
        text = "\n\n".join(
            (text[:third], text[middle - third // 2 : middle + third // 2], text[-third:])
        )
    raw = text.encode()
    if b"://" in raw or b"@" in raw or b"www." in raw:
        raw = _without_addresses(raw)
    if _RUNS.search(raw) is not None:
        raw = _RUNS.sub(lambda _: b" --- ", raw)
    text = raw.decode()
    if "\n" not in text and "\r" not in text:
        return " ".join(fold_plainly(text).split())
    parts: list[str] = []
    goes_on = False
    for line in fold_plainly(text).splitlines():
        words = " ".join(line.lstrip("> \t").split())
        if parts and not (goes_on and words and not words.startswith(_ITEMS)):
            parts.append(SEPARATOR)
        parts.append(words)
        goes_on = len(words) >= _WRAPPED and not words.endswith(_ENDS)
    return " ".join(parts)


def _without_addresses(text: bytes) -> bytes:
    """Return UTF-8 with one word for each mail address, and another for each link."""
    parts: list[bytes] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        address = match.group()
        parts += text[end : match.start()], b" x " if _is_mailbox(address) else b" y "
        end = match.end()
    parts.append(text[end:])
    return b"".join(parts)


def _is_mailbox(address: bytes) -> bool:
    return b"@" in address and b"://" not in address
