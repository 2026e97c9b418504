"""Words beside secrets, and beside numbers that look like secrets and are none."""

from functools import cache
from pathlib import Path

from data.word_lists import word_list


@cache
def secret_words(group: str) -> tuple[str, ...]:
    """Return the folded words of a group of `words.yaml`, longest first.

    Raises:
        KeyError: there is no such group.

    """
    return tuple(sorted(set(_groups()[group]), key=lambda word: (-len(word), word)))


@cache
def _groups() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = word_list(Path(__file__).with_name("words.yaml"))
    return groups
