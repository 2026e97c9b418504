"""Chats and what is said in them; every read names the person whose chats it may see."""

from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from data.errors import NotFoundError
from data.records.agents.chats import Chat, ChatMessage
from data.records.core.tools import Source
from data.store.core.database import Connection, first, insert, only, page, rows

_SOURCES = TypeAdapter(tuple[Source, ...])
_CHAT = ", ".join(Chat.model_fields)
_MESSAGE = ", ".join(ChatMessage.model_fields)


def add_chat(cursor: Connection, chat: Chat) -> None:
    """Begin a chat."""
    insert(cursor, "chats", [chat.model_dump()])


def chat_of(cursor: Connection, chat_id: str, owner: str) -> Chat:
    """Return a chat of a person.

    Raises:
        NotFoundError: the person has none of that id; whether another has is not said.

    """
    listed = rows(cursor, f"SELECT {_CHAT} FROM chats WHERE id = ? AND owner = ?", [chat_id, owner])
    if not listed:
        raise NotFoundError(f"you have no chat {chat_id!r}")
    return Chat.model_validate(listed[0])


def chats_of(
    cursor: Connection, owner: str, *, limit: int, offset: int
) -> tuple[tuple[Chat, ...], int]:
    """Return one page of a person's chats, the newest first, and how many there are."""
    listed, total = page(
        cursor,
        f"SELECT {_CHAT} FROM chats WHERE owner = ?",
        order="updated_at DESC, id DESC",
        given=[owner],
        limit=limit,
        offset=offset,
    )
    return tuple(Chat.model_validate(row) for row in listed), total


def messages(
    cursor: Connection, chat_id: str, *, before: int, limit: int
) -> tuple[tuple[ChatMessage, ...], int]:
    """Return the last messages before a place, oldest first, and how many stand before them."""
    listed = rows(
        cursor,
        f"SELECT {_MESSAGE} FROM chat_messages WHERE chat_id = ? AND place < ? "
        "ORDER BY place DESC LIMIT ?",
        [chat_id, before, limit],
    )
    newest_last = tuple(_message(row) for row in reversed(listed))
    return newest_last, newest_last[0].place - 1 if newest_last else 0


def message(cursor: Connection, message_id: str) -> ChatMessage:
    """Return one message.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = f"SELECT {_MESSAGE} FROM chat_messages WHERE id = ?"
    return _message(only(cursor, statement, message_id, f"there is no message {message_id!r}"))


def answer_of(cursor: Connection, turn_id: str) -> ChatMessage | None:
    """Return what an agent has said in a turn; None while it has said nothing."""
    listed = rows(
        cursor,
        f"SELECT {_MESSAGE} FROM chat_messages WHERE turn_id = ? AND author = 'agent'",
        [turn_id],
    )
    return _message(listed[0]) if listed else None


def next_place(cursor: Connection, chat_id: str) -> int:
    """Return the place of the next message of a chat."""
    last = first(cursor, "SELECT max(place) FROM chat_messages WHERE chat_id = ?", [chat_id])
    return int(last[0] or 0) + 1 if last else 1


def add_message(cursor: Connection, said: ChatMessage, title: str, now: datetime) -> None:
    """Write a message; `title` names a chat that has no name yet."""
    insert(
        cursor,
        "chat_messages",
        [said.model_dump() | {"sources": _SOURCES.dump_json(said.sources).decode()}],
    )
    cursor.execute(
        "UPDATE chats SET updated_at = ?, title = CASE WHEN title = '' THEN ? ELSE title END "
        "WHERE id = ?",
        [now, title, said.chat_id],
    )


def _message(row: dict[str, Any]) -> ChatMessage:
    return ChatMessage.model_validate(row | {"sources": _SOURCES.validate_json(row["sources"])})
