"""Head and tail of a long text: what a model is shown of it, and what is looked into for codes."""

from collections.abc import Sequence

_HEAD_OF_FOUR = 3
_WORDS = 5_000
"""Words of each end."""


def ends(text: str, most: int) -> str:
    """Return at most `most` characters of `text`: of a longer one its two ends, a paragraph each.

    Three quarters are its head. `tasks.core.asking.model_view` cuts in the same shares; whoever
    reads at least as much as it shows misses nothing that a model reads.
    """
    if len(text) <= most:
        return text
    head = (most - 2) * _HEAD_OF_FOUR // 4
    return f"{text[:head]}\n\n{text[len(text) - (most - 2 - head) :]}"


def end_words(words: Sequence[str]) -> Sequence[str]:
    """Return the 5,000 words of each of the two ends of a longer text, and all of another."""
    return words if len(words) <= 2 * _WORDS else (*words[:_WORDS], *words[-_WORDS:])
