"""Whom a message is for: where we stand in Cc only, its questions are somebody else's."""

from collections.abc import Collection

from data.lexicons.drafting import LANGUAGES, phrases
from data.records.core.organization import Organization
from data.records.mail.mail import ParsedMail
from data.records.mail.planning import ActionType, Plan
from tasks.patterns import compiled
from tasks.plan.actions import make_action

OPENING_LINES = 3
"""Filled lines at the beginning of a text in which it says whom it calls."""
_TO_OTHERS = frozenset(
    {ActionType.REPLY, ActionType.ASK_OWNER, ActionType.WAIT, ActionType.CREATE_TICKET}
)
_WORD = compiled(r"[\p{L}\p{N}]+")
_GREETINGS = frozenset(
    word
    for code in LANGUAGES
    for word in _WORD.findall(phrases(code).greeting.replace("{name}", "").casefold())
) | frozenset({"dear", "hi", "hey", "liebe", "lieber", "liebes", "sehr", "geehrte", "guten", "tag"})


def left_to(mail: ParsedMail, text: str, organization: Organization) -> str:
    """Return to whom a message leaves the answer, where none is asked of us; else nothing.

    That is the first of To, where we stand in Cc alone, nobody of ours stands in To, and the text
    calls us by no name at its beginning. `text` is what the sender wrote now.
    """
    own = {one.casefold() for one in organization.own_addresses}
    domains = {own_address.rpartition("@")[2] for own_address in own}
    people = {person.email.casefold() for person in organization.people}

    def ours(address: str) -> bool:
        folded = address.casefold()
        bare = f"{folded.partition('@')[0].partition('+')[0]}@{folded.rpartition('@')[2]}"
        return bare in own or folded in people or folded.rpartition("@")[2] in domains

    copied = any(ours(mailbox.email) for mailbox in mail.cc)
    if not mail.to or not copied or any(ours(mailbox.email) for mailbox in mail.to):
        return ""
    if mail.sender is not None and all(
        mailbox.email.casefold() == mail.sender.email.casefold() for mailbox in mail.to
    ):
        return ""  # who writes to himself writes to those in Cc
    names_known = {organization.name, *(person.name for person in organization.people)}
    if _calls(text, {name for name in names_known if name}):
        return ""
    return mail.to[0].name or mail.to[0].email


def without_answer(plan: Plan, other: str) -> Plan:
    """Return a plan that answers nothing and leaves it to `other`; who is handed it, is handed it.

    An empty `other` leaves the plan as it is.
    """
    if not other:
        return plan
    actions = [action for action in plan.actions if action.type not in _TO_OTHERS]
    if not any(action.type in (ActionType.ARCHIVE, ActionType.ESCALATE) for action in actions):
        why = f"It is written to {other}, and we stand in Cc only."
        actions = [make_action(ActionType.ARCHIVE, why), *actions]
    return plan.model_copy(update={"actions": tuple(actions), "left_to": other})


def _calls(text: str, names: Collection[str]) -> bool:
    """Return whether one of the first lines greets one of the names, or begins with it."""
    name_words = [_WORD.findall(name.casefold()) for name in names]
    filled = [line for line in text.split("\n") if line.strip()]
    for line in filled[:OPENING_LINES]:
        head, comma, _ = line.partition(",")
        words = _WORD.findall((head if comma else line[:40]).casefold())
        greeted = bool(words) and words[0] in _GREETINGS
        rest = [word for word in words if word not in _GREETINGS]
        called = greeted or bool(comma and len(rest) <= OPENING_LINES)
        if called and any(
            name and (rest[: len(name)] == name or name[0] in rest[:OPENING_LINES])
            for name in name_words
        ):
            return True
    return False
