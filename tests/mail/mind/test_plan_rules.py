"""The grammar of handling rules, what a matcher matches, and that none can loosen anything."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.records.core.approvals import Floor
from data.records.core.understanding import Category, IntentKind, Priority
from data.records.mail.planning import ActionType, Plan
from data.records.mail.rules import Deed, Matcher, RuleEffect
from data.word_lists import word_list
from tasks.mail.actions import make_action
from tasks.mail.rules.matching import RuleSubject, apply_rules, matches
from tasks.mail.rules.rule_compiler import LooserRuleError, UnclearRuleError, compile_rule
from tasks.mail.rules.wording import plain_words

RULES: dict[str, list[Any]] = word_list(Path(__file__).with_name("handling_rules.yaml"))
KNOWN: dict[str, tuple[str, ...]] = {"harbor estates": ("rent@harbor.example",)}
PEOPLE = {"ida fenn": "ida@teasel.example"}
REPLY = make_action(ActionType.REPLY, "A question.")
HANDED = make_action(ActionType.ESCALATE, "A complaint.", argument="ida@teasel.example")


def make_subject(text: str = "Hello", **more: object) -> RuleSubject:
    """Return what a rule looks at."""
    values: dict[str, object] = {
        "sender": "wim@tulip.example",
        "text": text,
        "language": "en",
        "category": Category.SUPPORT,
        "intent": IntentKind.QUESTION,
        "priority": Priority.NORMAL,
        "attachments": 0,
    }
    return RuleSubject.model_validate(values | more)


def compiled(sentence: str) -> Matcher:
    """Return the matcher of a sentence."""
    return compile_rule(sentence, KNOWN, PEOPLE)


@pytest.mark.parametrize("row", RULES["matching"], ids=[row["rule"] for row in RULES["matching"]])
def test_a_sentence_matches_what_it_says(row: dict[str, Any]) -> None:
    """All parts must fit; topics are found by kin and in other languages, domains as a whole."""
    matcher = compiled(row["rule"])
    assert matches(matcher, make_subject(**row["hit"]))
    assert not matches(matcher, make_subject(**row["missed"]))


@pytest.mark.parametrize(("written", "strictly"), RULES["alike"])
def test_a_rule_means_what_its_strict_form_says(written: str, strictly: str) -> None:
    """Without a colon, in another order, in another language: the same matcher."""
    assert compiled(written) == compiled(strictly)


@pytest.mark.parametrize(("sentence", "pattern"), RULES["refused"])
def test_what_is_unclear_or_looser_is_refused_by_name(sentence: str, pattern: str) -> None:
    """The refusal says which words were not understood, or that a rule may not do that."""
    with pytest.raises(UnclearRuleError, match=pattern):
        compiled(sentence)


def test_a_wish_for_more_is_named_as_such() -> None:
    """Who wants something to happen reads that no rule does that."""
    with pytest.raises(LooserRuleError, match="can only restrict"):
        compiled("answer all questions about prices")


def test_two_words_of_one_matter_are_no_sender() -> None:
    """*Protección de datos* is a topic, though *de* can mean from."""
    matcher = compiled("todo sobre protección de datos: preguntar siempre")
    assert not matcher.senders
    assert matcher.topics


def test_the_plain_words_name_every_part() -> None:
    """The person who confirms sees sender, topic, language, attachments and what follows."""
    said = " ".join(plain_words(compiled("anything from x.example about wool in German: hold")))
    for part in ("anybody at x.example", '"wool"', "de", "no reply is drafted"):
        assert part in said


def test_rules_that_hold_count_for_what_is_too_long_to_be_looked_at() -> None:
    """What a rule is about may stand at the end; it files nothing that it has not seen."""
    long_letter = make_subject("word " * 5_000 + "about GDPR")
    reply = Plan(actions=(make_action(ActionType.REPLY, "."),))
    asking = ("a", compiled("anything about GDPR: always ask"))
    asked_plan = apply_rules(reply, (asking,), long_letter)
    assert [action.floor for action in asked_plan.actions] == [Floor.PERSON]
    filing = ("b", compiled("anything about GDPR: archive"))
    assert apply_rules(reply, (filing,), long_letter) == reply
    other = ("c", compiled("anything from rose.example about GDPR: always ask"))
    assert apply_rules(reply, (other,), long_letter) == reply


def test_what_was_handed_to_a_person_is_not_filed() -> None:
    """A rule that files leaves an escalation with the person it went to."""
    plan = Plan(actions=(HANDED, REPLY))
    after = apply_rules(
        plan, [("r", compiled("anything from tulip.example: archive"))], make_subject()
    )
    assert after.escalates


EFFECTS = st.lists(
    st.sampled_from([Deed(effect=effect, argument="x") for effect in RuleEffect]), min_size=1
)
PLANS = st.lists(
    st.sampled_from(
        [make_action(kind, "why", person=person) for kind in ActionType for person in (True, False)]
    ),
    min_size=1,
    max_size=5,
).map(lambda actions: Plan(actions=tuple(actions)))


@given(PLANS, EFFECTS)
@settings(max_examples=300, deadline=None)
def test_no_rule_lets_more_happen(plan: Plan, deeds: list[Deed]) -> None:
    """Nothing with an effect outside is added, and no floor is lowered, whatever rules do."""
    after = apply_rules(plan, [("r", Matcher(deeds=tuple(deeds)))], make_subject())
    assert after.actions
    assert plan.escalates <= after.escalates
    before = {(a.type, a.floor) for a in plan.actions}
    for action in after.actions:
        if action.outside_effect:
            held = action.floor is Floor.PERSON and action.type in {kind for kind, _ in before}
            assert held or (action.type, action.floor) in before
