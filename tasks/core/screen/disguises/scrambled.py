"""Words whose letters within are out of order, which people and models read all the same.

Their first and last letters stay (Rawlinson, "The significance of letter position in word
recognition", 1976). Undone only for words of orders, and only where several are so: a slip of the
fingers is no disguise.
"""

from tasks.core.screen.disguises.corrected_lines import put_right
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.order_words import in_order
from tasks.core.screen.words.vocabulary import vocabulary

_FEWEST = 2
"""Different words that must be out of order."""


def unscrambled(text: str) -> str | None:
    """Return the lines in which words are out of order, with these put right; None without any."""
    return put_right(text, _find_meant, _FEWEST)


def _find_meant(word: str) -> str:
    """Return the word of orders that `word` is out of order, or nothing."""
    bare = fold(word)
    whole = in_order(bare)
    return "" if bare in vocabulary().words else whole
