"""Handling rules in eight languages: the same matcher from the same meaning, or a named refusal."""

import pytest

from data.lexicons.rules import rule_words
from data.records.mail.rules import Deed, Matcher, RuleEffect
from tasks.core.words.sentences import fold
from tasks.mail.rules.matching import matches
from tasks.mail.rules.rule_compiler import UnclearRuleError, compile_rule
from tests.mail.mind.test_plan_rules import KNOWN, PEOPLE, RULES, compiled, make_subject


@pytest.mark.parametrize(("sentence", "name"), RULES["topics"])
def test_a_topic_is_watched_for_in_the_words_that_were_written(sentence: str, name: str) -> None:
    """*Always ask* compiles to the one effect and the one topic."""
    matcher = compiled(sentence)
    assert matcher.deeds == (Deed(effect=RuleEffect.ASK),)
    (topic,) = matcher.topics
    assert name in topic
    assert matches(matcher, make_subject(f"A word on {name.upper()}, please"))
    assert not matches(matcher, make_subject("A word on Sunday, please"))


@pytest.mark.parametrize("sentence", RULES["landlord"])
def test_a_topic_matches_mail_in_other_languages(sentence: str) -> None:
    """Invoices in any language are found, from the contact that is named and nobody else."""
    matcher = compiled(sentence)
    assert matcher.senders == ("rent@harbor.example",)
    assert matcher.deeds == (Deed(effect=RuleEffect.ARCHIVE),)
    sender = "rent@harbor.example"
    assert matches(matcher, make_subject("Your invoice for May", sender=sender))
    assert matches(matcher, make_subject("Ihre Rechnung für Mai", sender=sender, language="de"))
    assert not matches(matcher, make_subject("Your invoice for May"))
    assert not matches(matcher, make_subject("Your parcel", sender=sender))


@pytest.mark.parametrize(("sentence", "unclear", "understood"), RULES["understood"])
def test_a_refusal_says_what_was_understood_so_far(
    sentence: str, unclear: str, understood: str
) -> None:
    """In the language that understood most: the part that was not, and the parts that were."""
    with pytest.raises(UnclearRuleError, match=unclear) as refused:
        compiled(sentence)
    assert "understood so far" in str(refused.value)
    assert understood in str(refused.value)


def test_effects_are_told_apart_and_never_in_two_groups() -> None:
    """No word means two effects in a language, and none that is looser is an effect."""
    for code, words in rule_words().items():
        plain = [fold(one) for name in ("ask", "hold", "file") for one in words.effects[name]]
        assert len(plain) == len(set(plain)), code
        assert not {fold(one) for one in words.looser} & set(plain), code


def test_what_compiles_can_only_restrict_or_file() -> None:
    """Every plain effect of every language, with and without a second one, is of the closed set."""
    for words in rule_words().values():
        for name in ("ask", "hold", "file"):
            for said in words.effects[name]:
                matcher: Matcher = compile_rule(f"wool: {said}", KNOWN, PEOPLE)
                assert {deed.effect for deed in matcher.deeds} <= set(RuleEffect)
