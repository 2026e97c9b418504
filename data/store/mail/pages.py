"""What one page shows of a case, a message or a conversation: a few rows each.

The stages ask for whole batches with `IN (SELECT unnest(?))`, which plans a join. For a handful
of ids a plain comparison costs half of that, and a join in Python costs less than one in SQL.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from data.errors import NotFoundError
from data.store.core.database import Connection, first, only, rows
from data.store.core.journal import Step
from data.store.mail import cases, threads

_MESSAGE = (
    "id, status, subject, received_at, channel, mail_from, rcpt_to, message_id, thread_id, "
    "same_id_as, case_id, note, sender_email, sender_name, envelope"
)


class Heading(NamedTuple):
    """Who wrote a message, and about what."""

    sender_email: str
    sender_name: str
    subject: str


def headings(cursor: Connection, ids: Sequence[str]) -> dict[str, Heading]:
    """Return by id who wrote these messages and about what; ids of nothing are missing."""
    found = cursor.execute(
        "SELECT id, sender_email, sender_name, subject FROM messages WHERE id IN ?", [list(ids)]
    ).fetchall()
    return {str(item): Heading(*map(str, rest)) for item, *rest in found}


def case(cursor: Connection, case_id: str) -> dict[str, Any]:
    """Return one case's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return only(cursor, "SELECT * FROM cases WHERE id = ?", case_id, cases.missing(case_id))


def version(cursor: Connection, case_id: str) -> int | None:
    """Return a case's version, None when there is none of that id."""
    found = first(cursor, "SELECT version FROM cases WHERE id = ?", [case_id])
    return int(found[0]) if found else None


def messages(cursor: Connection, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return by id what a page shows of these messages' rows, and their envelopes.

    Raises:
        NotFoundError: one of them does not exist.

    """
    found = rows(cursor, f"SELECT {_MESSAGE} FROM messages WHERE id IN ?", [list(ids)])
    by_id = {row["id"]: row for row in found}
    if missing := [item for item in ids if item not in by_id]:
        raise NotFoundError(f"there is no message {missing[0]!r}")
    return by_id


def steps(cursor: Connection, ids: Sequence[str]) -> list[Step]:
    """Return every step of the items, oldest first."""
    found = rows(cursor, "SELECT * FROM steps WHERE item_id IN ?", [list(ids)])
    return [Step.model_validate(row) for row in sorted(found, key=lambda row: row["started_at"])]


def results(steps: Sequence[Step], stage: str) -> dict[str, str]:
    """Return by item what `stage` gave, as JSON, of those of these steps that still count."""
    return {
        step.item_id: step.output or ""
        for step in steps
        if step.stage == stage and step.status == "done" and not step.superseded
    }


def lessons(cursor: Connection, ids: Sequence[str]) -> dict[str, bool]:
    """Return which of the messages were taught to the judge of spam, as spam or as wanted."""
    found = cursor.execute(
        "SELECT message_id, spam FROM spam_lessons WHERE message_id IN ?", [list(ids)]
    ).fetchall()
    return {str(message): bool(spam) for message, spam in found}


def replies(cursor: Connection, case_ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return the deliveries of these cases that were not taken back, oldest first."""
    found = rows(
        cursor,
        "SELECT id, case_id, subject, body, state, created_at, sent_at, due_at FROM deliveries "
        "WHERE case_id IN ? AND state <> 'cancelled' AND purpose = 'reply'",
        [list(case_ids)],
    )
    return sorted(found, key=lambda row: row["created_at"])


def branches(cursor: Connection, case_id: str) -> list[dict[str, Any]]:
    """Return a case's branches in order."""
    found = rows(cursor, "SELECT * FROM branches WHERE case_id = ?", [case_id])
    return sorted(found, key=lambda row: row["position"])


def questions(cursor: Connection, case_id: str) -> list[dict[str, Any]]:
    """Return what owners were asked for a case and have not answered, oldest first."""
    found = rows(
        cursor, "SELECT * FROM owner_questions WHERE case_id = ? AND state = 'open'", [case_id]
    )
    return sorted(found, key=lambda row: row["asked_at"])


def conversation(cursor: Connection, thread_id: str) -> dict[str, Any]:
    """Return a conversation's row; of one that was merged, of what it has become part of.

    Raises:
        NotFoundError: there is none of that id.

    """
    missing = f"there is no conversation {thread_id!r}"
    row = only(cursor, "SELECT * FROM threads WHERE id = ?", thread_id, missing)
    if not row["merged_into"]:
        return row
    whole = threads.one(cursor, thread_id)
    if whole is None:
        raise NotFoundError(missing)
    return whole


def said(cursor: Connection, thread_id: str, readings: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return what was said in a conversation, both ways, oldest first.

    Columns as in `threads.earlier`, without those that only a context needs.

    Args:
        cursor: a reading cursor.
        thread_id: the conversation.
        readings: what is known already of its messages' readings (JSON, by id).

    """
    written = rows(
        cursor,
        "SELECT 'message' AS kind, id AS ref, sender_email AS contact_email, false AS outbound, "
        "received_at AS occurred_at, subject, status AS state FROM messages WHERE thread_id = ?",
        [thread_id],
    )
    known = _readings(cursor, [row["ref"] for row in written], readings)
    entries = [row | {"body": known[row["ref"]]} for row in written if row["ref"] in known]
    entries += _answers(cursor, thread_id)
    entries += rows(
        cursor,
        "SELECT 'history' AS kind, ref, contact_email, outbound, occurred_at, subject, body, "
        "'' AS state FROM history WHERE thread_id = ?",
        [thread_id],
    )
    return sorted(entries, key=lambda row: row["occurred_at"])


def _readings(
    cursor: Connection, ids: Sequence[str], known: Mapping[str, str]
) -> Mapping[str, str]:
    lacking = [id for id in ids if id not in known]
    if not lacking:
        return known
    return {**known, **results(steps(cursor, lacking), "parse")}


def _answers(cursor: Connection, thread_id: str) -> list[dict[str, Any]]:
    contacts = dict(
        cursor.execute(
            "SELECT id, contact_email FROM cases WHERE thread_id = ?", [thread_id]
        ).fetchall()
    )
    if not contacts:
        return []
    return [
        row
        | {
            "kind": "delivery",
            "ref": row["id"],
            "contact_email": contacts[row["case_id"]],
            "outbound": True,
            "occurred_at": row["sent_at"] or row["created_at"],
        }
        for row in replies(cursor, list(contacts))
    ]
