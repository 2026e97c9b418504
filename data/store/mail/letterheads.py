"""Letterheads, which threading compares: written once, looked up for a batch at a time.

Every look-up is one query for the whole batch and returns rows: what they mean is for
`tasks.mail.thread.conversation_ties` to say.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import Fields, insert, records


class HeadRow(NamedTuple):
    """What threading compares of a message, and its conversation; our own mail has no sender."""

    item_id: str
    message_id: str | None
    sender: str
    people: list[str]
    answers_to: str
    subject: str
    said: str
    trusted: bool
    came_at: datetime
    thread_id: str | None


class NamingRow(NamedTuple):
    """The same of a message that names another one."""

    item_id: str
    message_id: str | None
    sender: str
    people: list[str]
    answers_to: str
    subject: str
    said: str
    trusted: bool
    came_at: datetime
    thread_id: str | None
    named: str
    """The Message-ID that it names."""


class LetterheadSpanRow(NamedTuple):
    """From when to when a conversation had messages of a sender and subject."""

    sender: str
    answers_to: str
    subject: str
    thread_id: str | None
    first_at: datetime
    last_at: datetime


class ShownHeadRow(NamedTuple):
    """What a conversation may be called by: a message of it, with its name and subject as shown."""

    item_id: str
    subject: str
    thread_id: str
    contact_id: str | None
    sender_email: str
    sender_name: str
    subject_shown: str
    begins: bool
    """Whether it names no message of the same conversation."""


_HEAD = ", ".join(f"l.{name}" for name in HeadRow._fields[:-1])


def keep(cursor: Connection, heads: Sequence[Fields], ids_named: Sequence[tuple[str, str]]) -> None:
    """Write the letterheads of messages, and the ids they name, by item; earlier ones go."""
    items = [head["item_id"] for head in heads]
    for table in ("letterheads", "named_ids"):
        cursor.execute(f"DELETE FROM {table} WHERE item_id IN (SELECT unnest(?))", [items])
    insert(cursor, "letterheads", heads)
    insert(
        cursor,
        "named_ids",
        [{"item_id": item, "message_id": message_id} for item, message_id in ids_named],
    )


def list_holders(cursor: Connection, message_ids: Collection[str]) -> list[HeadRow]:
    """Return the messages that have one of these Message-IDs: theirs, ours, and from before us."""
    return records(
        cursor,
        HeadRow,
        f"""
        WITH wanted AS (SELECT DISTINCT unnest(?) AS message_id)
        SELECT {_HEAD}, m.thread_id
        FROM letterheads l JOIN wanted USING (message_id) JOIN messages m ON m.id = l.item_id
        UNION ALL
        SELECT 'ours:' || o.message_id, o.message_id, '',
               list_transform(coalesce(d.rcpt_to, []), lambda one: lower(one)),
               '', '', '', true, o.created_at, o.thread_id
        FROM own_message_ids o JOIN wanted USING (message_id)
        LEFT JOIN deliveries d USING (message_id)
        UNION ALL
        SELECT 'history:' || h.ref, h.message_id, CASE WHEN h.outbound THEN '' ELSE
               lower(h.contact_email) END, [lower(h.contact_email)], '', '', '', true,
               h.occurred_at, h.thread_id
        FROM history h JOIN wanted USING (message_id) WHERE h.thread_id IS NOT NULL
        """,
        [list(message_ids)],
    )


def list_unproven(cursor: Connection, items: Collection[str]) -> set[str]:
    """Return those of the messages whose From is forged, a form's, or names no one person."""
    rows = cursor.execute(
        "SELECT item_id FROM letterheads WHERE NOT trusted AND item_id IN (SELECT unnest(?))",
        [list(items)],
    ).fetchall()
    return {str(row[0]) for row in rows}


