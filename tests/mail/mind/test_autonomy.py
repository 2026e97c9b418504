"""Rules of the policy by category, kind and priority, and topics that go to a person."""

import pytest

from data.errors import ManifestError
from data.policy_files import merge_policy
from data.records.core.organization import AutonomyRule, Policy
from data.records.core.understanding import Category, IntentKind, Priority
from tasks.mail.plan.planning import assignee, topic_of
from tasks.mail.route.autonomy import choose_threshold, find_rule, list_rules
from tests.mail.mind.examples import classification, intent

RULES = (
    AutonomyRule(category=Category.SUPPORT, auto_send=True, threshold=0.95),
    AutonomyRule(intent=IntentKind.ACKNOWLEDGMENT, auto_send=True, threshold=0.9),
    AutonomyRule(category=Category.SUPPORT, intent=IntentKind.REQUEST),
    AutonomyRule(category=Category.SUPPORT, priority=Priority.LOW, auto_send=True, threshold=0.5),
    AutonomyRule(priority=Priority.LOW),
)


def found(
    category: Category, kind: IntentKind | None, priority: Priority = Priority.NORMAL
) -> tuple[bool, float] | None:
    """Return what the rules say: whether it may leave, and the quality that it needs."""
    policy = Policy(autonomy_rules=RULES)
    rule = find_rule(policy, category, kind, priority)
    return None if rule is None else (rule.auto_send, choose_threshold(rule, policy))


def test_the_rule_that_names_more_speaks_and_of_equals_the_stricter() -> None:
    """Acknowledgments at 0.9, requests never, little haste at 0.5; what nothing names, nothing."""
    ack, ask = IntentKind.ACKNOWLEDGMENT, IntentKind.QUESTION
    assert found(Category.SUPPORT, ask) == (True, 0.95)
    assert found(Category.SUPPORT, ack) == (True, 0.95)
    assert found(Category.SALES, ack) == (True, 0.9)
    assert found(Category.SUPPORT, IntentKind.REQUEST) == (False, 0.85)
    assert found(Category.SUPPORT, ask, Priority.LOW) == (True, 0.5)
    assert found(Category.SALES, ack, Priority.LOW) == (False, 0.85)
    assert found(Category.SALES, ask) is None
    assert found(Category.SALES, None) is None


def test_every_wish_of_a_case_asks_its_own_rule() -> None:
    """One wish without a rule holds all of them; the category counts where no wish has it."""
    policy = Policy(autonomy_rules=RULES)
    said = classification(intent("Thanks!", "acknowledgment", category="sales"))
    said = said.model_copy(update={"category": Category.BILLING})
    assert [(name, rule is None) for name, rule in list_rules(policy, said)] == [
        ("billing", True),
        ("sales (acknowledgment)", False),
    ]


def test_a_topic_goes_to_its_person_before_anything_else() -> None:
    """Whole words, phrases and beginnings, in any case; else urgency, category, default."""
    policy = Policy(
        topics={"security": ("data leak", "breach*"), "press": ("journalist",)},
        escalation={
            "security": "ida@quay.example", "press": "ole@quay.example",
            "urgent": "eve@quay.example", "low": "ben@quay.example", "default": "una@quay.example",
        },
    )  # fmt: skip
    assert topic_of(policy, "Is there a Data\nLeak at yours?") == "security"
    assert topic_of(policy, "Somebody breached the box") == "security"
    assert topic_of(policy, "A data-sheet leaks. Journalists read it.") == ""
    for priority, topic, to in (
        (Priority.URGENT, "security", "ida"),
        (Priority.URGENT, "", "eve"),
        (Priority.LOW, "", "ben"),
        (Priority.NORMAL, "", "una"),
    ):
        assert assignee(policy, Category.SALES, priority, topic) == f"{to}@quay.example"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("escalation: {securty: a@b.example}", "'securty', which means nothing"),
        ("topics: {fraud: [forged]}", "leads to nobody"),
        ("topics: {fraud: []}\nescalation: {fraud: a@b.example}", "needs words"),
        ("topics: {sales: [deal]}\nescalation: {sales: a@b.example}", "choose another name"),
        ("autonomy_rules: [{auto_send: true}]", "a rule for everything"),
        ("autonomy_rules: [{intent: request}, {intent: request}]", "'request' twice"),
        ("autonomy_rules: [{intent: wish}]", "autonomy_rules"),
    ],
)
def test_what_can_mean_nothing_is_refused(text: str, sentence: str) -> None:
    """The sentence names the key and what to do."""
    with pytest.raises(ManifestError, match=sentence):
        merge_policy(("policy.yaml", text))


def test_topics_of_ones_own_are_taken() -> None:
    """A policy with rules of each kind and a topic is loaded as it is written."""
    made = merge_policy(
        (
            "policy.yaml",
            "topics: {fraud: [forged invoice]}\nescalation: {fraud: a@b.example}\n"
            "autonomy_rules:\n  - {intent: acknowledgment, auto_send: true, threshold: 0.9}\n"
            "  - {category: complaint}\n",
        )
    )
    assert made.topics == {"fraud": ("forged invoice",)}
    assert made.autonomy_rules[0].category is None
