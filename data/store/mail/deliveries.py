"""The outbox."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from data.store.core import leftovers
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    columns,
    first,
    insert,
    one_record,
    record_page,
    records,
    update,
)
from data.store.mail.case_threads import build_thread_tables, list_cases_met_by


class DeliveryRow(NamedTuple):
    """A message of ours on its way."""

    id: str
    case_id: str
    state: str
    mail_from: str
    rcpt_to: list[str]
    message_id: str
    subject: str
    body: str
    sha256: str
    """Of its bytes, by which the archive has them."""
    due_at: datetime
    attempts: int
    response: str
    automatic: bool
    """Whether the policy approved it."""
    created_at: datetime
    sent_at: datetime | None
    learned: bool
    """Whether somebody has looked for what it could teach."""
    purpose: str
    approval_id: str
    leaves_at: datetime | None
    """The moment that a person chose; None where it leaves once its undo window has ended."""
    scheduled_by: str
    """The mail address of who chose it; empty where nobody knows one."""
    held_at: datetime | None
    """Since when it waits past that moment for mail to be read; None where it does not."""
    cleared_at: datetime | None
    """When its conversation was last looked at, so that it may leave then."""
    bcc: list[str] | None
    """Those of its recipients who get a blind copy."""
    files: int
    """How many files it carries."""
    put_back_at: datetime | None
    """When a person last put it back after it had come to an end."""

    @property
    def begins_at(self) -> datetime:
        """Since when it has been on its way, or is again."""
        return self.put_back_at or self.leaves_at or self.created_at


class ShownDeliveryRow(NamedTuple):
    """What the outbox shows of a delivery, with who approved it, which its approval says."""

    id: str
    case_id: str
    state: str
    mail_from: str
    rcpt_to: list[str]
    bcc: list[str] | None
    subject: str
    body: str
    purpose: str
    message_id: str
    sha256: str
    due_at: datetime
    leaves_at: datetime | None
    attempts: int
    response: str
    approval_id: str
    approved_by: str
    created_at: datetime
    sent_at: datetime | None


class PassedOnRow(NamedTuple):
    """Where the messages of a case were passed on to."""

    id: str
    case_id: str
    to: str
    state: str
    approved_by: str
    created_at: datetime
    sent_at: datetime | None
    response: str


class WaitingReplyRow(NamedTuple):
    """A case that waits with its reply, in the conversation of a newer message."""

    id: str
    state: str
    message_ids: list[str]
    own: bool
    """Whether the case's own contact wrote the newer message."""
    delivery: str | None
    automatic: bool
    scheduled: bool
    """Whether a person chose when it leaves."""
    scheduled_by: str
    subject: str


class SentBodyRow(NamedTuple):
    """What went to a contact."""

    contact_email: str
    body: str


_SHOWN = (
    f"SELECT {columns(ShownDeliveryRow)} FROM (SELECT d.*, a.decided_by AS approved_by "
    "FROM deliveries d LEFT JOIN approvals a ON a.id = d.approval_id)"
)


CLEARED = timedelta(minutes=5)
"""How long it counts that nothing had come in the conversation of a delivery."""


def list_due(cursor: Connection, now: datetime, limit: int) -> list[DeliveryRow]:
    """Return deliveries whose next attempt may start, oldest first.

    One with a moment that a person chose is among them once it was looked at a short while ago.
    """
    return records(
        cursor,
        DeliveryRow,
        "SELECT * FROM deliveries WHERE state IN ('queued', 'deferred') AND due_at <= ? "
        "AND (leaves_at IS NULL OR cleared_at > ?) ORDER BY due_at, id LIMIT ?",
        [now, now - CLEARED, limit],
    )


def list_to_clear(cursor: Connection, now: datetime) -> list[DeliveryRow]:
    """Return what is due at a moment that a person chose, and has to be looked at before."""
    return records(
        cursor,
        DeliveryRow,
        "SELECT * FROM deliveries WHERE state IN ('queued', 'deferred') AND due_at <= ? "
        "AND leaves_at IS NOT NULL AND (cleared_at IS NULL OR cleared_at <= ?) "
        "ORDER BY due_at, id",
        [now, now - CLEARED],
    )


def list_interrupted(cursor: Connection) -> list[DeliveryRow]:
    """Return deliveries that an engine which is gone had begun."""
    statement = "SELECT * FROM deliveries WHERE state IN ('sending', 'dot_sent')"
    return records(cursor, DeliveryRow, statement)


def read_row(cursor: Connection, delivery_id: str) -> DeliveryRow:
    """Return one delivery's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = "SELECT * FROM deliveries WHERE id = ?"
    return one_record(cursor, DeliveryRow, statement, delivery_id, _tell_missing(delivery_id))


def read_shown(cursor: Connection, delivery_id: str) -> ShownDeliveryRow:
    """Return one delivery as the outbox shows it.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = f"{_SHOWN} WHERE id = ?"
    return one_record(cursor, ShownDeliveryRow, statement, delivery_id, _tell_missing(delivery_id))


