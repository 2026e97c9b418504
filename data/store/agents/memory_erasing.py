"""Deleting what is remembered of a person, and cutting the name out of what others know."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from unicodedata import normalize

import orjson
from pydantic import JsonValue

from data.records.agents.memories import Layer, LayerKind, MemoryErased
from data.store.agents import chats, memories
from data.store.core import histories, leftovers
from data.store.core.database import Connection
from data.store.core.statements import insert, records, rows

_CUT = "(erased)"
_TEXTS = {
    "memories": ("text", "context", "value", "subject", "author_name", "closed_by"),
    "memory_evidence": ("words", "said_by"),
    "business_profiles": ("markdown", "author"),
    "agents": ("installed_by",),
    "agent_versions": ("author", "note"),
    "library_entries": ("author", "note"),
    "chats": ("title",),
    "chat_messages": ("text", "author_name", "sources"),
    "chat_members": ("name",),
    "chat_ratings": ("words",),
    "chat_shadows": ("would_say",),
    "chat_intents": ("changed_by",),
    "turns": ("note",),
    "turn_moves": ("given", "result"),
    "tasks": ("title",),
    "calendar_events": ("title", "place", "added_by"),
    "agent_answers": ("value",),
    "notifications": ("sentence",),
    "approvals": ("summary", "note", "opened_by", "decided_by"),
    "learned_entries": ("title", "body", "before"),
}
"""Where a name can stand, by table."""
_ONLY = {"approvals": "kind = 'tool_call'", "learned_entries": "origin = 'agent'"}
"""Where only some rows of a table tell what agents were told."""
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


class LongText(NamedTuple):
    """A text of which the archive has the whole, with the name cut out of it."""

    before: str
    """The hash that items of memory name."""
    after: str
    """The hash of what is left; empty where that has room in the state."""
    size: int
    """Octets of what is left."""
    text: str
    """Its beginning, as the state has it."""


def list_spilled_elsewhere(cursor: Connection, user_id: str) -> list[str]:
    """Return the hashes of the long texts that are remembered in layers of others."""
    rows_found = cursor.execute(
        "SELECT DISTINCT spilled FROM memories WHERE spilled <> '' AND layer <> ? ORDER BY spilled",
        [Layer(kind=LayerKind.USER, owner=user_id).key],
    ).fetchall()
    return [str(row[0]) for row in rows_found]


def cut_names(cursor: Connection, text: str, names: Sequence[str]) -> str:
    """Return a text with a mark in the place of each of these names."""
    if not names:
        return text
    statement = (
        f"SELECT {_build_marking(_build_marking('text'))} FROM (SELECT $text::VARCHAR AS text)"
    )
    row = cursor.execute(statement, {"pattern": _build_pattern(names), "text": text}).fetchone()
    return str(row[0]) if row else text


class PersonErased(NamedTuple):
    """What an erasure of a person took away, and which files of the archive nothing names now."""

    erased: MemoryErased
    files: list[str]
    """By SHA-256."""


def erase_person(
    cursor: Connection,
    user_id: str,
    names: Sequence[str],
    now: datetime,
    long_texts: Sequence[LongText] = (),
) -> PersonErased:
    """Delete what is a person's own, and cut the name elsewhere; return what the archive loses.

    Own are the layer, the chats with agents alone, tasks, events, and what was thought of answers.
    What models were asked that names the person goes. `long_texts` are those with the name.
    """
    layer = Layer(kind=LayerKind.USER, owner=user_id)
    statement = f"SELECT id FROM memories WHERE {memories.WITHIN}"
    own_ids = [memory_id for (memory_id,) in cursor.execute(statement, [[layer.key]]).fetchall()]
    spilled = memories.delete(cursor, (layer,), own_ids, now)
    elsewhere = sum(_replace_long_text(cursor, long_text) for long_text in long_texts)
    left_over = leftovers.list_without_owner(cursor, [long_text.before for long_text in long_texts])
    leftovers.note(cursor, left_over, now)
    alone = chats.list_direct(cursor, user_id)
    for chat_id in alone:
        chats.remove(cursor, chat_id)
    for table, field in _OWN.items():
        cursor.execute(f"DELETE FROM {table} WHERE {field} = ?", [user_id])
    cursor.execute("DELETE FROM notifications WHERE addressee = ?", [f"user:{user_id}".lower()])
    if names:
        pattern = _build_pattern(names)
        elsewhere += _forget_model_messages(cursor, pattern)
        elsewhere += sum(
            _mark_out_names(cursor, table, fields, pattern) for table, fields in _TEXTS.items()
        )
    cursor.execute("UPDATE memories SET author = '' WHERE author = ?", [user_id])
    erased = MemoryErased(items=len(own_ids), elsewhere=elsewhere, chats=len(alone))
    return PersonErased(erased, [*spilled, *left_over])


def _replace_long_text(cursor: Connection, long_text: LongText) -> int:
    """Put what is left of a long text in its place; return how many items had it."""
    if long_text.after:
        leftovers.settle(cursor, long_text.after)
    changed = cursor.execute(
        "UPDATE memories SET spilled = ?, size = ?, text = ?, revision = ? WHERE spilled = ? "
        "RETURNING 1",
        [
            long_text.after,
            long_text.size,
            long_text.text,
            memories.advance_revision(cursor),
            long_text.before,
        ],
    )
    return len(changed.fetchall())


def _forget_model_messages(cursor: Connection, pattern: str) -> int:
    """Take away what models were asked where a pattern finds something; return how many rows."""
    asked = cursor.execute(
        "DELETE FROM model_messages WHERE regexp_matches(messages, $pattern) OR prompt IN "
        "(SELECT hash FROM model_prompts WHERE regexp_matches(text, $pattern)) RETURNING 1",
        {"pattern": pattern},
    ).fetchall()
    histories.forget_prompts(cursor)
    return len(asked)


def list_own_things(
    cursor: Connection, user_id: str
) -> dict[str, tuple[dict[str, JsonValue], ...]]:
    """Return what an erasure of a person would delete besides memory, by table."""
    alone = chats.list_direct(cursor, user_id)
    within = "IN (SELECT unnest(?::VARCHAR[]))"
    asked: dict[str, tuple[str, object]] = {
        "chats": (f"id {within} ORDER BY id", alone),
        "chat_messages": (f"chat_id {within} ORDER BY chat_id, place", alone),
    }
    asked |= {table: (f"{field} = ? ORDER BY ALL", user_id) for table, field in _OWN.items()}
    return {
        table: tuple(
            orjson.loads(orjson.dumps(row))
            for row in rows(cursor, f"SELECT * FROM {table} WHERE {condition}", [parameter])
        )
        for table, (condition, parameter) in asked.items()
    }


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


def _mark_out_names(cursor: Connection, table: str, fields: Sequence[str], pattern: str) -> int:
    """Put a mark in the place of what a pattern finds; return how many rows had it."""
    having = " OR ".join(f"regexp_matches({field}::VARCHAR, $pattern)" for field in fields)
    setting = ", ".join(f"{field} = {_build_marking(_build_marking(field))}" for field in fields)
    only = _ONLY.get(table, "true")
    changed = cursor.execute(
        f"UPDATE {table} SET {setting} WHERE ({having}) AND {only} RETURNING 1",
        {"pattern": pattern},
    )
    return len(changed.fetchall())


def _build_marking(text: str) -> str:
    """Return what puts the mark into a text; it is put twice, for two names may share a space."""
    return f"regexp_replace({text}::VARCHAR, $pattern, '\\1{_CUT}\\3', 'g')"


def _build_pattern(names: Sequence[str]) -> str:
    r"""Return what finds names as whole words, in any case and however an accent is written.

    DuckDB's own `\b` takes letters of ASCII alone for those of a word. In JSON the end of a line
    before a name is a letter after a backslash.
    """
    forms = {normalize(form, name) for name in names for form in ("NFC", "NFD")}
    every = "|".join(map(_escape_name, sorted(forms, key=len, reverse=True)))
    beside = f"[^{_OF_WORDS}]|[{_UNSPACED}]"
    return rf"(?i)(^|\\[bfnrt]|\\u[0-9a-f]{{4}}|{beside})({every})({beside}|$)"


def _escape_name(name: str) -> str:
    """Return a name as a pattern; a letter or mark beyond ASCII stands for itself."""
    return "".join(mark if mark.isalnum() or not mark.isascii() else f"\\{mark}" for mark in name)


def add_order(cursor: Connection, order_id: str, files: str, actor: str, now: datetime) -> None:
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


def drop_order(cursor: Connection, order_id: str) -> None:
    """Drop an order whose work is done."""
    cursor.execute("DELETE FROM erasures WHERE id = ?", [order_id])
