"""Words whose letters within are out of order, which people and models read all the same.

Their first and last letters stay (Rawlinson, "The significance of letter position in word
recognition", 1976). Undone only for words of orders, and only where several are so: a slip of the
fingers is no disguise.
"""

from tasks.screen.ends import ends
from tasks.screen.normalize import fold
from tasks.screen.order_words import in_order
from tasks.screen.vocabulary import vocabulary

_CHARACTERS = 32_000
"""Characters of a text that are looked at, at its two ends."""
_FEWEST = 2
"""Different words that must be out of order."""
_AROUND = ".,;:!?()[]{}<>\"'*_«»„“”"


def unscrambled(text: str) -> str | None:
    """Return the lines in which words are out of order, with these put right; None without any."""
    text = ends(text, _CHARACTERS)
    written = {word: word.strip(_AROUND) for word in set(text.split())}
    meant = {bare: whole for bare in set(written.values()) if (whole := _meant(bare))}
    if len(set(meant.values())) < _FEWEST:
        return None
    right = {
        word: word.replace(bare, meant[bare]) for word, bare in written.items() if bare in meant
    }
    lines = (line.split() for line in text.split("\n"))
    return "\n".join(
        " ".join(right.get(word, word) for word in line)
        for line in lines
        if any(map(right.__contains__, line))
    )


def _meant(word: str) -> str:
    """Return the word of orders that `word` is out of order, or nothing."""
    bare = fold(word)
    whole = in_order(bare)
    return "" if bare in vocabulary().words else whole
