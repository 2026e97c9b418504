"""Replacing letters beyond ASCII: `str.translate`, quick where there is little to replace."""

from collections.abc import Mapping

_ASCII = bytes(range(128))
_MOST_REPLACED = 16
"""Distinct letters up to which replacing one after the other is quicker than translating."""


def mapped(text: str, table: Mapping[int, str | int | None]) -> str:
    """Return `text.translate(table)`, quicker.

    `table` has no key in ASCII, and none of its values holds a key.
    """
    if text.isascii():
        return text
    raw = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    found = table.keys() & set(map(ord, raw.decode("utf-8", "surrogatepass")))
    if len(found) > _MOST_REPLACED:
        return text.translate(table)
    for code in found:
        other = table[code]
        text = text.replace(chr(code), chr(other) if isinstance(other, int) else other or "")
    return text
