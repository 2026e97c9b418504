"""The plan of a branch (docs/pipeline.md#plan), by rules over category and intent."""

from functools import lru_cache

from data.records.core.briefing import Briefing, SourceKind
from data.records.core.organization import Policy
from data.records.core.parsed_mail import Automated
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.records.mail.planning import Action, ActionType, Plan
from tasks.core.words.contact_changes import only_contact_news, tells_contact_change
from tasks.core.words.grievances import complains
from tasks.core.words.sentences import terms, whole_words
from tasks.mail.actions import make_action

_MONEY = frozenset({"#refund", "#payment", "#discount", "#cancel"})
"""Concepts that make a wish of the sender a matter of money."""
_WISHES = (IntentKind.REQUEST, IntentKind.COMPLAINT, IntentKind.ESCALATION)
_ALIKE = 0.5
"""Share of a suggestion's terms that an earlier note must share to be called the same."""


def plan(
    intent: Intent,
    classification: Classification,
    briefing: Briefing,
    policy: Policy,
    *,
    automated: Automated,
    first_contact: bool,
) -> Plan:
    """Return the actions of one branch, in order, each with its approval floor.

    A machine's mail and spam are archived and never answered. Complaints, escalations and urgent
    or angry mail go to a named person at once, and their reply needs that person's yes.
    """
    if automated.automated:
        why = automated.reasons[0] if automated.reasons else automated.kind.value
        return Plan(actions=(make_action(ActionType.ARCHIVE, f"A machine wrote this: {why}."),))
    if intent.category is Category.SPAM:
        return Plan(actions=(make_action(ActionType.ARCHIVE, "Spam is not answered."),))
    actions: list[Action] = []
    if first_contact:
        actions.append(make_action(ActionType.CREATE_CONTACT, "First message from this sender."))
    actions += _actions(intent, classification, briefing, policy)
    tag = intent.category.value
    actions.append(make_action(ActionType.TAG_THREAD, "The category, for filters.", argument=tag))
    return Plan(actions=tuple(actions))


def _actions(
    intent: Intent, classification: Classification, briefing: Briefing, policy: Policy
) -> list[Action]:
    """Return what the category and the intent ask for."""
    topic = topic_of(policy, intent.text)
    grave = _grave(intent, classification, topic)
    if intent.category is Category.INTERNAL:
        to = assignee(policy, Category.INTERNAL, classification.priority)
        return [make_action(ActionType.ESCALATE, "Internal: goes to a colleague.", argument=to)]
    if only_contact_news(intent.text) and not topic:
        return _contact_changed()
    if grave:
        to = assignee(policy, intent.category, classification.priority, topic)
        return [
            make_action(ActionType.ESCALATE, grave, argument=to),
            make_action(ActionType.REPLY, "Says who has the message now.", person=True),
        ]
    if intent.category is Category.FEATURE_REQUEST:
        thanks = make_action(ActionType.REPLY, "Thanks, and it is noted.")
        return [_ticket(intent, briefing), thanks]
    if tells_contact_change(intent.text):
        return _contact_changed()
    if intent.intent is IntentKind.ACKNOWLEDGMENT:
        return _thanks(briefing)
    if intent.intent is IntentKind.REQUEST:
        money = bool(_MONEY & set(terms(intent.text)))
        title = f"Request: {intent.category.value}"
        return [
            make_action(ActionType.CREATE_TICKET, "A person carries it out.", argument=title),
            make_action(ActionType.REPLY, "Answers what the knowledge answers.", money=money),
        ]
    about = f"Kind {intent.intent.value}, about {intent.category.value}."
    return [make_action(ActionType.REPLY, about)]


def _grave(intent: Intent, classification: Classification, topic: str) -> str:
    """Return why a person must have this at once, or nothing."""
    if topic:
        return f"It is about {topic}, which the policy gives to a person."
    if intent.category is Category.COMPLAINT or intent.intent is IntentKind.COMPLAINT:
        return "A complaint goes to a person immediately."
    if intent.intent is IntentKind.ESCALATION:
        return "The sender asks for a person."
    if classification.priority is Priority.URGENT:
        return "Urgent mail goes to a person immediately."
    if classification.sentiment is Sentiment.NEGATIVE and intent.intent in _WISHES:
        return "A wish in anger goes to a person."
    if complains(intent.text, classification.language):
        return "The sender complains, whatever else this is about."
    return ""


def _ticket(intent: Intent, briefing: Briefing) -> Action:
    """Return the ticket for a suggestion, naming what the knowledge already holds of it."""
    wanted_terms = set(terms(intent.text))
    for snippet in briefing.of(SourceKind.KNOWLEDGE):
        shared = wanted_terms & set(terms(snippet.title))
        if wanted_terms and len(shared) / min(len(wanted_terms), 6) >= _ALIKE:
            why = f"Perhaps the same as {snippet.ref}: {snippet.title}."
            return make_action(ActionType.CREATE_TICKET, why, argument="Suggestion")
    return make_action(ActionType.CREATE_TICKET, "A new suggestion.", argument="Suggestion")


def _contact_changed() -> list[Action]:
    """Return what follows on news of somebody else to write to: no mail goes to that address."""
    why = "Somebody else is to be written to from now on; a person changes the contact."
    return [
        make_action(ActionType.CREATE_TICKET, why, argument="Changed contact"),
        make_action(ActionType.REPLY, "Thanks for the news, to who wrote.", person=True),
    ]


def _thanks(briefing: Briefing) -> list[Action]:
    """Return what follows on a thank-you: nothing when we had answered, else a short word."""
    thread = briefing.of(SourceKind.THREAD)
    if thread and thread[-1].outbound:
        return [make_action(ActionType.ARCHIVE, "Thanks for our answer; nothing is left to do.")]
    return [make_action(ActionType.REPLY, "A short thank-you.")]


def topic_of(policy: Policy, text: str) -> str:
    """Return the first topic of the policy of which a word or phrase stands in a text, or nothing.

    Words are compared whole and without regard to case; a word that ends in `*` counts as the
    beginning of one.
    """
    if not policy.topics:
        return ""
    spaced_text = f" {' '.join(whole_words(text.casefold()))} "
    for topic, phrases in policy.topics.items():
        for phrase in phrases:
            words = _topic_words(phrase)
            if words and words in spaced_text:
                return topic
    return ""


@lru_cache(maxsize=1024)
def _topic_words(phrase: str) -> str:
    """Return a phrase of a topic as it stands in a spaced text; empty for one without a word."""
    words = " ".join(whole_words(phrase.casefold()))
    end = "" if phrase.rstrip().endswith("*") else " "
    return f" {words}{end}" if words else ""


def assignee(policy: Policy, category: Category, priority: Priority, topic: str = "") -> str:
    """Return whose case it is: by topic, urgency, category, other priority, default.

    Empty when nobody is named.
    """
    keys = [topic, category.value, priority.value, "default"]
    if priority is Priority.URGENT:
        keys.insert(1, Priority.URGENT.value)
    return next((policy.escalation[key] for key in keys if policy.escalation.get(key)), "")
