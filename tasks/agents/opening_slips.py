"""Slips of typing in words that open a question or an order.

*Anyhting urgent* and *rapelle moi jeudi* are not recognized for what they are; at least they are
not taken for something that was told. Words that only go on (*orders*, *kanns*) are no slips.
"""

from functools import cache, lru_cache

from tasks.agents.action_requests import LANGUAGES, list_deed_verbs
from tasks.agents.orders import list_opening_words
from tasks.core.words.sentence_rows import asking_words
from tasks.core.words.typing_slips import is_slip

_SHORTEST = 5
"""Letters of a word below which one letter more or less is often another word."""


@lru_cache(maxsize=1024)
def is_slip_of_an_opening(word: str) -> bool:
    """Whether a folded word has one letter too few, too many, or wrong, or two changed about."""
    if len(word) < _SHORTEST - 1 or word in _list_openings():
        return False
    return any(is_slip(word, opening) for opening in _list_openings())


@cache
def _list_openings() -> frozenset[str]:
    """Return the words, folded, that open a question or an order, long enough to tell a slip."""
    verbs = {verb for language in LANGUAGES for verb in list_deed_verbs(language)}
    listed = asking_words() | list_opening_words() | verbs
    return frozenset(word for word in listed if len(word) >= _SHORTEST)
