"""The share of a draft that a person changed before approving it."""

from rapidfuzz.distance import Indel

from data.records.mail.drafting import Draft

MOST_WORDS = 20_000
"""Words of both texts up to which they are compared by words, in 0.5 s; beyond, by lines."""


def measure_edit(shown: Draft | None, body: str) -> float:
    """Return the share of words that were taken out or put in: 0 for the same text, 1 for another.

    It takes time that grows with the square of the text's length; call it where nobody waits, and
    never within a transaction.

    Args:
        shown: what the person was shown; None when there was no draft, which counts as 1.
        body: the text that the person approved.

    """
    if shown is None:
        return 1.0
    before, after = shown.body.split(), body.split()
    if len(before) + len(after) > MOST_WORDS:
        before, after = shown.body.splitlines(), body.splitlines()
    return round(Indel.normalized_distance(before, after), 4)
