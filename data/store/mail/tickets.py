"""Tickets, their notes, and what an outside tracker is told."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.mail.tickets import NoteKind, OpenTicket, TicketState
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    columns,
    first,
    insert,
    one_record,
    read_sums,
    records,
    table_page,
    update,
)


class TicketRow(NamedTuple):
    """A ticket."""

    id: str
    number: int
    state: str
    title: str
    text: str
    category: str
    case_id: str
    branch_id: str
    thread_id: str
    contact_email: str
    duplicate_of: str
    reason: str
    created_at: datetime
    changed_at: datetime
    closed_at: datetime | None


class TicketNoteRow(NamedTuple):
    """Something that happened to a ticket."""

    kind: str
    author: str
    text: str
    noted_at: datetime


class PushRow(NamedTuple):
    """Something that an outside tracker is to be told of a ticket."""

    id: str
    ticket_id: str
    state: str
    body: str
    due_at: datetime
    failures: int
    response: str
    created_at: datetime


def read_next_number(cursor: Connection) -> int:
    """Return the number of the next ticket."""
    row = first(cursor, "SELECT coalesce(max(number), 0) + 1 FROM tickets")
    return int(row[0]) if row else 1


def list_of_conversations(
    cursor: Connection, threads: Collection[str]
) -> dict[tuple[str, str], list[TicketRow]]:
    """Return the tickets of these conversations by (thread, contact's address), newest first."""
    tickets_by_pair: dict[tuple[str, str], list[TicketRow]] = {}
    for row in records(
        cursor,
        TicketRow,
        "SELECT * FROM tickets WHERE thread_id IN (SELECT unnest(?)) ORDER BY number DESC",
        [sorted(threads)],
    ):
        tickets_by_pair.setdefault((row.thread_id, row.contact_email), []).append(row)
    return tickets_by_pair


def add(cursor: Connection, tickets: Sequence[Fields]) -> None:
    """Insert new tickets, as one batch."""
    insert(cursor, "tickets", tickets)


def note_opened(
    cursor: Connection, notes: Sequence[tuple[str, str, str]], author: str, now: datetime
) -> None:
    """Write down that tickets were opened: each note's id, the ticket's, and why."""
    insert(
        cursor,
        "ticket_notes",
        [
            {
                "id": identity,
                "ticket_id": ticket,
                "kind": NoteKind.OPENED,
                "author": author,
                "text": text,
                "noted_at": now,
            }
            for identity, ticket, text in notes
        ],
    )


def link_case(cursor: Connection, ticket_id: str, case_id: str, branch_id: str, text: str) -> None:
    """Say which case a ticket belongs to now, and what is wanted in it."""
    place = {"case_id": case_id, "branch_id": branch_id, "text": text}
    update(cursor, "tickets", [{"id": ticket_id, **place}])


def read_row(cursor: Connection, ticket_id: str) -> TicketRow:
    """Return one ticket's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = "SELECT * FROM tickets WHERE id = ?"
    return one_record(cursor, TicketRow, statement, ticket_id, f"there is no ticket {ticket_id!r}")


def list_page(
    cursor: Connection, *, state: str, case: str, search: str, limit: int, offset: int
) -> RowPage[TicketRow]:
    """Return one page of the tickets, newest first, and how many match; empty filters match all."""
    return table_page(
        cursor,
        TicketRow,
        "tickets",
        "(? = '' OR state = ?) AND (? = '' OR case_id = ?) "
        "AND contains(lower(concat_ws(' ', title, text, contact_email)), ?)",
        order="number DESC",
        parameters=[state, state, case, case, search.strip().lower()],
        limit=limit,
        offset=offset,
    )


def list_open(cursor: Connection, limit: int) -> list[OpenTicket]:
    """Return the newest open tickets."""
    return records(
        cursor,
        OpenTicket,
        f"SELECT {columns(OpenTicket)} FROM tickets WHERE state = 'open' "
        "ORDER BY number DESC LIMIT ?",
        [limit],
    )


def change_state(
    cursor: Connection, ticket_id: str, target: TicketState, reason: str, now: datetime
) -> bool:
    """Open or close a ticket; return False when it is so already."""
    closed_at = now if target is TicketState.CLOSED else None
    rows = cursor.execute(
        "UPDATE tickets SET state = ?, reason = ?, changed_at = ?, closed_at = ? "
        "WHERE id = ? AND state <> ? RETURNING id",
        [str(target), reason, now, closed_at, ticket_id, str(target)],
    ).fetchall()
    return bool(rows)


def note(
    cursor: Connection,
    identity: str,
    ticket_id: str,
    kind: NoteKind,
    author: str,
    text: str,
    now: datetime,
) -> None:
    """Write down what happened to a ticket."""
    record = {"id": identity, "ticket_id": ticket_id, "kind": kind, "author": author}
    insert(cursor, "ticket_notes", [record | {"text": text, "noted_at": now}])
    update(cursor, "tickets", [{"id": ticket_id, "changed_at": now}])


def list_notes(cursor: Connection, ticket_id: str) -> list[TicketNoteRow]:
    """Return a ticket's notes, oldest first."""
    return records(
        cursor,
        TicketNoteRow,
        f"SELECT {columns(TicketNoteRow)} FROM ticket_notes WHERE ticket_id = ? "
        "ORDER BY noted_at, id",
        [ticket_id],
    )


def add_push(cursor: Connection, identity: str, ticket_id: str, body: str, now: datetime) -> None:
    """Have an outside tracker told."""
    record = {"id": identity, "ticket_id": ticket_id, "state": "queued", "body": body}
    insert(cursor, "ticket_pushes", [record | {"due_at": now, "created_at": now}])


def list_due_pushes(cursor: Connection, now: datetime, limit: int) -> list[PushRow]:
    """Return what a tracker is to be told now, oldest first and in order within a ticket."""
    return records(
        cursor,
        PushRow,
        "SELECT * FROM ticket_pushes WHERE state = 'queued' "
        "QUALIFY row_number() OVER (PARTITION BY ticket_id ORDER BY created_at, id) = 1 "
        "AND due_at <= ? ORDER BY created_at, id LIMIT ?",
        [now, limit],
    )


class UntoldPushes(NamedTuple):
    """How much of a ticket its tracker has not heard."""

    queued: int
    failed: int
    """What it will not hear unless somebody asks for it again."""
    response: str
    """What it answered last to one of them; empty where it has answered none."""


def count_untold(cursor: Connection, ticket_id: str) -> UntoldPushes:
    """Return how much of a ticket a tracker has yet to hear, how much it never will, and why."""
    return read_sums(
        cursor,
        UntoldPushes,
        "SELECT count(*) FILTER (state = 'queued') AS queued, "
        "count(*) FILTER (state = 'failed') AS failed, "
        "coalesce(arg_max(response, created_at) FILTER (state <> 'delivered'), '') AS response "
        "FROM ticket_pushes WHERE ticket_id = ?",
        [ticket_id],
    )


def tell_again(cursor: Connection, ticket_id: str, now: datetime) -> int:
    """Have a tracker told at once what it has not heard of a ticket; return how much that is."""
    rows = cursor.execute(
        "UPDATE ticket_pushes SET state = 'queued', failures = 0, due_at = ? "
        "WHERE ticket_id = ? AND state IN ('queued', 'failed') RETURNING id",
        [now, ticket_id],
    ).fetchall()
    return len(rows)


def change_pushes(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of what a tracker is told, each given with its `id`, as one batch."""
    update(cursor, "ticket_pushes", changed)