def _tell_missing(delivery_id: str) -> str:
    return f"there is no delivery {delivery_id!r} in the outbox"


def list_page(
    cursor: Connection,
    *,
    state: str | None,
    limit: int,
    offset: int,
    purpose: str | None = None,
    scheduled: bool = False,
) -> RowPage[ShownDeliveryRow]:
    """Return one page of the outbox, newest first, and how many there are in all.

    With `scheduled` it is what waits for a moment that a person chose, the next one first.
    """
    narrowed = " AND leaves_at IS NOT NULL AND state IN ('queued', 'deferred')" if scheduled else ""
    return record_page(
        cursor,
        ShownDeliveryRow,
        f"{_SHOWN} WHERE (? IS NULL OR state = ?) AND (? IS NULL OR purpose = ?){narrowed}",
        order="leaves_at, id" if scheduled else "created_at DESC, id",
        parameters=[state, state, purpose, purpose],
        limit=limit,
        offset=offset,
    )


def list_passed_on(cursor: Connection, case_ids: Sequence[str]) -> list[PassedOnRow]:
    """Return what of these cases was passed on to colleagues and not taken back, oldest first."""
    on_rows = records(
        cursor,
        PassedOnRow,
        "SELECT d.id, d.case_id, d.rcpt_to[1] AS to, d.state, a.decided_by AS approved_by, "
        "d.created_at, d.sent_at, d.response "
        "FROM deliveries d JOIN approvals a ON a.id = d.approval_id "
        "WHERE d.case_id IN (SELECT unnest(?)) AND d.purpose = 'forward' "
        "AND d.state <> 'cancelled'",
        [list(case_ids)],
    )
    return sorted(on_rows, key=lambda row: row.created_at)


def count_consecutive_automatic(cursor: Connection, thread_ids: Sequence[str]) -> dict[str, int]:
    """Return per conversation how many replies left by themselves since a person's last one."""
    rows = cursor.execute(
        """
        WITH ordered AS (
            SELECT c.thread_id, d.automatic, sum(CASE WHEN d.automatic THEN 0 ELSE 1 END) OVER (
                PARTITION BY c.thread_id ORDER BY d.created_at DESC
            ) AS by_people
            FROM deliveries d JOIN cases c ON c.id = d.case_id
            WHERE d.state <> 'cancelled' AND d.purpose = 'reply'
              AND c.thread_id IN (SELECT unnest(?))
        )
        SELECT thread_id, count(*) FROM ordered WHERE automatic AND by_people = 0
        GROUP BY thread_id
        """,
        [list(thread_ids)],
    ).fetchall()
    return {str(thread): int(count) for thread, count in rows}


def list_repeated_bodies(
    cursor: Connection, drafted: dict[str, tuple[str, str]], since: datetime
) -> set[str]:
    """Return the cases whose drafted text went to the same contact since then (RFC 3834).

    Args:
        cursor: a reading cursor.
        drafted: contact address and drafted text by case.
        since: how far back a repetition counts.
    """
    emails = sorted({email for email, _ in drafted.values()})
    sent = records(
        cursor,
        SentBodyRow,
        "SELECT c.contact_email, d.body FROM deliveries d JOIN cases c ON c.id = d.case_id "
        "WHERE d.state <> 'cancelled' AND d.purpose = 'reply' AND d.created_at >= ? "
        "AND c.contact_email IN (SELECT unnest(?))",
        [since, emails],
    )
    return {
        case
        for case, (email, text) in drafted.items()
        if text.strip()
        and any(row.contact_email == email and row.body.startswith(text.strip()) for row in sent)
    }


def list_queued(cursor: Connection, case_ids: Sequence[str]) -> dict[str, str]:
    """Return the case of each reply of these cases that has not begun to leave, by its id."""
    rows = cursor.execute(
        "SELECT id, case_id FROM deliveries WHERE case_id IN (SELECT unnest(?)) "
        "AND state IN ('queued', 'deferred') AND purpose = 'reply'",
        [list(case_ids)],
    ).fetchall()
    return {str(delivery): str(case) for delivery, case in rows}


def find_last_message_id(cursor: Connection, case_id: str) -> str | None:
    """Return the Message-ID of what has left last for a case, None for nothing."""
    row = first(
        cursor,
        "SELECT message_id FROM deliveries WHERE case_id = ? AND purpose = 'reply' "
        "AND state = 'sent' ORDER BY sent_at DESC, id DESC LIMIT 1",
        [case_id],
    )
    return str(row[0]) if row else None


