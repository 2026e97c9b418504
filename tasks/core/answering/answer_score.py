"""The score of a sentence as the answer to a question: its signs, weighed.

`python -m benchmarks answers --fit` chose the shares, on half of its organizations.
"""

from math import exp
from typing import NamedTuple

from data.records.core.briefing import Snippet


class AnswerSigns(NamedTuple):
    """What speaks for and against a sentence, each about 0 to 1."""

    own: float
    """Share of the question that the sentence itself covers."""
    ahead: float
    """By how much it, with its title, covers more than any other entry; at most 0.4."""
    lacking: float
    """1 when a number is wanted and none is there, or a person and nobody is named; 2 without the
    price or the time that is asked for, or where one word is asked that the title does not say."""
    beside: float
    """Share that a question whether something is so asks for, and that is not said."""
    unnamed: float
    """1 when the question names something that the whole entry does not, 2 for a code, and 1 more
    when what it asks of that, or what it asks whether it is so, is hardly said."""


SHARES = AnswerSigns(own=4.0, ahead=5.5, lacking=-2.1, beside=-1.3, unnamed=-2.0)
"""What each sign adds to the score, before it is bent to 0 to 1."""
BASE = -3.0
"""Where the score starts."""


def score(signs: AnswerSigns) -> float:
    """Return how likely a sentence with these signs is the answer, 0 to 1."""
    weighed = sum(share * sign for share, sign in zip(SHARES, signs, strict=True))
    return 1 / (1 + exp(-(BASE + weighed)))


class CandidateSentence(NamedTuple):
    """One sentence of the knowledge, as an answer."""

    snippet: Snippet
    sentence: str
    signs: AnswerSigns

    @property
    def score(self) -> float:
        """How likely it is the answer."""
        return score(self.signs)
