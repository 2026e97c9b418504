"""Rows for one page of a case, a message or a conversation: a few of each.

The stages ask for whole batches with `IN (SELECT unnest(?))`, which plans a join. For a handful
of ids a plain comparison costs half of that, and a join in Python costs less than one in SQL.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from data.errors import NotFoundError
from data.store.core.database import Connection
from data.store.core.journal import Step
from data.store.core.statements import columns, first, one_record, records, validate_rows
from data.store.mail import threads
from data.store.mail.threads import ThreadRow


class PageMessageRow(NamedTuple):
    """What a page shows of a message's row, and its envelope as JSON."""

    id: str
    status: str
    subject: str
    received_at: datetime
    channel: str
    mail_from: str
    rcpt_to: list[str]
    message_id: str | None
    thread_id: str | None
    same_id_as: str | None
    case_id: str | None
    note: str
    sender_email: str
    sender_name: str
    envelope: str


class ReplyDeliveryRow(NamedTuple):
    """A reply of ours to a case."""

    id: str
    case_id: str
    subject: str
    body: str
    state: str
    created_at: datetime
    sent_at: datetime | None
    due_at: datetime
    leaves_at: datetime | None
    files: int
    """How many it carries."""


class OwnQuestionRow(NamedTuple):
    """What an owner was asked for a case."""

    id: str
    state: str
    case_id: str
    branch_id: str
    contact_email: str
    owner: str
    question: str
    language: str
    asked_at: datetime
    due_at: datetime


class ThreadEntryRow(NamedTuple):
    """Something that was said in a conversation; of a message the body is its reading (JSON)."""

    kind: str
    """`message`, `delivery` or `history`."""
    ref: str
    contact_email: str
    outbound: bool
    occurred_at: datetime
    subject: str
    body: str
    state: str
    files: int
    """How many files of ours went with it."""


class Heading(NamedTuple):
    """Who wrote a message, and about what."""

    sender_email: str
    sender_name: str
    subject: str


def list_headings(cursor: Connection, ids: Sequence[str]) -> dict[str, Heading]:
    """Return by id who wrote these messages and about what; ids of nothing are missing."""
    heading_rows = cursor.execute(
        "SELECT id, sender_email, sender_name, subject FROM messages WHERE id IN ?", [list(ids)]
    ).fetchall()
    return {str(item): Heading(*map(str, rest)) for item, *rest in heading_rows}


def find_version(cursor: Connection, case_id: str) -> int | None:
    """Return a case's version, None when there is none of that id."""
    row = first(cursor, "SELECT version FROM cases WHERE id = ?", [case_id])
    return int(row[0]) if row else None


def list_messages(cursor: Connection, ids: Sequence[str]) -> dict[str, PageMessageRow]:
    """Return by id what a page shows of these messages' rows, and their envelopes.

    Raises:
        NotFoundError: one of them does not exist.

    """
    statement = f"SELECT {columns(PageMessageRow)} FROM messages WHERE id IN ?"
    by_id = {row.id: row for row in records(cursor, PageMessageRow, statement, [list(ids)])}
    if missing := [item for item in ids if item not in by_id]:
        raise NotFoundError(f"there is no message {missing[0]!r}")
    return by_id


def list_steps(cursor: Connection, ids: Sequence[str]) -> list[Step]:
    """Return every step of the items, oldest first."""
    listed = validate_rows(cursor, Step, "SELECT * FROM steps WHERE item_id IN ?", [list(ids)])
    return sorted(listed, key=attrgetter("started_at"))


def pick_results(steps: Sequence[Step], stage: str) -> dict[str, str]:
    """Return by item what `stage` gave, as JSON, of those of these steps that still count."""
    return {
        step.item_id: step.output or ""
        for step in steps
        if step.stage == stage and step.status == "done" and not step.superseded
    }


