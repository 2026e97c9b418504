"""Plans for messages that nobody here could read: a person is told, and nothing is answered."""

from data.records.core.organization import Policy
from data.records.core.understanding import Category, Priority
from data.records.mail.planning import ActionType, Plan
from tasks.plan.actions import make_action
from tasks.plan.planning import assignee

_KEPT = frozenset({ActionType.CREATE_CONTACT, ActionType.TAG_THREAD})


def handed_over(plan: Plan, sealed: str, policy: Policy) -> Plan:
    """Return `plan` without any answer, ticket or archiving: the case goes to a person.

    `sealed` says why the message could not be read. What was understood of its subject alone is no
    ground for a reply, which would claim to have read the rest.
    """
    why = f"The message or a part of it is {sealed}: nobody here could read it."
    to = assignee(policy, Category.OTHER, Priority.NORMAL)
    actions = [action for action in plan.actions if action.type in _KEPT]
    return plan.model_copy(
        update={"actions": (make_action(ActionType.ESCALATE, why, argument=to), *actions)}
    )
