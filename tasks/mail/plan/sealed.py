"""Plans for messages that nobody here could read: a person is told, and nothing is answered."""

from data.records.core.organization import Policy
from data.records.core.understanding import Category, Priority
from data.records.mail.planning import ActionType, Plan
from tasks.core.parse.content_elsewhere import (
    BEHIND_A_LINK,
    FRAGMENT,
    IN_A_PAGE,
    POINTED_TO,
    SHARED,
)
from tasks.mail.actions import make_action
from tasks.mail.plan.planning import assignee

_KEPT = frozenset({ActionType.CREATE_CONTACT, ActionType.TAG_THREAD})
_AS_ORDINARY_MAIL = "ask the sender for it as ordinary mail"
_TO_DO = {
    BEHIND_A_LINK: f"If you expect it from this sender, open the link; else {_AS_ORDINARY_MAIL}.",
    IN_A_PAGE: f"If you expect it from this sender, open the page; else {_AS_ORDINARY_MAIL}.",
    SHARED: f"If you expect files from this sender, open the link; else {_AS_ORDINARY_MAIL}.",
    FRAGMENT: "Ask the sender to send it again, whole.",
    POINTED_TO: "Ask the sender to send it within the mail.",
}
"""What a person does about each kind; what is encrypted needs a key of the person's own."""
_WITH_A_KEY = f"Read it in a mail program that has the key, or {_AS_ORDINARY_MAIL}."


def handed_over(plan: Plan, sealed: str, policy: Policy) -> Plan:
    """Return `plan` without any answer, ticket or archiving: the case goes to a person.

    `sealed` says why the message could not be read. What was understood of its subject alone is no
    ground for a reply, which would claim to have read the rest.
    """
    to_do = _TO_DO.get(sealed, _WITH_A_KEY)
    why = f"The message or a part of it is {sealed}: nobody here could read it. {to_do}"
    to = assignee(policy, Category.OTHER, Priority.NORMAL)
    actions = [action for action in plan.actions if action.type in _KEPT]
    return plan.model_copy(
        update={"actions": (make_action(ActionType.ESCALATE, why, argument=to), *actions)}
    )
