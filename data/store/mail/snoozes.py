"""Cases that people have put off, and what brought them back."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.records.mail.snoozing import SnoozeEnd
from data.store.core.database import Connection
from data.store.core.statements import first, insert, match_among, records, update
from data.store.mail.case_threads import list_cases_met_by

SNOOZED = "id IN (SELECT case_id FROM snoozes WHERE ended_at IS NULL)"
"""The condition on a row of `cases` that it is put off."""


class SnoozeRow(NamedTuple):
    """One time that a case was put off."""

    id: str
    case_id: str
    until: datetime | None
    snoozed_by: str
    addressee: str
    """The mail address of who put it off; empty where nobody knows one."""
    snoozed_at: datetime
    ended_at: datetime | None
    ended_because: str


def add(
    cursor: Connection, case_id: str, until: datetime | None, by: str, email: str, now: datetime
) -> None:
    """Keep that a case is put off from now on; what it was put off until before is ended first."""
    row = SnoozeRow(new_id(now), case_id, until, by, email, now, None, "")
    insert(cursor, "snoozes", [row._asdict()])


def end(
    cursor: Connection, case_ids: Sequence[str], because: SnoozeEnd, now: datetime
) -> list[SnoozeRow]:
    """Bring those of these cases back that are put off; return what has ended by that."""
    if not case_ids:
        return []
    condition, parameter = match_among("case_id", case_ids)
    statement = f"SELECT * FROM snoozes WHERE ended_at IS NULL AND {condition}"
    ended = records(cursor, SnoozeRow, statement, [parameter])
    reason = str(because)
    update(
        cursor,
        "snoozes",
        [{"id": row.id, "ended_at": now, "ended_because": reason} for row in ended],
    )
    return [row._replace(ended_at=now, ended_because=reason) for row in ended]


def is_put_off(cursor: Connection, case_id: str) -> bool:
    """Whether a case is put off."""
    statement = "SELECT 1 FROM snoozes WHERE ended_at IS NULL AND case_id = ?"
    return first(cursor, statement, [case_id]) is not None


def list_due(cursor: Connection, now: datetime) -> list[str]:
    """Return the cases whose time to come back has come."""
    rows = cursor.execute(
        "SELECT case_id FROM snoozes WHERE ended_at IS NULL AND until <= ? ORDER BY until, id",
        [now],
    ).fetchall()
    return [str(row[0]) for row in rows]


def list_in_threads_of(cursor: Connection, message_ids: Sequence[str]) -> list[str]:
    """Return the cases that are put off in the conversations of these messages."""
    return list_cases_met_by(cursor, SNOOZED, message_ids) if count(cursor) else []


def find_last(cursor: Connection, case_id: str) -> SnoozeRow | None:
    """Return the last time that a case, or what it took over, was put off."""
    snooze_rows = records(
        cursor,
        SnoozeRow,
        "SELECT * FROM snoozes WHERE case_id = ? "
        "OR case_id IN (SELECT id FROM cases WHERE superseded_by = ?) "
        "ORDER BY snoozed_at DESC, id DESC LIMIT 1",
        [case_id, case_id],
    )
    return snooze_rows[0] if snooze_rows else None


def count(cursor: Connection) -> int:
    """Return how many cases are put off."""
    row = first(cursor, "SELECT count(*) FROM snoozes WHERE ended_at IS NULL")
    return int(row[0]) if row else 0
