"""Tag characters, which no font draws: each stands for one of ASCII (Unicode 16 section 23.9)."""

from collections.abc import Iterator
from itertools import groupby

_DISTANCE = 0xE0000
_FIRST, _LAST = _DISTANCE + 0x20, _DISTANCE + 0x7E


def is_tag(letter: str) -> bool:
    """Whether `letter` is a tag character that stands for one of ASCII."""
    return _FIRST <= ord(letter) <= _LAST


def spell_tags(tags: str) -> str:
    """Return what the tag characters in `tags` stand for; other characters are left out."""
    return "".join(chr(ord(letter) - _DISTANCE) for letter in tags if is_tag(letter))


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of `text` and whether each is made of tag characters."""
    for tagged, run in groupby(text, key=is_tag):
        yield tagged, "".join(run)
