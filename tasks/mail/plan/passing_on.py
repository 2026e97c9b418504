"""Proposing to pass a wish on to a colleague, where the policy names one for its category."""

from data.records.core.organization import Organization, Policy
from data.records.core.understanding import Category, Intent, IntentKind
from data.records.mail.planning import Action, ActionType, Audience, Plan
from tasks.mail.actions import make_action

_FILING = frozenset({ActionType.ARCHIVE, ActionType.TAG_THREAD, ActionType.CREATE_CONTACT})


def forward_to(policy: Policy, category: Category) -> str:
    """Return to whom mail of a category is usually passed on; empty when the policy names none."""
    return policy.forwards.get(category.value, "")


def with_forward(
    plan: Plan, intent: Intent, policy: Policy, sender: str, organization: Organization
) -> Plan:
    """Return a plan that proposes to pass a wish on where the policy names somebody for it.

    A forward that a model proposes gets the policy's address or none, and a person chooses. What is
    only filed away, thanks, and mail of that very colleague are not passed on. To whom it goes of
    the organization, it goes inside; a person says yes all the same.
    """
    to = forward_to(policy, intent.category)
    to = "" if to.lower() == sender.lower() else to
    kinds = {action.type for action in plan.actions}
    if ActionType.FORWARD in kinds:
        aimed = [
            _aimed(plan_action, to, organization)
            if plan_action.type is ActionType.FORWARD
            else plan_action
            for plan_action in plan.actions
        ]
        return plan.model_copy(update={"actions": tuple(aimed)})
    if not to or kinds <= _FILING or intent.intent is IntentKind.ACKNOWLEDGMENT:
        return plan
    why = f"The policy names {to} for {intent.category.value}."
    forward = _aimed(make_action(ActionType.FORWARD, why), to, organization)
    return plan.model_copy(update={"actions": (forward, *plan.actions)})


def _aimed(action: Action, to: str, organization: Organization) -> Action:
    """Return a forward to this address, as what it is for those who read the plan."""
    folded = to.casefold()
    domains = {address.rpartition("@")[2].casefold() for address in organization.own_addresses}
    people = {person.email.casefold() for person in organization.people}
    updates: dict[str, object] = {"argument": to}
    if to and (folded in people or folded.rpartition("@")[2] in domains):
        updates |= {"audience": Audience.INSIDE, "outside_effect": False}
    return action.model_copy(update=updates)
