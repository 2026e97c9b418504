"""Lines of a text in which words are written wrong, with these put right."""

from collections.abc import Callable

from tasks.core.screen.words.head_and_tail import ends

_CHARACTERS = 32_000
"""Characters of a text that are looked at, at its two ends."""
_AROUND = ".,;:!?()[]{}<>\"'*_«»„“”"


def put_right(text: str, meant: Callable[[str], str], fewest: int) -> str | None:
    """Return the lines in which words are wrong, with these put right; None with too few.

    Args:
        text: as it came.
        meant: what a word is meant to be, which comes without the marks around it; nothing where
            it is no other word.
        fewest: how many different words must be wrong.

    """
    text = ends(text, _CHARACTERS)
    written = {word: word.strip(_AROUND) for word in set(text.split())}
    whole_by_bare = {bare: whole for bare in set(written.values()) if (whole := meant(bare))}
    if len(set(whole_by_bare.values())) < fewest:
        return None
    right = {
        word: word.replace(bare, whole_by_bare[bare])
        for word, bare in written.items()
        if bare in whole_by_bare
    }
    lines = (line.split() for line in text.split("\n"))
    return "\n".join(
        " ".join(right.get(word, word) for word in line)
        for line in lines
        if any(map(right.__contains__, line))
    )
