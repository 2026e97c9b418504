"""From hits to a verdict.

Hits are independent witnesses: together they leave `Π(1 - s)` of the doubt. Two rules that see the
same words are not independent, so within a layer each rule counts once per place by its strongest
hit and further hits count half; a layer cannot say more than its cap. The trained classifier knows
words by another way than the rules do, and counts beside its layer.
"""

from collections import defaultdict
from collections.abc import Iterable

from data.records.organization import Policy
from data.records.screening import Hit, Layer, Verdict

LAYER_CAPS = {
    Layer.INJECTION: 0.99,
    Layer.SMUGGLING: 0.95,
    Layer.CONTENT: 1.0,
    Layer.METADATA: 1.0,
}
CLASSIFIER = "classifier"
"""Name of the rule that asks the trained classifier."""
SUPPORT = 0.5
"""What hits beside the strongest of a layer count for."""
FIRST_TIME_EXPONENT = 1.3
"""How much more a content finding counts from a sender never seen before."""


def combine(hits: Iterable[Hit], first_time: bool = False) -> float:
    """Return how strongly the hits together speak for an attack, 0 to 1.

    Adding a hit never lowers the score. A first-time sender amplifies what the content layer found,
    and is nothing by itself.
    """
    witnesses: dict[tuple[Layer, bool], list[float]] = defaultdict(list)
    for hit in hits:
        witnesses[hit.layer, hit.rule == CLASSIFIER].append(hit.score)
    doubt = 1.0
    for (layer, _), scores in witnesses.items():
        scores.sort(reverse=True)
        left = 1 - scores[0]
        for score in scores[1:]:
            left *= 1 - SUPPORT * score
        if first_time and layer is Layer.CONTENT:
            left **= FIRST_TIME_EXPONENT
        doubt *= 1 - min(1 - left, LAYER_CAPS[layer])
    return min(1.0, max(0.0, 1 - doubt))


def verdict_for(score: float, policy: Policy, errors: bool) -> Verdict:
    """Return what happens at `score`; a rule that could not run is never `clean`."""
    if score >= policy.quarantine_threshold:
        return Verdict.QUARANTINE
    if score >= policy.flag_threshold or errors:
        return Verdict.FLAGGED
    return Verdict.CLEAN
