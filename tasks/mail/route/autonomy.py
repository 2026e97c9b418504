"""The policy's rule for a wish: by what it is about, what kind it is, how urgent."""

from data.records.core.organization import AutonomyRule, Policy
from data.records.core.understanding import Category, Classification, IntentKind


def list_rules(
    policy: Policy, classification: Classification
) -> list[tuple[str, AutonomyRule | None]]:
    """Return for everything that a case touches its name and its rule, None where none speaks."""
    return [
        (
            category.value if intent is None else f"{category.value} ({intent.value})",
            find_rule(policy, category, intent, classification.priority),
        )
        for category, intent in list_wishes(classification)
    ]


def list_wishes(classification: Classification) -> list[tuple[Category, IntentKind | None]]:
    """Return what a case touches: each of its wishes, and its own category where no wish has it."""
    wishes = [(intent.category, intent.intent) for intent in classification.intents]
    touched: list[tuple[Category, IntentKind | None]] = list(dict.fromkeys(wishes))
    if classification.category not in {category for category, _ in wishes}:
        touched.insert(0, (classification.category, None))
    return touched


def find_rule(
    policy: Policy, category: Category, intent: IntentKind | None, priority: str
) -> AutonomyRule | None:
    """Return the rule that speaks for a wish, or None.

    Of several the one that names more counts; of equals one that forbids, then the one with the
    higher threshold. A rule without a threshold of its own has the policy's.
    """
    speaking = [
        rule
        for rule in policy.autonomy_rules
        if rule.category in (None, category)
        and rule.intent in (None, intent)
        and rule.priority in (None, priority)
    ]

    def rank(rule: AutonomyRule) -> tuple[int, bool, float]:
        named_count = sum(
            condition is not None for condition in (rule.category, rule.intent, rule.priority)
        )
        return named_count, not rule.auto_send, choose_threshold(rule, policy)

    return max(speaking, key=rank, default=None)


def choose_threshold(rule: AutonomyRule | None, policy: Policy) -> float:
    """Return the draft quality that a rule asks for; without a rule, the policy's."""
    if rule is None or rule.threshold is None:
        return policy.confidence_threshold
    return rule.threshold
