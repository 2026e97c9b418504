"""Deleting what is remembered of a person, and cutting the name out of what others know."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from unicodedata import normalize

from data.records.agents.memories import Layer, LayerKind, MemoryErased
from data.store.agents import chats, memories
from data.store.core.database import Connection, insert, records, rows

_CUT = "(erased)"
_TEXTS = {
    "memories": ("text", "context", "value", "subject", "author_name", "closed_by"),
    "memory_evidence": ("words", "said_by"),
    "business_profiles": ("markdown", "author"),
    "agents": ("installed_by",),
    "agent_versions": ("author", "note"),
    "library_entries": ("author", "note"),
    "chats": ("title",),
    "chat_messages": ("text", "author_name"),
    "chat_members": ("name",),
}
"""Where a name can stand, by table."""
_OWN = {
    "tasks": "owner",
    "calendar_events": "owner",
    "chat_ratings": "user_id",
    "chat_preferences": "user_id",
    "agent_answers": "user_id",
}
"""Tables of a person's own things, with the field that says whose they are."""
_OF_WORDS = r"\pL\pM\pN_"
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Letters of a word, and those of scripts in which words follow each other without a space."""


def erase(cursor: Connection, user_id: str, names: Sequence[str]) -> tuple[MemoryErased, list[str]]:
    """Delete what is a person's own, and cut the name elsewhere; return what the archive loses.

    Own are the layer, the chats with agents alone, tasks, events, and what was thought of answers.
    """
    layer = Layer(kind=LayerKind.USER, owner=user_id)
    own = rows(cursor, f"SELECT id FROM memories WHERE {memories.WITHIN}", [[layer.key]])
    spilled = memories.delete(cursor, (layer,), [row["id"] for row in own])
    alone = chats.alone_of(cursor, user_id)
    for chat_id in alone:
        chats.remove(cursor, chat_id)
    for table, field in _OWN.items():
        cursor.execute(f"DELETE FROM {table} WHERE {field} = ?", [user_id])
    cursor.execute("DELETE FROM notifications WHERE addressee = ?", [f"user:{user_id}".lower()])
    elsewhere = 0
    if names:
        pattern = _pattern(names)
        elsewhere = sum(_cut(cursor, table, fields, pattern) for table, fields in _TEXTS.items())
    cursor.execute("UPDATE memories SET author = '' WHERE author = ?", [user_id])
    return MemoryErased(items=len(own), elsewhere=elsewhere, chats=len(alone)), spilled


class HoldingRow(NamedTuple):
    """How much is held of one person's own."""

    user_id: str
    items: int
    chats: int
    things: int


def count_held(cursor: Connection) -> dict[str, HoldingRow]:
    """Return how much is held of each person's own, by the user's id."""
    things = " UNION ALL ".join(
        f"SELECT {field} AS user_id, 0 AS items, 0 AS chats, 1 AS things FROM {table}"
        for table, field in _OWN.items()
    )
    listed = records(
        cursor,
        HoldingRow,
        "SELECT user_id, CAST(sum(items) AS BIGINT) AS items, CAST(sum(chats) AS BIGINT) AS chats, "
        "CAST(sum(things) AS BIGINT) AS things FROM ("
        "SELECT substr(layer, 6) AS user_id, 1 AS items, 0 AS chats, 0 AS things FROM memories "
        "WHERE layer LIKE 'user:%' UNION ALL "
        "SELECT owner, 0, 1, 0 FROM chats WHERE kind = 'direct' UNION ALL "
        f"{things}) WHERE coalesce(user_id, '') <> '' GROUP BY user_id",
    )
    return {row.user_id: row for row in listed}


def _cut(cursor: Connection, table: str, fields: Sequence[str], pattern: str) -> int:
    """Put a mark in the place of what a pattern finds; return how many rows had it."""
    having = " OR ".join(f"regexp_matches({field}, $pattern)" for field in fields)
    setting = ", ".join(f"{field} = {_without(_without(field))}" for field in fields)
    changed = cursor.execute(
        f"UPDATE {table} SET {setting} WHERE {having} RETURNING 1", {"pattern": pattern}
    )
    return len(changed.fetchall())


def _without(text: str) -> str:
    """Return what puts the mark into a text; it is put twice, for two names may share a space."""
    return f"regexp_replace({text}, $pattern, '\\1{_CUT}\\3', 'g')"


def _pattern(names: Sequence[str]) -> str:
    r"""Return what finds names as whole words, in any case and however an accent is written.

    DuckDB's own `\b` takes letters of ASCII alone for those of a word.
    """
    forms = {normalize(form, name) for name in names for form in ("NFC", "NFD")}
    every = "|".join(map(_escaped, sorted(forms, key=len, reverse=True)))
    beside = f"[^{_OF_WORDS}]|[{_UNSPACED}]"
    return f"(?i)(^|{beside})({every})({beside}|$)"


def _escaped(name: str) -> str:
    """Return a name as a pattern; a letter or mark beyond ASCII stands for itself."""
    return "".join(mark if mark.isalnum() or not mark.isascii() else f"\\{mark}" for mark in name)


def order(cursor: Connection, order_id: str, files: str, actor: str, now: datetime) -> None:
    """Note what has to follow, as the erasing of a contact does; the next start finishes it."""
    insert(
        cursor,
        "erasures",
        [
            {
                "id": order_id,
                "state": "rewriting",
                "addresses": [],
                "fingerprint": "",
                "keep_learned": True,
                "asked_by": actor,
                "asked_at": now,
                "files": files,
            }
        ],
    )


def done(cursor: Connection, order_id: str) -> None:
    """Drop an order whose work is done."""
    cursor.execute("DELETE FROM erasures WHERE id = ?", [order_id])
