"""From hits to a verdict.

Two questions are kept apart, and the message gets the higher answer: whether it gives orders to a
machine (layers injection and smuggling), and whether it is mail that nobody wants (content and
metadata). An advertisement is no witness for an order, so neither adds to the other.

Within a question hits are witnesses: together they leave `Π(1 - s)` of the doubt. Two rules that
see the same words are not independent, so each rule counts once by its strongest hit, and all but
the strongest rule of a layer count half. The trained classifier knows words by another way than the
rules do, and counts whole beside them, by its strongest hit. It has learned all words of the rules:
where it has read the very words and does not suspect the message, rules rank it and do not flag it,
unless it suspects these words by themselves or they leave next to no doubt. So it takes two to stop
a message.
"""

from collections import defaultdict
from collections.abc import Iterable

from data.records.core.organization import Policy
from data.records.core.screening import FilterLayer, Hit, MessagePlace, Verdict

LAYER_CAPS = {
    FilterLayer.INJECTION: 0.99,
    FilterLayer.SMUGGLING: 0.95,
}
CLASSIFIER = "classifier"
"""Name of the rule that asks the trained classifier."""
ADVISED = 0.74
"""The most that classifier and weak rules reach: they flag; to stop a message a rule must agree."""
AGREES = 0.3
"""What the rules have to find by themselves for that."""
READ = (
    MessagePlace.BODY,
    MessagePlace.SUBJECT,
    MessagePlace.FORWARDED,
    MessagePlace.QUOTED,
    MessagePlace.HIDDEN,
    MessagePlace.DISPLAY_NAME,
)
"""Places whose prose the classifier reads, those first that hold the most."""
WORTH_SAYING = 0.05
"""What the classifier has to say at least; less is silence."""
SUSPICION = 0.35
"""What it says of a message that flags by itself: beside it every rule is a further witness."""
SILENT, DOUBTING = 0.22, 0.25
"""The most that rules reach by words that it has read, where it is silent and where it doubts. Both
are clean by default and rank above most ordinary mail; it knows all words that rules know."""
ALONE = 0.36
"""What they reach where it suspects the words that they found, if not the long text around, and
where it doubts and they are sure: the usual words of an attack."""
SURE = 0.4
"""What they have to find by themselves for that."""
BEYOND_DOUBT = 0.865
"""What they have to find for that where it says nothing: several rules see an order, and what is
told of orders does not reach it."""
SUPPORT = 0.5
"""What rules beside the strongest of a layer count for."""
WEAK = frozenset({"spam_words", "link_target", "sender_mismatch"})
"""Rules of the content layer whose signs ordinary newsletters have too."""
WEAK_FROM, WEAK_CAP = 0.35, 0.4
"""Where what these say together begins to count less, and what it comes to at most: it flags."""
FAINTLY = 0.5
"""What signs of unwanted mail count that together do not come to `WEAK_FROM`: a tenth of ordinary
mail has some, which would rank it above faint orders."""
FIRST_TIME_EXPONENT = 1.3
"""How much more a content finding counts from a sender never seen before."""
_DISGUISED = frozenset({"encoding_evasion", "instruction_smuggling"})
"""Techniques of finds that were not in the open."""
_OF_SHAPE = frozenset({"many_shot", "left_open", "link_template"})
"""Rules that count turns over a whole text, of which the classifier reads a few sentences, or that
look into links, which are one word to it."""
_ByRule = dict[str, float]
"""The strongest hit of each rule."""


