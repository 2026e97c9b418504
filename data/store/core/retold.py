"""Where words of a contact may have been told again, and how they are taken out of it.

Whatever keeps a copy of what mail said names its table here, so that erasing a contact reaches it;
the parts of Postern need not know each other for that.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

from data.store.core.database import Connection


class _Retelling(NamedTuple):
    """One table that tells again."""

    table: str
    mentions: str
    """The text in which an id or an address shows that a row is about somebody."""
    cut: str
    """What is set in such a row."""


_CALL_CUT = (
    "summary = '(erased)', note = '', "
    "expires_at = CASE WHEN decided_at IS NULL THEN opened_at ELSE expires_at END"
)
"""Nobody can say yes to a call of which nothing is left: its time is over, and its turn goes on."""
_RETELLINGS = (
    _Retelling("chat_messages", "text || sources", "text = '(erased)', sources = '[]'"),
    _Retelling("chat_ratings", "words", "words = '(erased)'"),
    _Retelling("chats", "title", "title = '(erased)'"),
    _Retelling(
        "memories",
        "text || context",
        "text = '(erased)', context = '', subject = '', slot = '', value = '', state = 'retired'",
    ),
    _Retelling("memory_evidence", "words", "words = '(erased)'"),
    _Retelling("business_profiles", "markdown", "markdown = '(erased)'"),
    _Retelling(
        "learned_entries",
        "CASE origin WHEN 'agent' THEN title || ' ' || body ELSE '' END",
        "title = '(erased)', body = '(erased)', trusted = false, before = ''",
    ),
    _Retelling("tasks", "title", "title = '(erased)'"),
    _Retelling("calendar_events", "title || place", "title = '(erased)', place = ''"),
    _Retelling(
        "approvals",
        "CASE kind WHEN 'tool_call' THEN summary || ' ' || note ELSE '' END",
        _CALL_CUT,
    ),
    _Retelling("turn_moves", "given || result", "given = 'null', result = 'null'"),
)


def cut_retold(cursor: Connection, ids: Sequence[str], addresses: Sequence[str]) -> int:
    """Cut whatever mentions one of these ids or addresses; return how many rows were cut."""
    marks = [mark.lower() for mark in (*ids, *addresses) if mark]
    if not marks:
        return 0
    about = [f"case:{id}" for id in ids] + [f"contact:{address}" for address in addresses]
    _cut_references(cursor, marks)
    return _cut_chats_about(cursor, about) + sum(
        len(
            cursor.execute(
                f"UPDATE {retelling.table} SET {retelling.cut} WHERE list_any_value("
                "list_filter(?::VARCHAR[], lambda mark: "
                f"contains(lower({retelling.mentions}), mark))) IS NOT NULL "
                "RETURNING 1",
                [marks],
            ).fetchall()
        )
        for retelling in _RETELLINGS
    )


def _cut_references(cursor: Connection, marks: Sequence[str]) -> None:
    """Take out of every wording of the business profile what refers to one of these."""
    rows = cursor.execute("SELECT version, refers_to FROM business_profiles").fetchall()
    for version, refers_to in rows:
        every = json.loads(refers_to)
        left = [
            reference
            for reference in every
            if not any(mark in f"{reference['id']} {reference['label']}".lower() for mark in marks)
        ]
        if len(left) < len(every):
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
