"""Who answers what is said in a chat."""

from datetime import UTC, datetime

import pytest

from data.records.agents.chats import AuthorKind, ChatKind, ChatMember
from data.records.core.manifest_format import Listening
from tasks.agents.addressing import (
    cut_mentions,
    is_overheard,
    list_absent_names,
    list_answering_agents,
)

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)


def agent(slug: str, listening: Listening = Listening.MENTION, name: str = "") -> ChatMember:
    """Return an agent that takes part."""
    return ChatMember(
        kind=AuthorKind.AGENT,
        member_id=slug,
        name=name or slug.title(),
        listening=listening,
        joined_at=NOW,
    )


def human(name: str) -> ChatMember:
    """Return a person who takes part."""
    return ChatMember(kind=AuthorKind.PERSON, member_id=f"user-{name}", name=name, joined_at=NOW)


MENTION, PROACTIVE, SILENT = Listening.MENTION, Listening.PROACTIVE, Listening.SILENT
DESK, LIBRARIAN = agent("desk"), agent("librarian")
TEAM = [human("Ida"), human("Tom"), DESK, LIBRARIAN]


@pytest.mark.parametrize(
    ("text", "members", "answering"),
    [
        # Alone with a person an agent needs no mention, however it listens.
        ("What is urgent?", [human("Ida"), DESK], ["desk"]),
        ("Hello @ all", [human("Ida"), DESK], ["desk"]),
        # Where several are there, who is named answers, in the order of naming.
        ("What is urgent?", TEAM, []),
        ("@desk what is urgent?", TEAM, ["desk"]),
        ("(@Librarian, @desk): what is a warp beam, and who asked?", TEAM, ["librarian", "desk"]),
        ("@desk @desk, twice", TEAM, ["desk"]),
        ("Ask @desk.", TEAM, ["desk"]),
        # Naming a person, or nobody who is there, asks no agent.
        ("@tom could you look?", TEAM, []),
        ("@nobody what is urgent?", [*TEAM[:2], agent("desk", PROACTIVE)], []),
        # An address of mail is no mention.
        ("write to ana@desk.example", TEAM, []),
        ("@@desk", TEAM, []),
        # Proactive ones answer what is said to nobody; silent ones never.
        ("What is urgent?", [*TEAM[:2], agent("desk", PROACTIVE), LIBRARIAN], ["desk"]),
        ("@librarian and?", [*TEAM[:2], agent("desk", PROACTIVE), LIBRARIAN], ["librarian"]),
        ("@desk?", [*TEAM[:2], agent("desk", SILENT)], []),
        ("What is urgent?", [human("Ida"), agent("desk", SILENT)], []),
        # A name of several words is joined by hyphens.
        ("@help-desk hi", [*TEAM[:2], agent("h1", MENTION, "Help Desk")], ["h1"]),
        # Two agents beside one person are several.
        ("What is urgent?", [human("Ida"), DESK, LIBRARIAN], []),
    ],
)
def test_who_is_asked_answers(text: str, members: list[ChatMember], answering: list[str]) -> None:
    """What is said reaches those whom it is said to."""
    assert list_answering_agents(text, ChatKind.GROUP, members) == answering


@pytest.mark.parametrize(
    ("text", "kind", "absent"),
    [
        ("@desk @Tom and @ida, look", ChatKind.GROUP, ()),
        ("@rolodex who is Ana? @nobody, @Nobody?", ChatKind.GROUP, ("rolodex", "nobody")),
        ("@helpdesk hi", ChatKind.DIRECT, ("helpdesk",)),
        ("write to ana@desk.example", ChatKind.GROUP, ()),
        # Who of a team has said nothing yet is not listed, and may be meant.
        ("@rolodex and @maud, look", ChatKind.TEAM, ("rolodex",)),
        ("@maud, look", ChatKind.ORGANIZATION, ()),
        # One that is silent here hears nothing.
        ("@analyst and @desk, look", ChatKind.TEAM, ("analyst",)),
        # An agent's name of several words is no first name: the first alone reaches nobody.
        ("@Night desk, who is on call?", ChatKind.GROUP, ("night",)),
        ("@Night desk, who is on call?", ChatKind.TEAM, ("night",)),
        ("@night-desk, @watch and @night, look", ChatKind.TEAM, ()),
    ],
)
def test_names_that_reach_nobody_are_told(
    text: str, kind: ChatKind, absent: tuple[str, ...]
) -> None:
    """Who writes to somebody that is not there hears so, and does not wait."""
    there = [*TEAM, agent("analyst", SILENT), agent("watch", name="Night Desk")]
    assert list_absent_names(text, kind, there, {"desk", "rolodex", "analyst"}) == absent


def test_who_has_left_is_not_there() -> None:
    """Neither to be named nor to be counted."""
    gone = LIBRARIAN.model_copy(update={"left_at": NOW})
    assert list_answering_agents(
        "What is urgent?", ChatKind.DIRECT, [human("Ida"), DESK, gone]
    ) == ["desk"]
    assert list_answering_agents("@librarian?", ChatKind.DIRECT, [human("Ida"), DESK, gone]) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("@desk what is urgent?", "what is urgent?"),
        ("What is urgent, @desk?", "What is urgent"),
        ("@desk, @librarian: hello", "hello"),
        ("write to ana@desk.example", "write to ana@desk.example"),
        ("@desk\nfirst line\n  second line", "first line\n  second line"),
        ("@desk", ""),
    ],
)
def test_names_are_no_part_of_what_is_asked(text: str, left: str) -> None:
    """What is said is read without the names of those to whom it is said."""
    assert cut_mentions(text) == left


@pytest.mark.parametrize("kind", [ChatKind.TEAM, ChatKind.ORGANIZATION])
def test_in_a_chat_of_a_team_nobody_is_alone_with_an_agent(kind: ChatKind) -> None:
    """Those who are in the team read it without having come into the chat by name."""
    assert list_answering_agents("Who is on call?", kind, [human("Ida"), DESK]) == []
    assert list_answering_agents("@desk what is urgent?", kind, [human("Ida"), DESK]) == ["desk"]


def test_an_agent_overhears_what_is_said_to_nobody() -> None:
    """What is said to it by name, or alone with it, it is asked."""
    assert is_overheard("Who is on call?", ChatKind.ORGANIZATION, [human("Ida"), DESK])
    assert is_overheard("Who is on call?", ChatKind.GROUP, TEAM)
    assert not is_overheard("@desk who is on call?", ChatKind.GROUP, TEAM)
    assert not is_overheard("Who is on call?", ChatKind.DIRECT, [human("Ida"), DESK])
