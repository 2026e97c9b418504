"""Chats and what is said in them; who looks for a chat is named, and sees what they may."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from data.ids import new_id
from data.records.agents.chats import (
    AuthorKind,
    Chat,
    ChatChannel,
    ChatKind,
    ChatMember,
    ChatMessage,
    ChatPreferences,
    Rating,
    Viewer,
)
from data.records.core.tools import Source
from data.store.core.database import Connection
from data.store.core.statements import (
    RowPage,
    columns,
    first,
    insert,
    one_record,
    records,
    validate_one,
    validate_page,
    validate_rows,
)

_SOURCES = TypeAdapter(tuple[Source, ...])
"""Reads and writes the sources of a message as JSON."""
_CHAT = ", ".join(Chat.model_fields)
"""Columns of a chat."""
_MEMBER = ", ".join(ChatMember.model_fields)
"""Columns of a member."""
_SEEN = """(
    (kind = 'direct' AND owner = ?)
    OR (kind = 'team' AND list_contains(?::VARCHAR[], team))
    OR kind = 'organization'
    OR (kind = 'group' AND id IN (
        SELECT chat_id FROM chat_members
        WHERE kind = 'person' AND member_id = ? AND left_at IS NULL
    ))
)"""
"""Condition on a chat: a person may see it. Its parameters are what `_parameters_of` returns.

To plan `EXISTS` takes a quarter longer, and nearly every call about a chat asks this.
"""


_HAS_WORDS = """(
    contains(lower(title), lower(?)) OR EXISTS (
        SELECT 1 FROM chat_messages s
        WHERE s.chat_id = chats.id AND contains(lower(s.text), lower(?))
    )
)"""
_HAS_DAY = """EXISTS (
    SELECT 1 FROM chat_messages d
    WHERE d.chat_id = chats.id AND timezone(?, d.said_at)::DATE = ?::DATE
)"""
"""Conditions on a chat of a list, each planned where it is asked for: that takes longer than the
rest of the statement.
"""


class _MessageRow(NamedTuple):
    """One message; its sources are still JSON."""

    id: str
    chat_id: str
    place: int
    session: int
    author: str
    author_id: str
    author_name: str
    text: str
    sources: str
    reply_to: str
    turn_id: str
    said_at: datetime

    @property
    def message(self) -> ChatMessage:
        """The message as it is worked with."""
        read = {"sources": _SOURCES.validate_json(self.sources)}
        return ChatMessage.model_validate(self._asdict() | read)


_MESSAGE = columns(_MessageRow)


class Author(NamedTuple):
    """Who says something."""

    kind: AuthorKind
    id: str
    name: str


def add_chat(cursor: Connection, chat: Chat, members: Sequence[ChatMember]) -> None:
    """Begin a chat with its members."""
    insert(cursor, "chats", [chat.model_dump()])
    for member in members:
        set_member(cursor, chat.id, member)


def read_chat(cursor: Connection, chat_id: str, viewer: Viewer) -> Chat:
    """Return a chat that a person may see.

    Raises:
        NotFoundError: there is none of that id for the person; whether for others is not said.

    """
    statement = f"SELECT {_CHAT} FROM chats WHERE id = ? AND {_SEEN}"
    missing = f"you have no chat {chat_id!r}"
    return validate_one(cursor, Chat, statement, [chat_id, *_parameters_of(viewer)], missing)


def read_chat_of_turn(cursor: Connection, turn_id: str) -> Chat:
    """Return the chat of a turn, whoever may see it: for those who work on the turn.

    Raises:
        NotFoundError: its people have removed it.

    """
    statement = f"SELECT {_CHAT} FROM chats WHERE id = (SELECT chat_id FROM turns WHERE id = ?)"
    return validate_one(cursor, Chat, statement, [turn_id], "the chat was removed")


def list_page(
    cursor: Connection,
    viewer: Viewer,
    *,
    words: str = "",
    about: str = "",
    day: date | None = None,
    zone: str = "UTC",
    limit: int,
    offset: int,
) -> RowPage[Chat]:
    """Return one page of the chats that a person may see, the newest first, and how many there are.

    `words` takes only those in whose title or messages they stand, whatever their case; `about`
    those that are about one thing: `case:` and an id, or `contact:` and an address; `day` those in
    which something was said on that day in a time zone.
    """
    conditions, parameters = [_SEEN, "channel = 'window'"], _parameters_of(viewer)
    if about:
        conditions.append("about = ?")
        parameters.append(about)
    if words:
        conditions.append(_HAS_WORDS)
        parameters += [words, words]
    if day is not None:
        conditions.append(_HAS_DAY)
        parameters += [zone, day]
    return validate_page(
        cursor,
        Chat,
        f"SELECT {_CHAT} FROM chats WHERE {' AND '.join(conditions)}",
        order="updated_at DESC, id DESC",
        parameters=parameters,
        limit=limit,
        offset=offset,
    )


def count_team_chats(cursor: Connection, team_id: str) -> int:
    """Return how many chats a team has."""
    statement = "SELECT count(*) FROM chats WHERE kind = 'team' AND team = ?"
    (count,) = first(cursor, statement, [team_id]) or (0,)
    return int(count)


def rename(cursor: Connection, chat_id: str, title: str) -> None:
    """Give a chat another title."""
    cursor.execute("UPDATE chats SET title = ? WHERE id = ?", [title, chat_id])


def complete(cursor: Connection, chat_id: str, now: datetime) -> None:
    """Note that people are done with a chat; `reopen` takes it back."""
    cursor.execute("UPDATE chats SET completed_at = ? WHERE id = ?", [now, chat_id])


def reopen(cursor: Connection, chat_id: str) -> None:
    """Note that people are not done with a chat any more."""
    cursor.execute(
        "UPDATE chats SET completed_at = NULL WHERE id = ? AND completed_at IS NOT NULL", [chat_id]
    )


def note_turn(cursor: Connection, begun_by: ChatMessage, turn_id: str) -> ChatMessage:
    """Note which turn a message has begun; return the message with it."""
    cursor.execute("UPDATE chat_messages SET turn_id = ? WHERE id = ?", [turn_id, begun_by.id])
    return begun_by.model_copy(update={"turn_id": turn_id})


def remove(cursor: Connection, chat_id: str) -> None:
    """Remove a chat with all that was said and done in it."""
    cursor.execute(
        "DELETE FROM chat_ratings WHERE message_id IN "
        "(SELECT id FROM chat_messages WHERE chat_id = ?)",
        [chat_id],
    )
    cursor.execute(
        "DELETE FROM approvals WHERE kind = 'tool_call' "
        "AND split_part(subject_id, '.', 1) IN (SELECT id FROM turns WHERE chat_id = ?)",
        [chat_id],
    )
    cursor.execute("DELETE FROM notifications WHERE kind = 'call' AND subject_id = ?", [chat_id])
    cursor.execute(
        "DELETE FROM turns_to_show WHERE turn_id IN (SELECT id FROM turns WHERE chat_id = ?)",
        [chat_id],
    )
    cursor.execute(
        "DELETE FROM chat_shadows WHERE turn_id IN (SELECT id FROM turns WHERE chat_id = ?)",
        [chat_id],
    )
    cursor.execute(
        "DELETE FROM model_messages WHERE turn IN (SELECT id FROM turns WHERE chat_id = ?)",
        [chat_id],
    )
    cursor.execute(
        "DELETE FROM turn_moves WHERE turn_id IN (SELECT id FROM turns WHERE chat_id = ?)",
        [chat_id],
    )
    for table in ("turns", "chat_messages", "chat_members"):
        cursor.execute(f"DELETE FROM {table} WHERE chat_id = ?", [chat_id])
    cursor.execute("DELETE FROM chats WHERE id = ?", [chat_id])


def list_idle_of_programs(cursor: Connection, before: datetime) -> list[str]:
    """Return the ids of programs' chats without a word since `before` and without active turn."""
    listed = cursor.execute(
        f"SELECT id FROM chats WHERE channel = '{ChatChannel.API}' AND updated_at < ? "
        "AND id NOT IN (SELECT chat_id FROM turns WHERE state = 'active')",
        [before],
    ).fetchall()
    return [str(chat_id) for (chat_id,) in listed]


