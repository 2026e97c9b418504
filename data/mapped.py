"""Replacing letters beyond ASCII: `str.translate`, quick where there is little to replace."""

from collections.abc import Iterable, Mapping

import numpy as np

_ASCII = bytes(range(128))
_MOST_REPLACED = 16
"""Distinct letters up to which replacing one after the other is quicker than translating."""
_LONG = 16_384
"""Letters from which an array of all that there are is quicker than a set."""
_LETTERS = 0x110000


def translate_text(text: str, table: Mapping[int, str | int | None]) -> str:
    """Return `text.translate(table)`, quicker.

    `table` has no key in ASCII, and none of its values holds a key.
    """
    if text.isascii():
        return text
    raw = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    letters_mapped = table.keys() & _distinct(raw.decode("utf-8", "surrogatepass"))
    if len(letters_mapped) > _MOST_REPLACED:
        return text.translate(table)
    for code in letters_mapped:
        other = table[code]
        text = text.replace(chr(code), chr(other) if isinstance(other, int) else other or "")
    return text


def _distinct(text: str) -> Iterable[int]:
    """Return the code points of the letters of a text, each once."""
    if len(text) < _LONG:
        return map(ord, set(text))
    met = np.zeros(_LETTERS, dtype=bool)
    met[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)] = True
    octets_met: list[int] = met.nonzero()[0].tolist()
    return octets_met
