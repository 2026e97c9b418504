"""One question to the owner instead of a guess, where the knowledge has no answer."""

from collections.abc import Sequence
from datetime import datetime

from data.records.core.approvals import Floor
from data.records.core.briefing import Briefing
from data.records.core.organization import Organization, Policy
from data.records.core.understanding import Category, Intent, IntentKind
from data.records.mail.planning import Action, ActionType, Plan
from tasks.core.answering.account_answers import knowledge_in
from tasks.core.answering.answer import answer, citable
from tasks.core.answering.situations import settles, situations
from tasks.core.asking.model_view import line_view
from tasks.core.words.questions import AskedQuestion, questions
from tasks.core.words.sentences import sentences, terms
from tasks.mail.actions import make_action
from tasks.mail.draft.names import reply_language

_LEAST_TERMS = 2
_ASKING_MARKS = frozenset("?？")
_ENDINGS = frozenset(".!…?？。！")
_ASKING = (IntentKind.QUESTION, IntentKind.REQUEST)


def owner_of(policy: Policy, category: Category) -> str:
    """Return who is asked about a category; empty when the policy names nobody."""
    return policy.owners.get(category.value) or policy.owners.get("default") or ""


def without_questions(plan: Plan) -> Plan:
    """Return a plan without questions to owners and waits: only code decides on them."""
    actions_kept = [
        a for a in plan.actions if a.type not in (ActionType.ASK_OWNER, ActionType.WAIT)
    ]
    if len(actions_kept) == len(plan.actions):
        return plan
    actions = actions_kept or [make_action(ActionType.WAIT, "A person looks at it.")]
    return plan.model_copy(update={"actions": tuple(actions)})


def list_unanswered(
    plan: Plan,
    intent: Intent,
    briefing: Briefing,
    language: str,
    organization: Organization,
    text: str = "",
) -> list[str]:
    """Return the questions of a wish that no knowledge answers, as they may be shown.

    None when the plan does not answer by itself anyway. `text` are the wish's words as the letter's
    lines hold them, the same that are drafted for, so that a greeting on a line of its own is no
    part of a question.
    """
    letter = text or intent.text
    asks = intent.intent in _ASKING and intent.category is not Category.FEATURE_REQUEST
    if not asks or not plan.replies or plan.escalates:
        return []
    code = reply_language(language, organization)
    snippets = citable(briefing.snippets, code)
    asked = [question for question in questions(letter) if _is_asked(question, letter)]
    left = [question for question in asked if answer(question, snippets) is None]
    helped = situations(letter, knowledge_in(snippets), code) if left else []
    left = [question for question in left if not settles(question, helped, code)]
    return [
        line_view(text) for text in _join_questions([question.text for question in left], letter)
    ]


def _join_questions(parts: Sequence[str], letter: str) -> list[str]:
    """Return questions with those of one sentence as they stand there: *what is it, and when?*.

    Who is asked answers both at once, and the answer is for both.
    """
    joined: list[str] = []
    rest = list(parts)
    for sentence in sentences(letter):
        own = [part for part in rest if part in sentence]
        if own:
            first, last = sentence.find(own[0]), sentence.rfind(own[-1]) + len(own[-1])
            joined.append(sentence[first:last] if len(own) > 1 else own[0])
            rest = [part for part in rest if part not in own]
    return joined + rest


def _is_asked(question: AskedQuestion, wish: str) -> bool:
    """Return whether a sentence is worth an owner's time.

    It ends in a question mark and has more than one topic word; a wish is a ticket's matter.
    """
    if len(set(terms(question.text))) < _LEAST_TERMS:
        return False
    text = " ".join(wish.split())
    rest = text[text.find(question.text) :] if question.text in text else question.text
    ending = next((letter for letter in rest if letter in _ENDINGS), "")
    return bool(ending) and ending in _ASKING_MARKS


def with_question(plan: Plan, question: str, owner: str, until: datetime) -> Plan:
    """Return a plan that asks the owner and waits; its reply needs a person meanwhile."""
    why = f"The knowledge does not answer this; {owner} may."
    asking = make_action(ActionType.ASK_OWNER, why, argument=question)
    asking = asking.model_copy(update={"related": owner})
    waiting = make_action(
        ActionType.WAIT, "Until the answer is there.", argument=until.isoformat(timespec="seconds")
    )
    return plan.model_copy(update={"actions": (*_hold_replies(plan.actions), asking, waiting)})


def _hold_replies(actions: Sequence[Action]) -> tuple[Action, ...]:
    return tuple(
        action.model_copy(update={"floor": Floor.PERSON})
        if action.type is ActionType.REPLY
        else action
        for action in actions
    )
