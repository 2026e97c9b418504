"""From hits to a verdict.

Two questions are kept apart, and the message gets the higher answer: whether it gives orders to a
machine (layers injection and smuggling), and whether it is mail that nobody wants (content and
metadata). An advertisement is no witness for an order, so neither adds to the other.

Within a question hits are witnesses: together they leave `Π(1 - s)` of the doubt. Two rules that
see the same words are not independent, so each rule counts once by its strongest hit, and all but
the strongest rule of a layer count half. The trained classifier knows words by another way than the
rules do, and counts whole beside them, by its strongest hit.
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
ADVISED = 0.74
"""The most that classifier and weak rules reach: they flag; to stop a message a rule must agree."""
AGREES = 0.3
"""What the rules have to find by themselves for that."""
SUPPORT = 0.5
"""What rules beside the strongest of a layer count for."""
WEAK = frozenset({"spam_words", "link_target", "sender_mismatch"})
"""Rules of the content layer whose signs ordinary newsletters have too."""
WEAK_FROM, WEAK_CAP = 0.35, 0.4
"""Where what these say together begins to count less, and what it comes to at most: enough to
flag, and below what speaks for orders to a machine."""
FIRST_TIME_EXPONENT = 1.3
"""How much more a content finding counts from a sender never seen before."""
_ORDERS = (Layer.INJECTION, Layer.SMUGGLING)


def combine(hits: Iterable[Hit], first_time: bool = False) -> float:
    """Return how strongly the hits together speak for an attack, 0 to 1.

    Adding a hit never lowers the score. A first-time sender amplifies what the content layer found,
    and is nothing by itself.
    """
    layers: dict[Layer, dict[str, float]] = defaultdict(dict)
    advice = 0.0
    for hit in hits:
        if hit.rule == CLASSIFIER:
            advice = max(advice, hit.score)
        else:
            own = layers[hit.layer]
            own[hit.rule] = max(own.get(hit.rule, 0.0), hit.score)
    found = {layer: min(_together(own), LAYER_CAPS[layer]) for layer, own in layers.items()}
    rules = 1 - _doubt(found.get(layer, 0.0) for layer in _ORDERS)
    orders = 1 - (1 - rules) * (1 - advice)
    if rules < AGREES:
        orders = min(orders, ADVISED)
    content = _content(layers[Layer.CONTENT])
    if first_time:
        content = 1 - (1 - content) ** FIRST_TIME_EXPONENT
    unwanted = 1 - (1 - content) * (1 - found.get(Layer.METADATA, 0.0))
    return min(1.0, max(0.0, orders, unwanted))


def _content(own: dict[str, float]) -> float:
    """Return what the rules of the content layer say, the weak ones up to their cap."""
    firm = {rule: score for rule, score in own.items() if rule not in WEAK}
    weak = _together({rule: score for rule, score in own.items() if rule in WEAK})
    return _together({**firm, "weak": _held_back(weak)})


def _held_back(weak: float) -> float:
    """Return what weak signs count for: the stronger still before the weaker, below their cap."""
    beyond = max(0.0, weak - WEAK_FROM) / (1 - WEAK_FROM)
    return min(weak, WEAK_FROM) + beyond * (WEAK_CAP - WEAK_FROM)


def _together(own: dict[str, float]) -> float:
    """Return what rules of one layer say: the strongest whole, the others half."""
    scores = sorted(own.values(), reverse=True)
    return 1 - _doubt([*scores[:1], *(SUPPORT * score for score in scores[1:])])


def _doubt(scores: Iterable[float]) -> float:
    """Return the doubt that independent witnesses leave."""
    left = 1.0
    for score in scores:
        left *= 1 - score
    return left


def verdict_for(score: float, policy: Policy, errors: bool) -> Verdict:
    """Return what happens at `score`; a rule that could not run is never `clean`."""
    if score >= policy.quarantine_threshold:
        return Verdict.QUARANTINE
    if score >= policy.flag_threshold or errors:
        return Verdict.FLAGGED
    return Verdict.CLEAN
