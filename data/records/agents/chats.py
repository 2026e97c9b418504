"""Chats: what people and agents say to each other (docs/agents.md#chats)."""

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints, model_validator

from data.records.agents.turn_work import Stored, TurnWork
from data.records.core.manifest_format import Listening
from data.records.core.record import Line, Record
from data.records.core.tools import Source
from data.states import ChatState

LONGEST_MESSAGE = 20_000
"""Characters of one message of a person."""


class ChatKind(StrEnum):
    """Who can see a chat, and so what may be remembered in it."""

    DIRECT = "direct"  #: one person and an agent
    TEAM = "team"  #: whoever is in a team
    ORGANIZATION = "organization"  #: whoever works in the organization
    GROUP = "group"  #: the people who are named


class ChatChannel(StrEnum):
    """By what a chat is held."""

    WINDOW = "window"  #: people write and read it
    API = "api"  #: a chat program does, and keeps what was said by itself; it is on no list


class AuthorKind(StrEnum):
    """Who says something."""

    PERSON = "person"
    AGENT = "agent"


class Viewer(Record):
    """The person who looks at chats, with what decides which are there for them."""

    user: str
    teams: frozenset[str] = frozenset()
    """Ids of the person's teams in the organization."""


class ChatMember(Record):
    """A person or an agent that takes part in a chat."""

    kind: AuthorKind
    member_id: str
    """Id of a user, slug of an agent."""
    name: str
    listening: Listening = Listening.PROACTIVE
    """Of an agent; people listen as they like."""
    joined_at: AwareDatetime
    left_at: AwareDatetime | None = None


class Chat(Record):
    """A chat without its messages."""

    id: str
    kind: ChatKind
    agent: str
    """Slug of the agent that it began with."""
    agent_why: str = ""
    """Why that one, where nobody named one."""
    team: str = ""
    """Id of the team whose chat it is."""
    owner: str
    """Id of the user who began it; a direct chat is seen by nobody else."""
    title: str
    """The first words that were said, or what its people call it."""
    channel: ChatChannel = ChatChannel.WINDOW
    about: str = ""
    """What it is about: `case:` and the id of a case, or `contact:` and an address; empty for
    nothing in particular."""
    created_at: AwareDatetime
    updated_at: AwareDatetime
    completed_at: AwareDatetime | None = None
    """Since when people are done with it; what is said there again takes that back."""


class ChatMessage(Record):
    """What a person or an agent said."""

    id: str
    chat_id: str
    place: int = Field(ge=1)
    """Counts the messages of a chat, without gaps."""
    session: int = Field(default=1, ge=1)
    """Counts the parts of a chat between long pauses; a turn is told of its own session alone."""
    author: AuthorKind
    author_id: str
    author_name: str
    text: str
    """Markdown, where an agent says it."""
    sources: tuple[Source, ...] = ()
    reply_to: str = ""
    """Id of the message that it answers, where somebody said which."""
    turn_id: str
    """The turn that it began, or that it is the answer of; empty where nobody was asked."""
    said_at: AwareDatetime


class Rating(Record):
    """What a person thinks of an answer."""

    helpful: bool
    words: str = Field(default="", max_length=1000)
    """Why, where the person says it."""


class FailedTurn(Record):
    """A turn of an agent that ended without an answer, and was not asked again."""

    turn_id: str
    asked: str
    """Id of the message that it should have answered."""
    agent: str
    """The agent's name."""
    note: str
    """Why, in a sentence."""
    unknown: bool = False
    """Whether it may have done a part of what was asked: nobody knows."""
    may_ask_again: bool = False
    """Whether who looks is who asked."""


class ChatMatter(Record):
    """What a chat is about, as it is now."""

    kind: str
    """`case` or `contact`."""
    id: str
    title: str
    """The subject of the mail, or the contact's name; a stranger wrote it."""
    gone: bool = False
    """Whether it is there no more."""


class ChartBar(Record):
    """One bar of a chart in an answer."""

    name: str
    """What it counts; may be somebody else's words."""
    figure: float


