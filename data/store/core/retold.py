"""Tables in which a contact's words may have been told again, and how they are taken out.

Whatever keeps a copy of what mail said names its table here, so that erasing a contact reaches it;
the parts of Postern need not know each other for that.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core import turn_seals
from data.store.core.database import Connection
from data.store.core.mentioning import as_marks, build_mention_condition, list_mentioning


class _Retelling(NamedTuple):
    """One table that tells again."""

    table: str
    text: str
    """The text in which an id or an address shows that a row is about somebody."""
    cut: str
    """What is set in such a row."""


_CALL_CUT = (
    "summary = '(erased)', note = '', "
    "expires_at = CASE WHEN decided_at IS NULL THEN opened_at ELSE expires_at END"
)
"""Nobody can say yes to a call of which nothing is left: its time is over, and its turn goes on."""
_MEMORY_CUT = (
    "text = '(erased)', context = '', subject = '', slot = '', value = '', state = 'retired'"
)
_ENDED = "What is held of a contact was erased meanwhile. Ask again."
_OF_MEMORY = "text || ' ' || context"
_OF_MOVE = "given || ' ' || result"
_SAID = "text || ' ' || sources"
_RETELLINGS = (
    _Retelling("chat_messages", _SAID, "text = '(erased)', sources = '[]'"),
    _Retelling("chat_ratings", "words", "words = '(erased)'"),
    _Retelling("chats", "title", "title = '(erased)'"),
    _Retelling("memories", _OF_MEMORY, _MEMORY_CUT),
    _Retelling("memory_evidence", "words", "words = '(erased)'"),
    _Retelling("business_profiles", "markdown", "markdown = '(erased)'"),
    _Retelling(
        "learned_entries",
        "CASE origin WHEN 'agent' THEN title || ' ' || body ELSE '' END",
        "title = '(erased)', body = '(erased)', trusted = false, before = ''",
    ),
    _Retelling("tasks", "title", "title = '(erased)'"),
    _Retelling("calendar_events", "title || ' ' || place", "title = '(erased)', place = ''"),
    _Retelling(
        "approvals",
        "CASE kind WHEN 'tool_call' THEN summary || ' ' || note ELSE '' END",
        _CALL_CUT,
    ),
    _Retelling("turn_moves", _OF_MOVE, "given = 'null', result = 'null'"),
)


def cut_retold(cursor: Connection, ids: Sequence[str], addresses: Sequence[str]) -> int:
    """Cut whatever mentions one of these ids or addresses; return how many rows were cut."""
    marks = as_marks(ids, addresses)
    if not marks:
        return 0
    about = [f"case:{id}" for id in ids] + [f"contact:{address}" for address in addresses]
    _cut_references(cursor, marks)
    _forget_asked(cursor, marks)
    return _cut_chats_about(cursor, about) + sum(
        len(
            cursor.execute(
                f"UPDATE {retelling.table} SET {retelling.cut} "
                f"WHERE {build_mention_condition(retelling.text)} RETURNING 1",
                [marks],
            ).fetchall()
        )
        for retelling in _RETELLINGS
    )


def end_turns_in_work(cursor: Connection, now: datetime) -> None:
    """End what agents are at, because what they have read may be in no row yet.

    What waits for a person, or for the turn before it, has nothing but what the state has. A turn
    that has ended is written to no more.
    """
    ended = cursor.execute(
        "UPDATE turns SET state = 'failed', note = ?, ended_at = ? "
        "WHERE state = 'active' AND NOT queued AND id NOT IN "
        "(SELECT turn_id FROM turn_moves WHERE state = 'awaiting_approval') RETURNING id",
        [_ENDED, now],
    ).fetchall()
    ended_ids = [str(turn_id) for (turn_id,) in ended]
    cursor.execute(
        "UPDATE turn_moves SET ended_at = ?, result = ?, "
        "state = CASE kind WHEN 'act' THEN 'unknown' ELSE 'failed' END "
        "WHERE state = 'running' AND kind <> 'extract' AND turn_id IN (SELECT unnest(?))",
        [now, json.dumps(_ENDED), ended_ids],
    )
    for turn_id in ended_ids:
        turn_seals.seal(cursor, turn_id, now)


def cut_spilled(cursor: Connection, ids: Sequence[str], addresses: Sequence[str]) -> list[str]:
    """Cut items of memory of which the archive has the whole text, where it mentions one.

    What such an item rests on has all of its words. Returns the hashes that no item names now.
    """
    marks = as_marks(ids, addresses)
    if not marks:
        return []
    spilled_rows = cursor.execute(
        "SELECT id, spilled FROM memories WHERE spilled <> '' "
        f"AND ({build_mention_condition(_OF_MEMORY)} OR id IN (SELECT memory_id "
        f"FROM memory_evidence WHERE {build_mention_condition('words')}))",
        [marks, marks],
    ).fetchall()
    cursor.execute(
        f"UPDATE memories SET {_MEMORY_CUT}, spilled = '' "
        "WHERE id IN (SELECT unnest(?::VARCHAR[]))",
        [[memory_id for memory_id, _ in spilled_rows]],
    )
    left = cursor.execute("SELECT DISTINCT spilled FROM memories").fetchall()
    return sorted({str(spilled) for _, spilled in spilled_rows} - {str(row[0]) for row in left})


def _forget_asked(cursor: Connection, marks: Sequence[str]) -> None:
    """Take away what models were asked in turns that mention one, and what was to be said there."""
    turns = (
        f"IN (SELECT turn_id FROM turn_moves WHERE {build_mention_condition(_OF_MOVE)} "
        f"UNION SELECT turn_id FROM chat_messages WHERE {build_mention_condition(_SAID)})"
    )
    for table, column in (("model_messages", "turn"), ("chat_shadows", "turn_id")):
        cursor.execute(f"DELETE FROM {table} WHERE {column} {turns}", [list(marks)] * 2)


def _cut_references(cursor: Connection, marks: Sequence[str]) -> None:
    """Take out of every wording of the business profile what refers to one of these."""
    rows = cursor.execute("SELECT version, refers_to FROM business_profiles").fetchall()
    for version, refers_to in rows:
        by_words = {f"{item['id']} {item['label']}": item for item in json.loads(refers_to)}
        mentioning = list_mentioning(cursor, by_words, marks)
        left = [reference for words, reference in by_words.items() if words not in mentioning]
        if mentioning:
            cursor.execute(
                "UPDATE business_profiles SET refers_to = ? WHERE version = ?",
                [json.dumps(left), version],
            )


def _cut_chats_about(cursor: Connection, about: Sequence[str]) -> int:
    """Cut all that was said and looked up in chats about these; return how many messages."""
    within = "IN (SELECT id FROM chats WHERE about IN (SELECT unnest(?::VARCHAR[])))"
    turns = f"IN (SELECT id FROM turns WHERE chat_id {within})"
    values = [list(about)]
    cursor.execute(f"DELETE FROM model_messages WHERE turn {turns}", values)
    cursor.execute(f"DELETE FROM chat_shadows WHERE turn_id {turns}", values)
    cursor.execute(
        f"UPDATE turn_moves SET given = 'null', result = 'null' WHERE turn_id {turns}", values
    )
    cursor.execute(
        f"UPDATE approvals SET {_CALL_CUT} WHERE kind = 'tool_call' "
        f"AND split_part(subject_id, '.', 1) {turns}",
        values,
    )
    cursor.execute(
        "UPDATE chat_ratings SET words = '(erased)' WHERE words <> '' AND message_id IN "
        f"(SELECT id FROM chat_messages WHERE chat_id {within})",
        values,
    )
    cut = cursor.execute(
        "UPDATE chat_messages SET text = '(erased)', sources = '[]' "
        f"WHERE chat_id {within} RETURNING 1",
        values,
    ).fetchall()
    cursor.execute(
        "UPDATE chats SET title = '(erased)', about = '' "
        "WHERE about IN (SELECT unnest(?::VARCHAR[]))",
        values,
    )
    return len(cut)
