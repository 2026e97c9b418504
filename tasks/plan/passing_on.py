"""Proposing to pass a wish on to a colleague, where the policy names one for its category."""

from data.records.organization import Policy
from data.records.planning import ActionType, Plan
from data.records.understanding import Category, Intent, IntentKind
from tasks.plan.actions import make_action

_FILING = frozenset({ActionType.ARCHIVE, ActionType.TAG_THREAD, ActionType.CREATE_CONTACT})


def forward_to(policy: Policy, category: Category) -> str:
    """Return to whom mail of a category is usually passed on; empty when the policy names none."""
    return policy.forwards.get(category.value, "")


def with_forward(plan: Plan, intent: Intent, policy: Policy, sender: str) -> Plan:
    """Return a plan that proposes to pass a wish on where the policy names somebody for it.

    A forward that a model proposes gets the policy's address or none, and a person chooses. What is
    only filed away, thanks, and mail of that very colleague are not passed on.
    """
    to = forward_to(policy, intent.category)
    to = "" if to.lower() == sender.lower() else to
    kinds = {action.type for action in plan.actions}
    if ActionType.FORWARD in kinds:
        given = [
            one.model_copy(update={"argument": to}) if one.type is ActionType.FORWARD else one
            for one in plan.actions
        ]
        return plan.model_copy(update={"actions": tuple(given)})
    if not to or kinds <= _FILING or intent.intent is IntentKind.ACKNOWLEDGMENT:
        return plan
    why = f"The policy names {to} for {intent.category.value}."
    made = make_action(ActionType.FORWARD, why, argument=to)
    return plan.model_copy(update={"actions": (made, *plan.actions)})