class ChatView(Record):
    """A chat with its newest messages, or those before a place."""

    chat: Chat
    mark: str = ""
    """Given back as `seen`, it asks whether anything was written since."""
    state: ChatState = ChatState.ACTIVE
    about: ChatMatter | None = None
    """What it is about; None for nothing in particular."""
    suggestions: tuple[str, ...] = ()
    """What can be asked about that, or of its agent in a chat in which nothing was said yet."""
    members: tuple[ChatMember, ...] = ()
    """Who takes part now."""
    answers_for: bool = False
    """Whether the person who asks may name, end and remove it."""
    messages: tuple[ChatMessage, ...]
    """Oldest first."""
    earlier: int = Field(ge=0)
    """How many messages stand before the first of these."""
    active: tuple[str, ...] = ()
    """Ids of turns that are under way."""
    failed: tuple[FailedTurn, ...] = ()
    """Turns that failed at answering one of these messages."""
    ratings: dict[str, Rating] = Field(default_factory=dict)
    """By the id of an answer, what the person who asks thinks of it."""
    charts: dict[str, tuple[ChartBar, ...]] = Field(default_factory=dict)
    """By the id of a turn, the chart of what was counted in it, of those that answer here."""
    work: dict[str, TurnWork] = Field(default_factory=dict)
    """By the id of a turn, what it did and what it cost, of those that answer here."""
    stored: dict[str, tuple[Stored, ...]] = Field(default_factory=dict)
    """By the id of a turn, what it stored at the word of the person who asks, of those here."""


class ChatList(Record):
    """One page of the chats that the person who asks can see, the newest first."""

    items: tuple[Chat, ...]
    total: int = Field(ge=0)
    about: dict[str, ChatMatter] = Field(default_factory=dict)
    """What those are about that are about one thing, by the chat's id."""
    states: dict[str, ChatState] = Field(default_factory=dict)
    """Where each of them is, by the chat's id."""


class NewChat(Record):
    """A chat to begin."""

    agent: str = Field(default="", max_length=63)
    """Slug of the agent to ask; where it is left out, one is chosen, and the chat says why."""
    kind: ChatKind = ChatKind.DIRECT
    team: Line = ""
    """Id of the team, for a team's chat."""
    people: tuple[Line, ...] = Field(default=(), max_length=50)
    """Ids of the other users, for a chat of a group."""
    title: str = Field(default="", max_length=80)
    about: str = Field(
        default="",
        max_length=300,
        pattern=r"^(case:[A-Za-z0-9._-]+|contact:[^\s:@]+@[^\s:@]+)?$",
    )
    """What it is about: `case:` and the id of a case, or `contact:` and the address of one."""

    @model_validator(mode="after")
    def _is_for_whom_it_names(self) -> "NewChat":
        """Refuse what would begin a chat for others than it names."""
        if self.team and self.kind is not ChatKind.TEAM:
            raise ValueError("a `team` is for a chat of the `kind` team")
        if self.people and self.kind is not ChatKind.GROUP:
            raise ValueError("`people` are for a chat of the `kind` group")
        return self


_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class ChangedChat(Record):
    """What a chat is called from now on, or that its people are done with it."""

    title: _Title | None = None
    """Null leaves its name."""
    completed: bool | None = None
    """Whether people are done with it; null leaves that as it is."""


class NewMember(Record):
    """Somebody to let into a chat, or an agent that is to listen in another way."""

    kind: AuthorKind
    member_id: Line
    listening: Listening | None = None
    """How an agent listens; null leaves it to its manifest."""


class MemberList(Record):
    """Who takes part in a chat now."""

    items: tuple[ChatMember, ...]


class Say(Record):
    """Something to say in a chat."""

    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MESSAGE)
    ]
    reply_to: Line = ""
    """Id of the message that it answers."""


class Said(Record):
    """What became of it."""

    message: ChatMessage
    turn_id: str
    """The turn of the first agent that answers; empty where none was asked."""
    turns: tuple[str, ...] = ()
    """The turns of all agents that answer."""
    absent: tuple[str, ...] = ()
    """Names behind an `@` that reach nobody: agents that are not in the chat or silent there, and,
    where all who take part are listed, names that none of them bears."""


class AnswerStyle(StrEnum):
    """How long a person likes answers."""

    CONCISE = "concise"
    STANDARD = "standard"
    DETAILED = "detailed"


class ChatPreferences(Record):
    """How a person likes answers, in every chat of an organization."""

    style: AnswerStyle = AnswerStyle.STANDARD
    language: str = Field(default="", pattern=r"^([a-z]{2})?$")
    """ISO 639-1; empty for the language of what was asked."""