def list_message_ids(cursor: Connection, case_ids: Sequence[str]) -> list[str]:
    """Return the Message-IDs of what was written in these cases."""
    rows = cursor.execute(
        "SELECT message_id FROM deliveries WHERE case_id IN (SELECT unnest(?))", [list(case_ids)]
    ).fetchall()
    return [str(row[0]) for row in rows]


def add(cursor: Connection, delivery: Fields, thread_id: str) -> None:
    """Insert a delivery, and note its Message-ID as ours, so that our mail is known again."""
    insert(cursor, "deliveries", [delivery])
    leftovers.settle(cursor, str(delivery["sha256"]))
    ours = {name: delivery[name] for name in ("message_id", "created_at")}
    insert(cursor, "own_message_ids", [ours | {"thread_id": thread_id}])


def change(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of deliveries, each given with its `id`, as one batch."""
    update(cursor, "deliveries", changed)


def list_waiting_replies(cursor: Connection, message_ids: Sequence[str]) -> list[WaitingReplyRow]:
    """Return the cases of these messages' conversations, without theirs, that wait with a reply."""
    waiting = "state IN ('in_review', 'escalated', 'approved')"
    case_ids = list_cases_met_by(cursor, waiting, message_ids)
    if not case_ids:
        return []
    return records(
        cursor,
        WaitingReplyRow,
        f"WITH {build_thread_tables('id IN (SELECT unnest(?))')} "
        "SELECT c.id, c.state, c.message_ids, m.contact_id = c.contact_id AS own, "
        "d.id AS delivery, coalesce(d.automatic, false) AS automatic, "
        "d.leaves_at IS NOT NULL AS scheduled, coalesce(d.scheduled_by, '') AS scheduled_by, "
        "c.subject "
        "FROM messages m JOIN case_threads t ON t.thread_id = m.thread_id "
        "JOIN cases c ON c.id = t.case_id AND NOT list_contains(c.message_ids, m.id) "
        "LEFT JOIN deliveries d ON d.case_id = c.id AND d.state IN ('queued', 'deferred') "
        "AND d.purpose = 'reply' WHERE m.id IN (SELECT unnest(?))",
        [case_ids, list(message_ids)],
    )


def list_messages_since(cursor: Connection, case_id: str, delivery_id: str) -> list[str]:
    """Return the messages of a case's conversations that came after this reply was queued."""
    rows = cursor.execute(
        f"WITH {build_thread_tables('id = ?')} "
        "SELECT m.id FROM messages m JOIN case_threads t ON t.thread_id = m.thread_id "
        "JOIN deliveries d ON d.case_id = t.case_id WHERE d.id = ? "
        "AND m.received_at > d.created_at AND m.status <> 'stored'",
        [case_id, delivery_id],
    ).fetchall()
    return [str(row[0]) for row in rows]


def has_stopped_mail(cursor: Connection, case_id: str, since: datetime) -> bool:
    """Return whether the screen has stopped, or nobody could read, mail of a case's contact."""
    row = first(
        cursor,
        "SELECT 1 FROM messages m JOIN cases c ON c.id = ? "
        "WHERE m.status IN ('quarantined', 'failed') AND m.received_at > ? "
        "AND lower(c.contact_email) IN (lower(m.sender_email), lower(m.mail_from)) LIMIT 1",
        [case_id, since],
    )
    return row is not None


class MaildirRow(NamedTuple):
    """What the file of a delivery is named by."""

    sha256: str
    mail_from: str
    rcpt_to: list[str]


def list_maildir_rows(cursor: Connection, ids: Sequence[str]) -> list[MaildirRow]:
    """Return what the files of these deliveries are named by."""
    statement = f"SELECT {columns(MaildirRow)} FROM deliveries WHERE id IN (SELECT unnest(?))"
    return records(cursor, MaildirRow, statement, [list(ids)])


def list_without_delivery(cursor: Connection, message_ids: Sequence[str]) -> list[str]:
    """Return those of our Message-IDs that no delivery has."""
    rows = cursor.execute(
        "SELECT message_id FROM deliveries WHERE message_id IN (SELECT unnest(?))",
        [list(message_ids)],
    ).fetchall()
    return sorted(set(message_ids) - {str(row[0]) for row in rows})


def list_to_learn_from(cursor: Connection, limit: int) -> list[str]:
    """Return sent deliveries that nobody has looked at yet, oldest first."""
    delivery_ids = cursor.execute(
        "SELECT id FROM deliveries WHERE state = 'sent' AND purpose = 'reply' "
        "AND NOT coalesce(learned, false) "
        "ORDER BY created_at, id LIMIT ?",
        [limit],
    ).fetchall()
    return [str(row[0]) for row in delivery_ids]


def note_learned(cursor: Connection, delivery_id: str) -> None:
    """Note that a delivery was looked at."""
    cursor.execute("UPDATE deliveries SET learned = true WHERE id = ?", [delivery_id])
