"""The words that orders to a machine are made of: what is played with is compared with these."""

from functools import cache

from data.lexicons.screen import order_lexicon
from tasks.core.screen.words.folding import fold

ORDER_CONCEPTS = (
    "override", "instruction", "prompt_object", "prior", "machine", "exfiltrate", "leak", "secret",
    "conceal", "task_switch", "obey_me",
)  # fmt: skip
"""Concepts whose words they are, the stronger first."""
IDEOGRAPHS = "\u2e80"
"""First letter of writings that do not part words."""
_SHORTEST, _LONGEST = 5, 24
"""Letters of a word; of a shorter one there is next to nothing to put out of order."""


@cache
def order_words() -> dict[str, frozenset[str]]:
    """Return them folded, those of stronger concepts first, each with its languages."""
    readings_by_word: dict[str, set[str]] = {}
    for name in ORDER_CONCEPTS:
        for language, entries in order_lexicon().get(name, {}).items():
            for entry in entries:
                for word in filter(str.isalpha, fold(entry).split()):
                    readings_by_word.setdefault(word, set()).add(language)
    return {word: frozenset(own) for word, own in readings_by_word.items()}


@cache
def long_words(shortest: int) -> tuple[str, ...]:
    """Return those of at least `shortest` letters, of writings that part words."""
    return tuple(word for word in order_words() if len(word) >= shortest and word[0] < IDEOGRAPHS)


def in_order(word: str) -> str:
    """Return the word of orders that a folded word has all letters of, the inner ones elsewhere.

    First and last letters stay. Empty where there is none, and of what is a word of orders.
    """
    if not _SHORTEST <= len(word) <= _LONGEST or (len(word), word[0], word[-1]) not in _frames():
        return ""
    whole = _by_letters().get(_letters(word), "") if word.isalpha() else ""
    return "" if word in order_words() else whole


def with_marks(word: str) -> str:
    """Return the word of orders that a folded word is without the marks among its letters."""
    if word.isalpha():
        return ""
    letters = letters_of(word)
    whole = len(letters) >= _SHORTEST and letters in order_words() and letters not in word
    return letters if whole else ""


def letters_of(word: str) -> str:
    """Return a word without what is no letter."""
    return word if word.isalpha() else "".join(filter(str.isalpha, word))


@cache
def _by_letters() -> dict[str, str]:
    """Return the words by their letters; of two of the same, the stronger counts."""
    word_by_letters: dict[str, str] = {}
    for word in order_words():
        word_by_letters.setdefault(_letters(word), word)
    return word_by_letters


@cache
def _frames() -> frozenset[tuple[int, str, str]]:
    """Return how long the words are, with what stays of them: most other words differ in it."""
    return frozenset((len(word), word[0], word[-1]) for word in order_words())


def _letters(word: str) -> str:
    """Return what does not change when the letters within a word change places."""
    return f"{word[:1]}{''.join(sorted(word[1:-1]))}{word[-1:]}"
