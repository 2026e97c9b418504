"""Chats: what people and agents say to each other."""

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints

from data.records.core.record import Record
from data.records.core.tools import Source

LONGEST_MESSAGE = 20_000
"""Characters of one message of a person."""


class ChatKind(StrEnum):
    """Who can see a chat, and so what may be remembered in it."""

    DIRECT = "direct"  #: one person and an agent


class AuthorKind(StrEnum):
    """Who says something."""

    PERSON = "person"
    AGENT = "agent"


class Chat(Record):
    """A chat without its messages."""

    id: str
    kind: ChatKind
    agent: str
    """Slug of the agent that answers."""
    owner: str
    """Id of the user whose chat it is; nobody else sees it."""
    title: str
    """The first words that were said."""
    created_at: AwareDatetime
    updated_at: AwareDatetime


class ChatMessage(Record):
    """What a person or an agent said."""

    id: str
    chat_id: str
    place: int = Field(ge=1)
    """Counts the messages of a chat, without gaps."""
    author: AuthorKind
    author_id: str
    author_name: str
    text: str
    """Markdown, where an agent says it."""
    sources: tuple[Source, ...] = ()
    turn_id: str
    """The turn that it began, or that it is the answer of."""
    said_at: AwareDatetime


class ChatView(Record):
    """A chat with its newest messages, or those before a place."""

    chat: Chat
    messages: tuple[ChatMessage, ...]
    """Oldest first."""
    earlier: int = Field(ge=0)
    """How many messages stand before the first of these."""
    active: tuple[str, ...] = ()
    """Ids of turns that are under way."""


class ChatList(Record):
    """One page of the chats of the person who asks, the newest first."""

    items: tuple[Chat, ...]
    total: int = Field(ge=0)


class NewChat(Record):
    """A chat to begin."""

    agent: str = Field(max_length=63)
    """Slug of the agent to ask."""


class Say(Record):
    """Something to say in a chat."""

    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MESSAGE)
    ]


class Said(Record):
    """What became of it."""

    message: ChatMessage
    turn_id: str
