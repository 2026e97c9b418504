"""Words in the path of a link, which are the name of what it leads to."""

from collections.abc import Sequence

from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.vocabulary import clean

LINK_WEIGHT = 0.25
"""What words count that a link leads by, as to an article of that name."""
_LONGEST = 200
"""Characters from where a link begins to the words that are looked for in it."""
_CHARACTERS = 32_000
"""A longer text is not searched for them."""


def in_link(text: str, words: Sequence[str]) -> bool:
    """Whether `words` stand in paths of links alone, joined by hyphens or underscores."""
    if "://" not in text or len(text) > _CHARACTERS:
        return False
    folded = fold(text)
    for mark in "-_":
        *before, last = folded.split(mark.join(words))
        if before:
            besides = " ".join(clean(" ".join((*before, last))).split())
            return all(map(_leads, before)) and " ".join(words) not in besides
    return False


def _leads(before: str) -> bool:
    """Whether a text ends within a link."""
    end = before[-_LONGEST:]
    return not end[-1:].isspace() and "://" in "".join(end.split()[-1:])
