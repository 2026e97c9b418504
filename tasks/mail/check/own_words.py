"""Words of its own that a sentence has beside those of its source."""

from collections.abc import Collection, Sequence

OWN_WORDS = 3
"""Terms in a row that no source has, from which a sentence says something of its own."""


def has_own_words(words_said: Sequence[str], words_known: Collection[str]) -> bool:
    """Whether the terms `words_said` have `OWN_WORDS` in a row that are not `words_known`.

    Most words of a sentence may be the source's while three together say something else.
    """
    run = 0
    for term in words_said:
        run = 0 if term in words_known else run + 1
        if run == OWN_WORDS:
            return True
    return False
