"""The ledger of promises: what replies that have left say we will do, and by when."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from data.errors import ConflictError, NotFoundError
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    first,
    insert,
    read_sums,
    record_page,
    records,
)


class PromiseRow(NamedTuple):
    """A promise of a reply that has left."""

    id: str
    case_id: str
    delivery_id: str
    thread_id: str
    contact_email: str
    sentence: str
    due_on: date
    dated: bool
    """Whether it names the day itself."""
    made_at: datetime
    reminded_at: datetime | None
    closed_at: datetime | None
    closed_by: str
    note: str
    state: str
    """`open`, `overdue` or `closed`, as of today."""


_STATED = """
    SELECT *, CASE WHEN closed_at IS NOT NULL THEN 'closed' WHEN due_on < ? THEN 'overdue'
        ELSE 'open' END AS state
    FROM promises
"""


def add(cursor: Connection, promised: Sequence[Fields]) -> None:
    """Insert promises; those of a delivery that has some already are left out."""
    ids = sorted({str(fields["delivery_id"]) for fields in promised})
    statement = "SELECT DISTINCT delivery_id FROM promises WHERE delivery_id IN ?"
    promised_ids = {row[0] for row in cursor.execute(statement, [ids]).fetchall()}
    insert(
        cursor,
        "promises",
        [fields for fields in promised if fields["delivery_id"] not in promised_ids],
    )


def close_earlier(
    cursor: Connection, thread_id: str, contact_email: str, delivery_id: str, now: datetime
) -> int:
    """Close what earlier replies to a contact promised in a conversation; return how many."""
    closed = cursor.execute(
        "UPDATE promises SET closed_at = ?, closed_by = ?, note = 'we wrote again' "
        "WHERE thread_id = ? AND contact_email = ? AND delivery_id <> ? AND closed_at IS NULL "
        "AND made_at < ? RETURNING id",
        [now, f"delivery:{delivery_id}", thread_id, contact_email, delivery_id, now],
    )
    return len(closed.fetchall())


def close(cursor: Connection, promise_id: str, user: str, note: str, now: datetime) -> None:
    """Close one promise in a person's name.

    Raises:
        NotFoundError: there is none of that id.
        ConflictError: it is closed already.

    """
    done = cursor.execute(
        "UPDATE promises SET closed_at = ?, closed_by = ?, note = ? "
        "WHERE id = ? AND closed_at IS NULL RETURNING id",
        [now, user, note, promise_id],
    ).fetchall()
    if done:
        return
    if first(cursor, "SELECT id FROM promises WHERE id = ?", [promise_id]) is None:
        raise NotFoundError(f"there is no promise {promise_id!r}")
    raise ConflictError("this promise is closed already; there is nothing to do")


def list_page(
    cursor: Connection, *, state: str, case: str, today: date, limit: int, offset: int
) -> RowPage[PromiseRow]:
    """Return one page, the next due first, and how many match; empty filters match all."""
    return record_page(
        cursor,
        PromiseRow,
        f"SELECT * FROM ({_STATED}) WHERE (? = '' OR state = ?) AND (? = '' OR case_id = ?)",
        order="closed_at IS NOT NULL, due_on, id",
        parameters=[today, state, state, case, case],
        limit=limit,
        offset=offset,
    )


def list_made(
    cursor: Connection,
    emails: Sequence[str] | None,
    made: tuple[datetime, datetime] | None,
    *,
    today: date,
    limit: int,
) -> RowPage[PromiseRow]:
    """Return what contacts were promised, kept or not, what is not kept first, and how much it is.

    Args:
        cursor: of the organization's state.
        emails: addresses of contacts; None for everybody's.
        made: from when to when, the end excluded, it was promised; None for whenever.
        today: the day in the organization's time zone.
        limit: rows at most.

    """
    begin, end = made or (None, None)
    listed = None if emails is None else list(emails)
    return record_page(
        cursor,
        PromiseRow,
        f"SELECT * FROM ({_STATED}) WHERE (?::VARCHAR[] IS NULL OR contact_email IN "
        "(SELECT unnest(?::VARCHAR[]))) AND (?::TIMESTAMPTZ IS NULL OR made_at >= ?) "
        "AND (?::TIMESTAMPTZ IS NULL OR made_at < ?)",
        order="closed_at IS NOT NULL, due_on, id",
        parameters=[today, listed, listed, begin, begin, end, end],
        limit=limit,
        offset=0,
    )


def list_unkept(
    cursor: Connection, contact_email: str, *, today: date, limit: int
) -> RowPage[PromiseRow]:
    """Return what a contact was promised that is not kept yet, the next due first; how much."""
    return record_page(
        cursor,
        PromiseRow,
        f"SELECT * FROM ({_STATED}) WHERE closed_at IS NULL AND contact_email = ? "
        "AND contact_email <> ''",  # of whom nobody knows the address, nobody is the same person
        order="due_on, id",
        parameters=[today, contact_email],
        limit=limit,
        offset=0,
    )


class OpenPromises(NamedTuple):
    """How many promises are not closed, and how many of them are overdue."""

    unclosed: int
    overdue: int


def count_open(cursor: Connection, today: date) -> OpenPromises:
    """Return how many promises are not closed, and how many of them are overdue."""
    return read_sums(
        cursor,
        OpenPromises,
        "SELECT count(*) AS unclosed, count(*) FILTER (due_on < ?) AS overdue "
        "FROM promises WHERE closed_at IS NULL",
        [today],
    )


def list_unreminded(cursor: Connection, today: date) -> list[PromiseRow]:
    """Return what is due today or overdue, and nobody was reminded of."""
    return records(
        cursor,
        PromiseRow,
        f"SELECT * FROM ({_STATED}) WHERE closed_at IS NULL AND reminded_at IS NULL "
        "AND due_on <= ? ORDER BY due_on, id",
        [today, today],
    )


def note_reminded(cursor: Connection, ids: Sequence[str], now: datetime) -> None:
    """Note that people were reminded."""
    cursor.execute(
        "UPDATE promises SET reminded_at = ? WHERE id IN (SELECT unnest(?))", [now, list(ids)]
    )