def combine(hits: Iterable[Hit], first_time: bool = False) -> float:
    """Return how strongly the hits together speak for an attack, 0 to 1.

    Adding a hit never lowers the score. A first-time sender amplifies what the content layer found,
    and is nothing by itself. Of words that the classifier has heard, its silence counts as well.
    """
    all_hits = list(hits)
    advice = max((hit.score for hit in all_hits if hit.rule == CLASSIFIER), default=0.0)
    layers = _by_layer(hit for hit in all_hits if hit.rule != CLASSIFIER)
    rules = _rules(layers)
    orders = _orders(rules, advice)
    opinions = [hit.heard for hit in all_hits if hit.heard is not None]
    if opinions and advice < SUSPICION:
        unheard = _by_layer(hit for hit in all_hits if hit.rule != CLASSIFIER and hit.heard is None)
        alone = _most_of_heard_words(advice, max(opinions), rules)
        orders = min(orders, max(alone, _orders(_rules(unheard), advice)))
    content = _content(layers[FilterLayer.CONTENT])
    if first_time:
        content = 1 - (1 - content) ** FIRST_TIME_EXPONENT
    unwanted = 1 - (1 - content) * (1 - _combine_layer(layers[FilterLayer.METADATA]))
    return min(1.0, max(0.0, orders, _halve_if_faint(unwanted)))


def has_classifier_answered(hits: Iterable[Hit], misses: Iterable[str]) -> bool:
    """Whether the classifier is among the rules that answered, by finding something or nothing."""
    return CLASSIFIER in misses or any(hit.rule == CLASSIFIER for hit in hits)


def _by_layer(hits: Iterable[Hit]) -> dict[FilterLayer, _ByRule]:
    """Return the strongest hit of each rule by layer."""
    layers: dict[FilterLayer, _ByRule] = defaultdict(dict)
    for hit in hits:
        own = layers[hit.layer]
        own[hit.rule] = max(own.get(hit.rule, 0.0), hit.score)
    return layers


def in_the_open(hit: Hit) -> bool:
    """Whether a classifier reads the words of a hit as they stand there."""
    plain = hit.technique not in _DISGUISED and hit.rule not in _OF_SHAPE
    return plain and hit.layer is FilterLayer.INJECTION and hit.place in READ


def _orders(rules: float, advice: float) -> float:
    """Return how strongly `rules` and the classifier's `advice` speak for orders to a machine."""
    orders = 1 - (1 - rules) * (1 - advice)
    return orders if rules >= AGREES else min(orders, ADVISED)


def _rules(layers: dict[FilterLayer, _ByRule]) -> float:
    """Return how strongly the rules by themselves speak for orders to a machine."""
    return 1 - _doubt(min(_combine_layer(layers[layer]), LAYER_CAPS[layer]) for layer in LAYER_CAPS)


def _most_of_heard_words(advice: float, of_words: float, rules: float) -> float:
    """Return the most that rules reach by words of which the classifier has its own opinion.

    `advice` is what it says of the message, `of_words` of the words by themselves, and `rules` what
    the rules do.
    """
    sure = rules >= (SURE if advice >= WORTH_SAYING else BEYOND_DOUBT)
    if sure or of_words >= SUSPICION:
        return ALONE
    return DOUBTING + advice / 4 if max(advice, of_words) >= WORTH_SAYING else SILENT


def _content(own: _ByRule) -> float:
    """Return how strongly the rules of the content layer speak for unwanted mail.

    The weak ones count up to their cap.
    """
    firm = {rule: score for rule, score in own.items() if rule not in WEAK}
    weak = _combine_layer({rule: score for rule, score in own.items() if rule in WEAK})
    return _combine_layer({**firm, "weak": _held_back(weak)})


def _halve_if_faint(unwanted: float) -> float:
    """Return what signs of unwanted mail count beside those of orders: half below `WEAK_FROM`."""
    return unwanted if unwanted >= WEAK_FROM else FAINTLY * unwanted


def _held_back(weak: float) -> float:
    """Return what weak signs count for: the stronger still before the weaker, below their cap."""
    beyond = max(0.0, weak - WEAK_FROM) / (1 - WEAK_FROM)
    return min(weak, WEAK_FROM) + beyond * (WEAK_CAP - WEAK_FROM)


def _combine_layer(own: _ByRule) -> float:
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
