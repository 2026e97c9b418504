"""Head and tail of a long text: what a model is shown of it, and what is looked into for codes."""

_HEAD_OF_FOUR = 3


def ends(text: str, most: int) -> str:
    """Return at most `most` characters of `text`: of a longer one its two ends, a paragraph each.

    Three quarters are its head. `tasks.model_view` cuts in the same shares; whoever reads at
    least as much as it shows misses nothing that a model reads.
    """
    if len(text) <= most:
        return text
    head = (most - 2) * _HEAD_OF_FOUR // 4
    return f"{text[:head]}\n\n{text[len(text) - (most - 2 - head) :]}"
