"""Joining, merging and splitting conversations: what moves, and the way back."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.statements import insert, one_record, records, update
from data.store.mail import letterheads, tags
from data.store.mail.letterheads import ShownHeadRow

Moved = dict[str, list[str]]
"""Ids of what moved: `messages`, `cases`, `own` (our Message-IDs), `history`, `tickets`,
`questions` to owners, `promises`; `tags` that went along, and of them `added`, the new ones.
"""


class ChangeRow(NamedTuple):
    """A joining, merging or splitting of conversations."""

    id: str
    kind: str
    thread_id: str
    other_id: str
    moved: str
    """`Moved`, as JSON."""
    actor: str
    note: str
    made_at: datetime
    undone_by: str | None
    undone_at: datetime | None


_PLACES = {
    "messages": ("messages", "id"),
    "cases": ("cases", "id"),
    "own": ("own_message_ids", "message_id"),
    "history": ("history", "ref"),
    "tickets": ("tickets", "id"),
    "questions": ("owner_questions", "id"),
    "promises": ("promises", "id"),
}


def read_content(cursor: Connection, thread_id: str) -> Moved:
    """Return everything that belongs to a conversation."""
    return {
        kind: [
            str(row[0])
            for row in cursor.execute(
                f"SELECT {key} FROM {table} WHERE thread_id = ? ORDER BY {key}", [thread_id]
            ).fetchall()
        ]
        for kind, (table, key) in _PLACES.items()
    }


def read_content_of_cases(cursor: Connection, case_ids: Sequence[str]) -> Moved:
    """Return the tickets, questions to owners and promises of cases."""
    return {
        kind: [
            str(row[0])
            for row in cursor.execute(
                f"SELECT id FROM {_PLACES[kind][0]} WHERE case_id IN (SELECT unnest(?)) ORDER BY 1",
                [list(case_ids)],
            ).fetchall()
        ]
        for kind in ("tickets", "questions", "promises")
    }


def move_content(cursor: Connection, moved: Mapping[str, Sequence[str]], target: str) -> None:
    """Put these things into a conversation."""
    for kind, (table, key) in _PLACES.items():
        if moved.get(kind):
            cursor.execute(
                f"UPDATE {table} SET thread_id = ? WHERE {key} IN (SELECT unnest(?))",
                [target, list(moved[kind])],
            )


def merge(
    cursor: Connection,
    source: str,
    target: str,
    *,
    kind: str,
    actor: str,
    note: str,
    now: datetime,
) -> str:
    """Make one conversation part of another; return the change's id.

    `kind` is `join` when messages showed it, `merge` when a person said so.
    """
    moved = read_content(cursor, source)
    move_content(cursor, moved, target)
    moved |= tags.carry(cursor, source, target)
    update(cursor, "threads", [{"id": source, "merged_into": target, "message_count": 0}])
    return record_change(
        cursor, kind, thread=target, other=source, moved=moved, actor=actor, note=note, now=now
    )


def record_change(
    cursor: Connection,
    kind: str,
    *,
    thread: str,
    other: str,
    moved: Moved,
    actor: str,
    note: str,
    now: datetime,
) -> str:
    """Write a change down, with events for both conversations; return its id."""
    change = new_id(now)
    insert(
        cursor,
        "thread_changes",
        [
            {
                "id": change,
                "kind": kind,
                "thread_id": thread,
                "other_id": other,
                "moved": json.dumps(moved),
                "actor": actor,
                "note": note,
                "made_at": now,
            }
        ],
    )
    note_events(cursor, "thread", [thread, other], kind, actor=actor, now=now, note=note)
    return change


def read_row(cursor: Connection, change_id: str) -> ChangeRow:
    """Return one change.

    Raises:
        NotFoundError: there is none of that id.

    """
    return one_record(
        cursor,
        ChangeRow,
        "SELECT * FROM thread_changes WHERE id = ?",
        change_id,
        f"there is no change {change_id!r} of a conversation",
    )


def moved_by(change: ChangeRow) -> Moved:
    """Return what a change moved."""
    moved: Moved = json.loads(change.moved)
    return moved


def list_of_thread(cursor: Connection, thread_id: str) -> list[ChangeRow]:
    """Return what was changed about a conversation and not taken back, newest first."""
    return records(
        cursor,
        ChangeRow,
        "SELECT * FROM thread_changes "
        "WHERE (thread_id = ? OR other_id = ?) AND undone_at IS NULL "
        "ORDER BY made_at DESC, id DESC",
        [thread_id, thread_id],
    )


def has_later_change(cursor: Connection, change: ChangeRow) -> bool:
    """Whether a conversation of this change was changed again, and that was not taken back."""
    pair = [change.thread_id, change.other_id]
    newer = [thread_change for thread in pair for thread_change in list_of_thread(cursor, thread)]
    return any(
        (newer_change.made_at, newer_change.id) > (change.made_at, change.id)
        for newer_change in newer
    )


def mark_taken_back(cursor: Connection, change_id: str, actor: str, now: datetime) -> None:
    """Mark a change as taken back."""
    update(cursor, "thread_changes", [{"id": change_id, "undone_by": actor, "undone_at": now}])


def refresh_threads(cursor: Connection, thread_ids: Collection[str]) -> None:
    """Say anew of these conversations who owns them, what they are about, how many, how recent.

    A conversation is its first message's: the earliest that names no other message of it.
    """
    unique_ids = sorted(set(thread_ids))
    heads: dict[str, ShownHeadRow] = {}
    for row in letterheads.list_in_threads(cursor, unique_ids):
        head = heads.setdefault(row.thread_id, row)
        if row.begins and not head.begins:
            heads[row.thread_id] = row
    update(
        cursor,
        "threads",
        [
            {
                "id": thread,
                "subject": row.subject_shown,
                "normalized_subject": row.subject,
                "contact_id": row.contact_id,
                "contact_email": row.sender_email,
                "contact_name": row.sender_name,
            }
            for thread, row in heads.items()
        ],
    )
    recount_messages(cursor, unique_ids)


class _Counted(NamedTuple):
    """What a conversation says of its messages."""

    id: str
    message_count: int
    last_message_at: datetime
    participants: list[str]


def recount_messages(cursor: Connection, thread_ids: Collection[str]) -> None:
    """Count the messages of these conversations, and note who wrote them and the newest time."""
    unique_ids = sorted(set(thread_ids))
    counted = records(
        cursor,
        _Counted,
        """
        SELECT thread_id AS id, count(*) AS message_count, max(came_at) AS last_message_at,
               list_sort(list(DISTINCT sender)) AS participants
        FROM (
            SELECT thread_id, received_at AS came_at, sender_email AS sender FROM messages
            UNION ALL SELECT thread_id, occurred_at, contact_email FROM history
        )
        WHERE thread_id IN (SELECT unnest(?)) GROUP BY thread_id
        """,
        [unique_ids],
    )
    update(cursor, "threads", [row._asdict() for row in counted])
    empty = sorted(set(unique_ids) - {row.id for row in counted})
    update(cursor, "threads", [{"id": thread_id, "message_count": 0} for thread_id in empty])
