"""The opinion of an organization's own examples on a message: spam or wanted mail.

Robinson's estimate for each token, combined by Fisher's method (G. Robinson, "A Statistical
Approach to the Spam Problem", Linux Journal 107, 2003). A token seen `n` times is believed
`n / (s + n)`; the rest is the prior, which says nothing. So without examples the answer is 0.5,
and a token that stood in one message decides nothing.
"""

import math
from collections.abc import Mapping, Sequence

from pydantic import Field

from data.records.core.record import Record

PRIOR = 0.5
"""What is believed of a token that was never seen: nothing."""
STRENGTH = 1.0
"""`s`: how many sightings the prior weighs."""
NEAR_PRIOR = 0.1
"""Tokens nearer to the prior than this say nothing and are left out."""
MOST_TOKENS = 150
"""The most telling tokens of a message that are combined, against padding with harmless words."""
ENOUGH = 40
"""Examples of either kind from which the judge may do more than flag."""


class Examples(Record):
    """How many messages a person has called spam, and how many wanted."""

    spam: int = Field(default=0, ge=0)
    ham: int = Field(default=0, ge=0)

    @property
    def enough(self) -> bool:
        """Whether there are enough of both for the judge to be believed."""
        return min(self.spam, self.ham) >= ENOUGH

    @property
    def both(self) -> bool:
        """Whether there is anything to compare."""
        return self.spam > 0 and self.ham > 0


class BayesOpinion(Record):
    """What the examples say about one message."""

    spam: float = Field(ge=0, le=1)
    """0 is wanted, 1 is spam, 0.5 is not known."""
    telling: tuple[str, ...] = ()
    """The tokens that spoke most for spam, strongest first."""
    examples: Examples = Examples()


Counts = Mapping[int, tuple[int, int]]
"""For a token: in how many spam and in how many wanted examples it stood."""


def judge(tokens: Mapping[int, str], counts: Counts, examples: Examples) -> BayesOpinion:
    """Return what the examples say about a message.

    Args:
        tokens: the message's tokens by hash, each with a form to show.
        counts: of at least these tokens; one that is missing was never seen.
        examples: how many messages the counts are of.

    """
    if not examples.both:
        return BayesOpinion(spam=PRIOR, examples=examples)
    beliefs = sorted(
        (
            (belief, shown)
            for token, shown in tokens.items()
            if token in counts
            and abs((belief := believed(*counts[token], examples)) - PRIOR) > NEAR_PRIOR
        ),
        key=lambda pair: -abs(pair[0] - PRIOR),
    )[:MOST_TOKENS]
    telling = tuple(shown for belief, shown in beliefs if belief > PRIOR)[:8]
    spam = combined([belief for belief, _ in beliefs])
    return BayesOpinion(spam=round(spam, 6), telling=telling, examples=examples)


def believed(spam: int, ham: int, examples: Examples) -> float:
    """Return how strongly one token speaks for spam, 0 to 1: Robinson's f(w).

    Frequencies are taken within each kind, so that it does not matter of which there are more.
    """
    in_spam, in_ham = spam / max(examples.spam, 1), ham / max(examples.ham, 1)
    if in_spam + in_ham == 0:
        return PRIOR
    times = spam + ham
    return (STRENGTH * PRIOR + times * in_spam / (in_spam + in_ham)) / (STRENGTH + times)


def combined(beliefs: Sequence[float]) -> float:
    """Return Fisher's combination of beliefs: (1 + H - S) / 2, 0.5 when they cancel out."""
    if not beliefs:
        return PRIOR
    degrees = 2 * len(beliefs)
    h = chi_square(-2 * sum(math.log(belief) for belief in beliefs), degrees)
    s = chi_square(-2 * sum(math.log(1 - belief) for belief in beliefs), degrees)
    return (1 + h - s) / 2


def chi_square(value: float, degrees: int) -> float:
    """Return the chance that chi-square with an even number of `degrees` exceeds `value`.

    Summed in logarithms, for `exp(-value / 2)` is 0 for the values of long messages.
    """
    half = value / 2
    if half <= 0:
        return 1.0
    logarithm = -half
    terms = [logarithm]
    for step in range(1, degrees // 2):
        logarithm += math.log(half / step)
        terms.append(logarithm)
    highest = max(terms)
    return min(1.0, math.exp(highest) * sum(math.exp(term - highest) for term in terms))
