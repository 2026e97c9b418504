"""One question to the owner where the knowledge does not answer the sender's, instead of a guess."""

from collections.abc import Sequence
from datetime import datetime

from data.records.briefing import Briefing
from data.records.organization import Organization, Policy
from data.records.planning import Action, ActionType, Floor, Plan
from data.records.understanding import Category, Intent, IntentKind
from tasks.answer import answer, citable
from tasks.draft_names import reply_language
from tasks.draft_questions import as_shown, questions
from tasks.plan_actions import make_action

_ASKING = (IntentKind.QUESTION, IntentKind.REQUEST)


def owner_of(policy: Policy, category: Category) -> str:
    """Return who is asked about a category; empty when the policy names nobody."""
    return policy.owners.get(category.value) or policy.owners.get("default") or ""


def without_questions(plan: Plan) -> Plan:
    """Return a plan without questions to owners and waits: only code decides on them."""
    kept = [a for a in plan.actions if a.type not in (ActionType.ASK_OWNER, ActionType.WAIT)]
    if len(kept) == len(plan.actions):
        return plan
    actions = kept or [make_action(ActionType.WAIT, "A person looks at it.")]
    return plan.model_copy(update={"actions": tuple(actions)})


def unanswered(
    plan: Plan, intent: Intent, briefing: Briefing, language: str, organization: Organization
) -> str:
    """Return the first question of a wish that knowledge does not answer, as it may be shown.

    Empty when there is none, or when the plan does not answer by itself anyway.
    """
    asks = intent.intent in _ASKING and intent.category is not Category.FEATURE_REQUEST
    if not asks or not plan.replies or plan.escalates:
        return ""
    snippets = citable(briefing.snippets, reply_language(language, organization))
    for question in questions(intent.text):
        if answer(question, snippets) is None:
            return as_shown(question.text)
    return ""


def with_question(plan: Plan, question: str, owner: str, until: datetime) -> Plan:
    """Return a plan that asks the owner and waits; its reply needs a person meanwhile."""
    why = f"The knowledge does not answer this; {owner} may."
    asking = make_action(ActionType.ASK_OWNER, why, argument=question)
    waiting = make_action(
        ActionType.WAIT, "Until the answer is there.", argument=until.isoformat(timespec="seconds")
    )
    return plan.model_copy(update={"actions": (*_held(plan.actions), asking, waiting)})


def _held(actions: Sequence[Action]) -> tuple[Action, ...]:
    return tuple(
        action.model_copy(update={"floor": Floor.PERSON})
        if action.type is ActionType.REPLY
        else action
        for action in actions
    )
