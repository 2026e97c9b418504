"""The addressee of a message: where we stand in Cc only, its questions are somebody else's."""

from collections.abc import Collection, Sequence

from data.free_mail import free_mail_domains
from data.lexicons.drafting import LANGUAGES, phrases
from data.records.core.organization import Organization
from data.records.core.parsed_mail import ParsedMail
from data.records.mail.planning import ActionType, Plan
from tasks.core.patterns import compiled
from tasks.mail.actions import make_action

OPENING_LINES = 3
"""Filled lines at the beginning of a text in which it says whom it calls."""
LINES = 60
"""Filled lines that are looked at for a name at their beginning."""
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
    domains = {own_address.rpartition("@")[2] for own_address in own} - free_mail_domains()
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


def whole_left_to(mails: Sequence[ParsedMail], text: str, organization: Organization) -> str:
    """Return to whom a case leaves the answer; nobody where one of its messages asks us."""
    others = [left_to(mail, text, organization) for mail in mails]
    return others[-1] if others and all(others) else ""


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
    """Return whether a text turns to one of the names.

    One of its first lines greets it, or begins with it; a later one begins with the whole of it and
    a comma or a colon (*Quay Looms: could you ...*).
    """
    name_words = [name for name in (_WORD.findall(name.casefold()) for name in names) if name]
    filled = [line for line in text.split("\n") if line.strip()]
    for at, line in enumerate(filled[:LINES]):
        head, comma, _ = line.replace(":", ",").partition(",")
        words = _WORD.findall((head if comma else line[:40]).casefold())
        rest = [word for word in words if word not in _GREETINGS]
        if comma and any(rest == name for name in name_words):
            return True
        if at >= OPENING_LINES:
            continue
        greeted = bool(words) and words[0] in _GREETINGS
        called = greeted or bool(comma and len(rest) <= OPENING_LINES)
        if called and any(
            rest[: len(name)] == name or name[0] in rest[:OPENING_LINES] for name in name_words
        ):
            return True
        if greeted and any(_greets(piece, name_words) for piece in line.split(",")[1:]):
            return True
    return False


def _greets(piece: str, name_words: Sequence[Sequence[str]]) -> bool:
    """Return whether a piece of a greeting greets one more: *Dear Ben, dear Quay team*."""
    words = _WORD.findall(piece.casefold())
    return bool(words) and words[0] in _GREETINGS and any(name[0] in words for name in name_words)