def list_direct(cursor: Connection, user_id: str) -> list[str]:
    """Return the ids of a person's direct chats: those with agents that nobody else sees."""
    listed = cursor.execute(
        f"SELECT id FROM chats WHERE kind = '{ChatKind.DIRECT}' AND owner = ?", [user_id]
    ).fetchall()
    return [str(chat_id) for (chat_id,) in listed]


def list_members(cursor: Connection, chat_id: str) -> tuple[ChatMember, ...]:
    """Return who takes part in a chat now, in the order of their coming."""
    listed = validate_rows(
        cursor,
        ChatMember,
        f"SELECT {_MEMBER} FROM chat_members WHERE chat_id = ? AND left_at IS NULL "
        "ORDER BY joined_at, kind DESC, member_id",
        [chat_id],
    )
    return tuple(listed)


def set_member(cursor: Connection, chat_id: str, member: ChatMember) -> None:
    """Let somebody take part from now on; who does already takes part in this way from then on."""
    end_membership(cursor, chat_id, member.kind, member.member_id, member.joined_at)
    insert(cursor, "chat_members", [member.model_dump() | {"chat_id": chat_id}])


def end_membership(
    cursor: Connection, chat_id: str, kind: AuthorKind, member_id: str, now: datetime
) -> bool:
    """Let somebody take part no longer; return whether they did."""
    ended = cursor.execute(
        "UPDATE chat_members SET left_at = ? WHERE chat_id = ? AND kind = ? AND member_id = ? "
        "AND left_at IS NULL RETURNING 1",
        [now, chat_id, kind, member_id],
    )
    return bool(ended.fetchall())