def list_lessons(cursor: Connection, ids: Sequence[str]) -> dict[str, bool]:
    """Return which of the messages were taught to the judge of spam, as spam or as wanted."""
    lesson_rows = cursor.execute(
        "SELECT message_id, spam FROM spam_lessons WHERE message_id IN ?", [list(ids)]
    ).fetchall()
    return {str(message): bool(spam) for message, spam in lesson_rows}


def list_replies(cursor: Connection, case_ids: Sequence[str]) -> list[ReplyDeliveryRow]:
    """Return the deliveries of these cases that were not taken back, oldest first."""
    delivery_rows = records(
        cursor,
        ReplyDeliveryRow,
        f"SELECT {columns(ReplyDeliveryRow)} FROM deliveries "
        "WHERE case_id IN ? AND state <> 'cancelled' AND purpose = 'reply'",
        [list(case_ids)],
    )
    return sorted(delivery_rows, key=lambda row: row.created_at)


def list_questions(cursor: Connection, case_id: str) -> list[OwnQuestionRow]:
    """Return what owners were asked for a case and have not answered, oldest first."""
    asked = columns(OwnQuestionRow)
    statement = f"SELECT {asked} FROM owner_questions WHERE case_id = ? AND state = 'open'"
    question_rows = records(cursor, OwnQuestionRow, statement, [case_id])
    return sorted(question_rows, key=lambda row: row.asked_at)


def read_conversation(cursor: Connection, thread_id: str) -> ThreadRow:
    """Return a conversation's row; of one that was merged, of what it has become part of.

    Raises:
        NotFoundError: there is none of that id.

    """
    missing = f"there is no conversation {thread_id!r}"
    statement = "SELECT * FROM threads WHERE id = ?"
    row = one_record(cursor, ThreadRow, statement, thread_id, missing)
    if not row.merged_into:
        return row
    whole = threads.read_row(cursor, thread_id)
    if whole is None:
        raise NotFoundError(missing)
    return whole


def list_said(
    cursor: Connection, thread_id: str, readings: Mapping[str, str]
) -> list[ThreadEntryRow]:
    """Return what was said in a conversation, both ways, oldest first.

    Args:
        cursor: a reading cursor.
        thread_id: the conversation.
        readings: what is known already of its messages' readings (JSON, by id).

    """
    message_entries = records(
        cursor,
        ThreadEntryRow,
        "SELECT 'message' AS kind, id AS ref, sender_email AS contact_email, false AS outbound, "
        "received_at AS occurred_at, subject, '' AS body, status AS state, 0 AS files "
        "FROM messages WHERE thread_id = ?",
        [thread_id],
    )
    said_by_ref = _read_readings(cursor, [row.ref for row in message_entries], readings)
    entries = [
        row._replace(body=said_by_ref[row.ref]) for row in message_entries if row.ref in said_by_ref
    ]
    entries += _list_answers(cursor, thread_id)
    entries += records(
        cursor,
        ThreadEntryRow,
        "SELECT 'history' AS kind, ref, contact_email, outbound, occurred_at, subject, body, "
        "'' AS state, 0 AS files FROM history WHERE thread_id = ?",
        [thread_id],
    )
    return sorted(entries, key=lambda row: row.occurred_at)


def _read_readings(
    cursor: Connection, ids: Sequence[str], known_readings: Mapping[str, str]
) -> Mapping[str, str]:
    lacking = [id for id in ids if id not in known_readings]
    if not lacking:
        return known_readings
    return {**known_readings, **pick_results(list_steps(cursor, lacking), "parse")}


def _list_answers(cursor: Connection, thread_id: str) -> list[ThreadEntryRow]:
    contacts = dict(
        cursor.execute(
            "SELECT id, contact_email FROM cases WHERE thread_id = ?", [thread_id]
        ).fetchall()
    )
    if not contacts:
        return []
    return [
        ThreadEntryRow(
            kind="delivery",
            ref=row.id,
            contact_email=contacts[row.case_id],
            outbound=True,
            occurred_at=row.sent_at or row.created_at,
            subject=row.subject,
            body=row.body,
            state=row.state,
            files=row.files,
        )
        for row in list_replies(cursor, list(contacts))
    ]
