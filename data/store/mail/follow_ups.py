"""Follow-ups of answered cases: who wants to hear of one again, and when."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.records.mail.follow_ups import FollowUpEnd
from data.store.core.database import Connection
from data.store.core.statements import first, insert, match_among, records, update
from data.store.mail.case_threads import list_cases_met_by

_AWAITED = "id IN (SELECT case_id FROM follow_ups WHERE ended_at IS NULL)"


class FollowUpRow(NamedTuple):
    """One time that somebody wanted to hear of a case again."""

    id: str
    case_id: str
    days: int
    """Working days without an answer."""
    due_at: datetime | None
    """None until the reply has left."""
    asked_by: str
    addressee: str
    """The mail address of who asked; empty where nobody knows one."""
    asked_at: datetime
    ended_at: datetime | None
    ended_because: str


def add(
    cursor: Connection,
    case_id: str,
    days: int,
    due_at: datetime | None,
    by: str,
    email: str,
    now: datetime,
) -> None:
    """Keep that somebody wants to hear of a case again; what was asked before is ended first."""
    row = FollowUpRow(new_id(now), case_id, days, due_at, by, email, now, None, "")
    insert(cursor, "follow_ups", [row._asdict()])


def end(
    cursor: Connection, case_ids: Sequence[str], because: FollowUpEnd, now: datetime
) -> list[FollowUpRow]:
    """End those of these cases that run; return them."""
    if not case_ids:
        return []
    condition, parameter = match_among("case_id", case_ids)
    statement = f"SELECT * FROM follow_ups WHERE ended_at IS NULL AND {condition}"
    ended = records(cursor, FollowUpRow, statement, [parameter])
    reason = str(because)
    update(
        cursor,
        "follow_ups",
        [{"id": row.id, "ended_at": now, "ended_because": reason} for row in ended],
    )
    return [row._replace(ended_at=now, ended_because=reason) for row in ended]


def find_running(cursor: Connection, case_id: str) -> FollowUpRow | None:
    """Return the one of a case that runs."""
    follow_up_rows = records(
        cursor,
        FollowUpRow,
        "SELECT * FROM follow_ups WHERE case_id = ? AND ended_at IS NULL",
        [case_id],
    )
    return follow_up_rows[0] if follow_up_rows else None


def begin(cursor: Connection, row: FollowUpRow, due_at: datetime) -> None:
    """Let one run from now on, whose reply has left."""
    update(cursor, "follow_ups", [{"id": row.id, "due_at": due_at}])


def list_due(cursor: Connection, now: datetime) -> list[FollowUpRow]:
    """Return those whose time has come."""
    return records(
        cursor,
        FollowUpRow,
        "SELECT * FROM follow_ups WHERE ended_at IS NULL AND due_at <= ? ORDER BY due_at, id",
        [now],
    )


def list_answered_by(cursor: Connection, message_ids: Sequence[str]) -> list[str]:
    """Return the cases that somebody waits for, to whose contact these messages are an answer.

    Whatever the contact writes is one, also elsewhere, and what anybody writes in the conversation.
    """
    awaited = first(cursor, "SELECT 1 FROM follow_ups WHERE ended_at IS NULL LIMIT 1")
    if awaited is None:
        return []
    by_contact = cursor.execute(
        f"SELECT id FROM cases WHERE {_AWAITED} AND contact_id IN "
        "(SELECT contact_id FROM messages WHERE id IN (SELECT unnest(?)))",
        [list(message_ids)],
    ).fetchall()
    return sorted(
        {str(row[0]) for row in by_contact}.union(list_cases_met_by(cursor, _AWAITED, message_ids))
    )


def find_last(cursor: Connection, case_id: str) -> FollowUpRow | None:
    """Return the last time that somebody wanted to hear of a case again."""
    follow_up_rows = records(
        cursor,
        FollowUpRow,
        "SELECT * FROM follow_ups WHERE case_id = ? ORDER BY asked_at DESC, id DESC LIMIT 1",
        [case_id],
    )
    return follow_up_rows[0] if follow_up_rows else None


def find_letter_begun(cursor: Connection, case_id: str) -> str | None:
    """Return the case of the letter that was begun again on a case and has not left."""
    row = cursor.execute(
        "SELECT id FROM cases WHERE again_of = ? "
        "AND state IN ('in_review', 'escalated', 'approved') LIMIT 1",
        [case_id],
    ).fetchone()
    return str(row[0]) if row else None