def list_namers(cursor: Connection, message_ids: Collection[str]) -> list[NamingRow]:
    """Return the messages that name one of these ids, with their conversations."""
    return records(
        cursor,
        NamingRow,
        f"""
        WITH wanted AS (SELECT DISTINCT unnest(?) AS named)
        SELECT {_HEAD}, m.thread_id, n.message_id AS named
        FROM named_ids n JOIN wanted ON wanted.named = n.message_id
        JOIN letterheads l ON l.item_id = n.item_id JOIN messages m ON m.id = n.item_id
        """,
        [list(message_ids)],
    )


class SiblingRow(NamedTuple):
    """In which conversation a sender named the id of a message."""

    message_id: str
    sender: str
    thread_id: str


def list_siblings(
    cursor: Connection, message_ids: Collection[str], senders: Collection[str]
) -> list[SiblingRow]:
    """Return where one of these senders named one of these ids."""
    return records(
        cursor,
        SiblingRow,
        """
        SELECT DISTINCT n.message_id, l.sender, m.thread_id
        FROM named_ids n JOIN letterheads l ON l.item_id = n.item_id
        JOIN messages m ON m.id = n.item_id
        WHERE l.trusted AND n.message_id IN (SELECT unnest(?)) AND l.sender IN (SELECT unnest(?))
        """,
        [list(message_ids), list(senders)],
    )


def list_spans(
    cursor: Connection,
    senders: Collection[str],
    subjects: Collection[str],
    since: datetime,
    until: datetime,
) -> list[LetterheadSpanRow]:
    """Return when conversations had messages of these senders and subjects, day by day.

    Messages that name others by their ids do not count: these say what they continue.
    """
    return records(
        cursor,
        LetterheadSpanRow,
        """
        SELECT l.sender, l.answers_to, l.subject, m.thread_id,
               min(l.came_at) AS first_at, max(l.came_at) AS last_at
        FROM letterheads l JOIN messages m ON m.id = l.item_id
        WHERE l.trusted AND l.came_at BETWEEN ? AND ?
          AND l.sender IN (SELECT unnest(?)) AND l.subject IN (SELECT unnest(?))
          AND NOT EXISTS (SELECT 1 FROM named_ids n WHERE n.item_id = l.item_id)
        GROUP BY l.sender, l.answers_to, l.subject, m.thread_id, date_trunc('day', l.came_at)
        """,
        [since, until, list(senders), list(subjects)],
    )


class ReplyLinkRow(NamedTuple):
    """A message that names another by its id, and the other; both as items."""

    reply_id: str
    parent_id: str


def list_replies(cursor: Connection, item_ids: Sequence[str]) -> list[ReplyLinkRow]:
    """Return those of these messages that name another of them, with the other."""
    if len(item_ids) < 2:
        return []
    return records(
        cursor,
        ReplyLinkRow,
        """
        WITH mine AS (
            SELECT item_id, message_id FROM letterheads WHERE item_id IN (SELECT unnest(?))
        )
        SELECT n.item_id AS reply_id, mine.item_id AS parent_id
        FROM named_ids n JOIN mine USING (message_id)
        WHERE n.item_id IN (SELECT item_id FROM mine) AND n.item_id <> mine.item_id
        """,
        [list(item_ids)],
    )


def list_in_threads(cursor: Connection, thread_ids: Collection[str]) -> list[ShownHeadRow]:
    """Return the letterheads of these conversations, oldest first, with name and subject shown."""
    return records(
        cursor,
        ShownHeadRow,
        """
        WITH mine AS (
            SELECT l.item_id, l.message_id, l.subject, l.came_at, m.thread_id, m.contact_id,
                   m.sender_email, m.sender_name, m.subject AS subject_shown
            FROM letterheads l JOIN messages m ON m.id = l.item_id
            WHERE m.thread_id IN (SELECT unnest(?))
        )
        SELECT item_id, subject, thread_id, contact_id, sender_email, sender_name, subject_shown,
               NOT EXISTS (
            SELECT 1 FROM named_ids n JOIN mine parent
              ON parent.message_id = n.message_id AND parent.thread_id = mine.thread_id
            WHERE n.item_id = mine.item_id AND parent.item_id <> mine.item_id
        ) AS begins
        FROM mine ORDER BY came_at, item_id
        """,
        [list(thread_ids)],
    )
