"""The agents that answer what is said in a chat (document 000 section 13, feature 64).

Alone with a person an agent needs no mention. Where several are there, whoever is named answers;
where nobody is named, those that listen proactively do. An agent is never asked by another one.
"""

from collections.abc import Collection, Sequence
from itertools import takewhile

from data.records.agents.chats import AuthorKind, ChatKind, ChatMember
from data.records.core.manifest_format import Listening


def list_answering_agents(text: str, kind: ChatKind, members: Sequence[ChatMember]) -> list[str]:
    """Return the slugs of the agents that answer what a person said, in the order of naming.

    Nobody answers where only people, or names that nobody has, are mentioned. In a chat of a team
    or of the organization nobody is alone with an agent, however few have said something.
    """
    agents = [
        member for member in members if member.kind is AuthorKind.AGENT and member.left_at is None
    ]
    awake = {agent.member_id: agent for agent in agents if agent.listening is not Listening.SILENT}
    mentioned = _list_mentioned(text)
    if mentioned:
        by_name = {slug.casefold(): slug for slug in awake}
        by_name |= {one.name.casefold().replace(" ", "-"): slug for slug, one in awake.items()}
        return list(dict.fromkeys(by_name[name] for name in mentioned if name in by_name))
    if _is_alone(kind, members):
        return list(awake)
    return [slug for slug, one in awake.items() if one.listening is Listening.PROACTIVE]


def list_absent_names(
    text: str, kind: ChatKind, members: Sequence[ChatMember], installed: Collection[str]
) -> tuple[str, ...]:
    """Return the mentioned names that reach nobody, folded, in the order of naming.

    An agent that is silent here is reached by nobody, as one that is not there. A person is meant
    by a first name too; of an agent's name of several words the first reaches nobody: *@Night desk*
    has to be *@night-desk*. A chat of a team or of the organization lists of its people only those
    who have said something: there a name counts only where it is that of one of the `installed`
    agents (slugs), or where the whole name of one that is there is written apart.
    """
    there: set[str] = set()
    apart: set[str] = set()
    for member in members:
        if member.left_at is not None or member.listening is Listening.SILENT:
            continue
        name = member.name.casefold()
        there |= {member.member_id.casefold(), name.replace(" ", "-")}
        if member.kind is AuthorKind.PERSON:
            there.add(name.split(" ")[0])
        elif f"@{name}" in text.casefold():
            apart.add(name.split(" ")[0])
    complete = kind in (ChatKind.DIRECT, ChatKind.GROUP)
    names = dict.fromkeys(name for name in _list_mentioned(text) if name not in there)
    return tuple(name for name in names if complete or name in installed or name in apart)


def is_overheard(text: str, kind: ChatKind, members: Sequence[ChatMember]) -> bool:
    """Whether agents answer only because they listen: nobody is named, and several are there."""
    return not _list_mentioned(text) and not _is_alone(kind, members)


def _is_alone(kind: ChatKind, members: Sequence[ChatMember]) -> bool:
    """Return whether one agent is alone with one person."""
    if kind not in (ChatKind.DIRECT, ChatKind.GROUP):
        return False
    there = [member.kind for member in members if member.left_at is None]
    return there.count(AuthorKind.PERSON) <= 1 and there.count(AuthorKind.AGENT) == 1


def cut_mentions(text: str) -> str:
    """Return what is said without the names of those to whom it is said."""
    return "\n".join(
        " ".join(word for word in line.split(" ") if not _list_mentioned(word)).strip(" ,:;")
        if "@" in line
        else line
        for line in text.splitlines()
    ).strip()


def _list_mentioned(text: str) -> list[str]:
    """Return the names behind an `@`; an address of mail has letters before it, and is none."""
    words = (word.lstrip("(\"'*_,;") for word in text.split())
    names_mentioned = (word[1:].split("@")[0] for word in words if word.startswith("@"))
    names = ("".join(takewhile(_is_name_letter, name)).rstrip(".-") for name in names_mentioned)
    return [name.casefold() for name in names if name]


def _is_name_letter(letter: str) -> bool:
    """Return whether a letter can stand in a name."""
    return letter.isalnum() or letter in "-_."
