"""Handling rules that hold for a wish, and what they make of its plan: less, never more."""

from collections.abc import Sequence

from data.records.core.approvals import Floor
from data.records.core.record import Record
from data.records.core.understanding import Category, IntentKind, Priority
from data.records.mail.planning import Action, ActionType, Plan
from data.records.mail.rules import Matcher, RuleEffect
from tasks.core.language.english_bridge import gloss
from tasks.core.words.sentences import fold, term_of, words
from tasks.mail.actions import make_action

_LONGEST = 20_000
"""Characters of a message that topics are looked for in."""
_HOLDING = frozenset({RuleEffect.ASK, RuleEffect.HOLD})
"""What a rule does to a message as well that is too long to be looked at to its end."""


class RuleSubject(Record):
    """What a rule may look at."""

    sender: str
    text: str
    """Subject and new text of the case; topics are looked for in all of it."""
    language: str
    category: Category
    intent: IntentKind
    priority: Priority
    attachments: int


def matches(matcher: Matcher, rule_subject: RuleSubject) -> bool:
    """Return whether every part of a matcher fits; parts that are empty fit everything."""
    return _fits(matcher, rule_subject) and _is_about(matcher, rule_subject)


def _fits(matcher: Matcher, rule_subject: RuleSubject) -> bool:
    """Return whether everything but the topics fits."""
    plain = (
        (matcher.categories, rule_subject.category),
        (matcher.intents, rule_subject.intent),
        (matcher.priorities, rule_subject.priority),
        (matcher.languages, rule_subject.language),
    )
    if any(wanted and value not in wanted for wanted, value in plain):
        return False
    if matcher.attachments is not None and matcher.attachments is not bool(
        rule_subject.attachments
    ):
        return False
    anybody = not (matcher.senders or matcher.domains)
    return anybody or _sent_by(matcher, rule_subject.sender)


def _is_about(matcher: Matcher, rule_subject: RuleSubject) -> bool:
    """Return whether a message speaks of each topic, as far as it is looked at."""
    if not matcher.topics:
        return True
    meanings = _meanings(words(rule_subject.text[:_LONGEST]), rule_subject.language)
    return all(any(_speaks_of(phrase, meanings) for phrase in topic) for topic in matcher.topics)


def apply_rules(
    plan: Plan, rules: Sequence[tuple[str, Matcher]], rule_subject: RuleSubject
) -> Plan:
    """Return a plan with what the rules that match do to it; `rules` have the name to tell.

    A reply may need a person or go away, a case may be filed, tagged or handed over. What was
    escalated is not filed, and a plan that only files stays as it is. What a message says beyond
    what is looked at may be what a rule is about: then it holds the reply back, and does no more.
    """
    unread = len(rule_subject.text) > _LONGEST
    for name, matcher in rules:
        if not _fits(matcher, rule_subject):
            continue
        about = _is_about(matcher, rule_subject)
        for deed in matcher.deeds:
            if about or (unread and deed.effect in _HOLDING):
                plan = _apply_effect(plan, deed.effect, deed.argument, f"Rule {name}.")
    return plan


def _apply_effect(plan: Plan, effect: RuleEffect, argument: str, why: str) -> Plan:
    actions = list(plan.actions)
    if effect is RuleEffect.ASK:
        actions = [_needs_person(action, why) for action in actions]
    elif effect is RuleEffect.HOLD:
        actions = [a for a in actions if a.type is not ActionType.REPLY] or [
            make_action(ActionType.WAIT, why)
        ]
    elif effect is RuleEffect.ARCHIVE and not plan.escalates:
        tags = [a for a in actions if a.type is ActionType.TAG_THREAD]
        actions = [make_action(ActionType.ARCHIVE, why), *tags]
    elif effect is RuleEffect.TAG:
        actions.append(make_action(ActionType.TAG_THREAD, why, argument=argument))
    elif effect is RuleEffect.ASSIGN:
        actions_kept = [
            a for a in actions if a.type not in (ActionType.ESCALATE, ActionType.ARCHIVE)
        ]
        escalation = make_action(ActionType.ESCALATE, why, argument=argument)
        actions = [escalation, *(_needs_person(action, why) for action in actions_kept)]
    return plan.model_copy(update={"actions": tuple(actions)})


def _needs_person(action: Action, why: str) -> Action:
    if not action.outside_effect:
        return action
    reason = f"{action.reason} {why}"
    return action.model_copy(update={"floor": Floor.PERSON, "reason": reason})


def _sent_by(matcher: Matcher, sender: str) -> bool:
    address = sender.lower()
    domain = address.rpartition("@")[2]
    within = any(
        domain == domain_named or domain.endswith(f".{domain_named}")
        for domain_named in matcher.domains
    )
    return within or address in matcher.senders


def _meanings(message_words: Sequence[str], language: str) -> list[frozenset[str]]:
    """Return what each word can be found by: itself, its stem or concept, and its English."""
    return [_forms_of(word) | _english_forms(word, language) for word in message_words]


def _english_forms(word: str, language: str) -> frozenset[str]:
    if language in ("en", "und"):
        return frozenset()
    try:
        gloss_read = gloss(word, language)
    except KeyError:  # a language without a dictionary
        return frozenset()
    return frozenset(name for part in (gloss_read or "").split() for name in _forms_of(part))


def _forms_of(word: str) -> frozenset[str]:
    return frozenset({word, term_of(word)})


def _speaks_of(phrase: str, message_words: Sequence[frozenset[str]]) -> bool:
    """Return whether the words of a phrase stand next to each other, each in any of its forms."""
    names_wanted = [_forms_of(word) for word in words(fold(phrase))]
    spans = range(len(message_words) - len(names_wanted) + 1)
    return any(
        all(
            names_wanted[place] & message_words[start + place] for place in range(len(names_wanted))
        )
        for start in spans
    )