def end_memberships(cursor: Connection, slug: str, now: datetime) -> None:
    """Let an agent take part in no chat any longer."""
    cursor.execute(
        "UPDATE chat_members SET left_at = ? "
        f"WHERE kind = '{AuthorKind.AGENT}' AND member_id = ? AND left_at IS NULL",
        [now, slug],
    )


def list_messages(
    cursor: Connection, chat_id: str, *, before: int, limit: int, session: int = 0
) -> RowPage[ChatMessage]:
    """Return the last messages before a place, oldest first, and how many the chat has before them.

    `session` takes only those of one session, 0 of all.
    """
    listed = records(
        cursor,
        _MessageRow,
        f"SELECT {_MESSAGE} FROM chat_messages WHERE chat_id = ? AND place < ? "
        "AND (? = 0 OR session = ?) ORDER BY place DESC LIMIT ?",
        [chat_id, before, session, session, limit],
    )
    newest_last = [row.message for row in reversed(listed)]
    return RowPage(newest_last, newest_last[0].place - 1 if newest_last else 0)


def read_message(cursor: Connection, message_id: str) -> ChatMessage:
    """Return one message.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = f"SELECT {_MESSAGE} FROM chat_messages WHERE id = ?"
    missing = f"there is no message {message_id!r}"
    return one_record(cursor, _MessageRow, statement, message_id, missing).message


def find_answer(cursor: Connection, turn_id: str) -> ChatMessage | None:
    """Return what an agent has said in a turn; None while it has said nothing."""
    listed = records(
        cursor,
        _MessageRow,
        f"SELECT {_MESSAGE} FROM chat_messages WHERE turn_id = ? AND author = 'agent'",
        [turn_id],
    )
    return listed[0].message if listed else None


def add_message(
    cursor: Connection,
    chat_id: str,
    author: Author,
    text: str,
    *,
    now: datetime,
    pause: timedelta,
    title: str = "",
    sources: tuple[Source, ...] = (),
    reply_to: str = "",
    turn_id: str = "",
) -> ChatMessage:
    """Write what somebody says as the last message of a chat, and return it.

    A pause that is longer than `pause` begins a session; `title` names a chat that has no name yet.
    """
    last = first(
        cursor,
        "SELECT place, session, said_at FROM chat_messages WHERE chat_id = ? "
        "ORDER BY place DESC LIMIT 1",
        [chat_id],
    )
    place, session, said_at = last or (0, 1, now)
    chat_message = ChatMessage(
        id=new_id(now),
        chat_id=chat_id,
        place=int(place) + 1,
        session=int(session) + (now - said_at > pause),
        author=author.kind,
        author_id=author.id,
        author_name=author.name,
        text=text,
        sources=sources,
        reply_to=reply_to,
        turn_id=turn_id,
        said_at=now,
    )
    message_row = chat_message.model_dump() | {"sources": _SOURCES.dump_json(sources).decode()}
    insert(cursor, "chat_messages", [message_row])
    cursor.execute(
        "UPDATE chats SET updated_at = ?, title = CASE WHEN title = '' THEN ? ELSE title END "
        "WHERE id = ?",
        [now, title, chat_id],
    )
    return chat_message


def keep_rating(
    cursor: Connection, message_id: str, user_id: str, rating: Rating | None, now: datetime
) -> None:
    """Keep what a person thinks of an answer; None takes it back."""
    cursor.execute(
        "DELETE FROM chat_ratings WHERE message_id = ? AND user_id = ?", [message_id, user_id]
    )
    if rating is not None:
        rating_row = rating.model_dump() | {
            "message_id": message_id,
            "user_id": user_id,
            "rated_at": now,
        }
        insert(cursor, "chat_ratings", [rating_row])


def list_ratings(cursor: Connection, message_ids: Sequence[str], user_id: str) -> dict[str, Rating]:
    """Return what a person thinks of these answers, by their ids."""
    rated = cursor.execute(
        "SELECT message_id, helpful, words FROM chat_ratings "
        "WHERE user_id = ? AND message_id IN (SELECT unnest(?::VARCHAR[]))",
        [user_id, list(message_ids)],
    ).fetchall()
    return {message: Rating(helpful=helpful, words=words) for message, helpful, words in rated}


def read_preferences(cursor: Connection, user_id: str) -> ChatPreferences:
    """Return how a person likes answers."""
    listed = validate_rows(
        cursor,
        ChatPreferences,
        "SELECT style, language FROM chat_preferences WHERE user_id = ?",
        [user_id],
    )
    return listed[0] if listed else ChatPreferences()


def set_preferences(cursor: Connection, user_id: str, preferred: ChatPreferences) -> None:
    """Keep how a person likes answers."""
    cursor.execute("DELETE FROM chat_preferences WHERE user_id = ?", [user_id])
    insert(cursor, "chat_preferences", [preferred.model_dump() | {"user_id": user_id}])


def _parameters_of(viewer: Viewer) -> list[Any]:
    """Return the parameters of `_SEEN` for a person."""
    return [viewer.user, sorted(viewer.teams), viewer.user]
