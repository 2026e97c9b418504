"""Inbound messages: taking them in, and reading where they are."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.errors import NotFoundError
from data.records.core.search import EVERYTHING, SearchQuery
from data.states import MessageStatus
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    columns,
    first,
    insert,
    match_among,
    records,
    table_page,
    update,
)
from data.store.mail.attached_files import NAMED
from data.store.mail.case_threads import build_thread_tables
from data.store.mail.mail_search import NO_FILTERS, narrow_query


class MessageRow(NamedTuple):
    """An inbound message."""

    id: str
    status: str
    mode: str
    channel: str
    mail_from: str
    rcpt_to: list[str]
    received_at: datetime
    bare_eol: bool
    envelope: str
    """As JSON."""
    content_key: str
    raw_sha256: str
    size_bytes: int
    message_id: str | None
    sender_email: str
    sender_name: str
    subject: str
    preview: str
    verdict: str | None
    automated_kind: str
    urgent: bool
    attachments: int
    contact_id: str | None
    thread_id: str | None
    case_id: str | None
    duplicate_of: str | None
    note: str
    due_at: datetime
    released_by: str | None
    same_id_as: str | None
    """An earlier message with its Message-ID and another content."""
    raw_removed: bool
    """Whether retention has removed its raw bytes."""


class ArrivedRow(NamedTuple):
    """A message as it is taken in: what it says is not read yet."""

    id: str
    """The spool's."""
    status: str
    mode: str
    channel: str
    mail_from: str
    rcpt_to: list[str]
    received_at: datetime
    bare_eol: bool
    envelope: str
    content_key: str
    raw_sha256: str
    size_bytes: int
    duplicate_of: str | None
    note: str
    due_at: datetime


class LineRow(NamedTuple):
    """What a list shows of a message."""

    id: str
    status: str
    sender_email: str
    sender_name: str
    subject: str
    preview: str
    received_at: datetime
    thread_id: str | None
    case_id: str | None
    verdict: str | None
    automated_kind: str
    attachments: int
    note: str


_LINE = columns(LineRow)


class GatheredRow(NamedTuple):
    """A threaded message that belongs to no case yet."""

    id: str
    contact_id: str
    thread_id: str
    received_at: datetime
    urgent: bool
    verdict: str | None
    subject: str
    preview: str
    apart: bool
    """Whether the From is forged or a form's, so that another than the contact may write."""


def take_in(cursor: Connection, arrived: Sequence[ArrivedRow]) -> set[str]:
    """Insert the messages that are not there yet; return the ids that were new.

    Intake may be killed between this and the removal of the spool files, so the same entry may
    come again; its id is the spool's.
    """
    ids = [row.id for row in arrived]
    known_ids = {
        str(row[0])
        for row in cursor.execute(
            "SELECT id FROM messages WHERE id IN (SELECT unnest(?))", [ids]
        ).fetchall()
    }
    insert(cursor, "messages", [row._asdict() for row in arrived if row.id not in known_ids])
    return set(ids) - known_ids


def find_by_content(cursor: Connection, keys: Collection[str], since: datetime) -> dict[str, str]:
    """Return the id of the first message since then for each content key that has one."""
    rows = cursor.execute(
        "SELECT content_key, min(id) FROM messages WHERE received_at >= ? "
        "AND duplicate_of IS NULL AND content_key IN (SELECT unnest(?)) GROUP BY content_key",
        [since, list(keys)],
    ).fetchall()
    return {str(key): str(message) for key, message in rows}


def list_due(cursor: Connection, now: datetime, limit: int) -> list[str]:
    """Return the ids of messages that intake has to work on, oldest first."""
    rows = cursor.execute(
        "SELECT id FROM messages WHERE status IN ('received', 'screening') AND due_at <= ? "
        "ORDER BY received_at, id LIMIT ?",
        [now, limit],
    ).fetchall()
    return [str(row[0]) for row in rows]


def read_messages(cursor: Connection, ids: Sequence[str]) -> dict[str, MessageRow]:
    """Return the rows of these messages by id."""
    condition, parameter = match_among("id", ids)
    statement = f"SELECT * FROM messages WHERE {condition}"
    return {row.id: row for row in records(cursor, MessageRow, statement, [parameter])}


def list_waiting_for_burst(cursor: Connection) -> list[GatheredRow]:
    """Return threaded messages of the pipeline that belong to no case yet, oldest first."""
    return records(
        cursor,
        GatheredRow,
        "SELECT m.id, contact_id, thread_id, received_at, urgent, verdict, m.subject, preview, "
        "coalesce(NOT l.trusted, false) AS apart "
        "FROM messages m LEFT JOIN letterheads l ON l.item_id = m.id "
        "WHERE status = 'threaded' AND case_id IS NULL ORDER BY received_at, id",
    )


def list_cases_with_newer(cursor: Connection, latest: Mapping[str, datetime]) -> set[str]:
    """Return the cases in whose conversations there is newer mail that is not part of them.

    Args:
        cursor: a reading cursor.
        latest: the time of the last message, by case.
    """
    newest = cursor.execute(
        f"WITH {build_thread_tables('id IN (SELECT unnest(?))')} "
        "SELECT t.case_id, max(m.received_at) FROM case_threads t "
        "JOIN messages m ON m.thread_id = t.thread_id AND m.status <> 'stored' GROUP BY ALL",
        [list(latest)],
    ).fetchall()
    return {str(case) for case, at in newest if at > latest[case]}


def is_mail_being_read(cursor: Connection, before: datetime) -> bool:
    """Return whether mail that had come by then has not been put into its conversation yet."""
    statement = (
        "SELECT 1 FROM messages WHERE status IN ('received', 'screening') "
        "AND thread_id IS NULL AND received_at <= ? LIMIT 1"
    )
    return first(cursor, statement, [before]) is not None


def list_page(
    cursor: Connection,
    *,
    status: str | None,
    limit: int,
    offset: int,
    search: SearchQuery = EVERYTHING,
    found: Collection[str] = (),
    filters: Mapping[str, str] = NO_FILTERS,
) -> RowPage[LineRow]:
    """Return one page of the inbox, newest first, and how many there are in all.

    Args:
        cursor: a reading cursor.
        status: messages of this status only; None for all.
        search: what a person looks for.
        found: the messages that hold the words of the search.
        limit: most rows.
        offset: rows to skip.
        filters: of messages' cases and conversations: category, priority, assignee.

    """
    where, values = narrow_query(cursor, search, found)
    for name in ("category", "priority"):
        if filters.get(name):
            where += f" AND case_id IN (SELECT id FROM cases WHERE {name} = ?)"
            values.append(filters[name])
    if filters.get("assignee"):
        where += (
            " AND (case_id IN (SELECT id FROM cases WHERE assignee = ?)"
            " OR thread_id IN (SELECT id FROM threads WHERE assignee = ?))"
        )
        values += [filters["assignee"]] * 2
    return table_page(
        cursor,
        LineRow,
        "messages",
        f"(? IS NULL OR status = ?) AND {where}",
        order="received_at DESC, id DESC",
        parameters=[status, status, *values],
        limit=limit,
        offset=offset,
        select=_LINE,
    )


def list_newest_of_people(cursor: Connection, limit: int) -> list[LineRow]:
    """Return the newest messages that people wrote, but for those that the screen has stopped."""
    return records(
        cursor,
        LineRow,
        f"SELECT {_LINE} FROM messages WHERE automated_kind = 'none' AND duplicate_of IS NULL "
        "AND sender_email <> '' AND status NOT IN ('quarantined', 'rejected') "
        "ORDER BY received_at DESC, id DESC LIMIT ?",
        [limit],
    )


def list_decided(
    cursor: Connection, was: MessageStatus, limit: int, offset: int
) -> RowPage[LineRow]:
    """Return one page of what a person has moved on from status `was`, newest first, and all."""
    return table_page(
        cursor,
        LineRow,
        "messages",
        "status <> ? AND id IN ("
        "SELECT message_id FROM guard_decisions WHERE status = ? AND undone_at IS NULL "
        "AND action IN ('release', 'confirm', 'block'))",
        order="received_at DESC, id DESC",
        parameters=[was, was],
        limit=limit,
        offset=offset,
        select=_LINE,
    )


def change(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of messages, each given with its `id`, as one batch."""
    update(cursor, "messages", changed)


def read_raw_hash(cursor: Connection, message_id: str) -> str:
    """Return the SHA-256 of a message's raw bytes, by which the archive has them.

    Raises:
        NotFoundError: there is no message of that id.

    """
    row = first(cursor, "SELECT raw_sha256 FROM messages WHERE id = ?", [message_id])
    if row is None:
        raise NotFoundError(f"there is no message {message_id!r}")
    return str(row[0])


def list_of_thread(cursor: Connection, thread_id: str) -> list[MessageRow]:
    """Return the messages of a conversation, oldest first."""
    statement = "SELECT * FROM messages WHERE thread_id = ? ORDER BY received_at, id"
    return records(cursor, MessageRow, statement, [thread_id])


def is_any_elsewhere(cursor: Connection, ids: Sequence[str], case_id: str) -> bool:
    """Whether one of an archived case's messages is of another case by now, or not archived."""
    elsewhere = first(
        cursor,
        "SELECT id FROM messages WHERE id IN (SELECT unnest(?)) "
        "AND (case_id IS DISTINCT FROM ? OR status <> 'archived') LIMIT 1",
        [list(ids), case_id],
    )
    return elsewhere is not None


class OldRawRow(NamedTuple):
    """Raw bytes that are past their time, and the messages that came with them."""

    raw_sha256: str
    ids: list[str]


_OLD_RAW = (
    "FROM messages WHERE NOT raw_removed AND received_at < ? AND raw_sha256 NOT IN "
    "(SELECT raw_sha256 FROM messages WHERE received_at >= ? UNION ALL "
    "SELECT m.raw_sha256 FROM forwards f JOIN messages m ON m.id = f.message_id "
    f"WHERE f.state IN ('queued', 'sending', 'deferred') UNION ALL {NAMED})"
)
"""Messages whose bytes are there and nobody has sent us since; those on their way out are kept."""


def list_raw_before(cursor: Connection, before: datetime, limit: int) -> list[OldRawRow]:
    """Return raw bytes that are past their time and still there, the oldest first."""
    return records(
        cursor,
        OldRawRow,
        f"SELECT raw_sha256, list(id) AS ids {_OLD_RAW} "
        "GROUP BY raw_sha256 ORDER BY min(id) LIMIT ?",
        [before, before, limit],
    )


def count_raw_before(cursor: Connection, before: datetime) -> int:
    """Return how many raw bytes are past their time and still there."""
    counted = first(cursor, f"SELECT count(DISTINCT raw_sha256) {_OLD_RAW}", [before, before])
    return int(counted[0]) if counted else 0


def note_raw_removed(cursor: Connection, ids: Sequence[str]) -> None:
    """Note that the raw bytes of messages are removed; nothing looks for them again."""
    cursor.execute(
        "UPDATE messages SET raw_removed = true WHERE id IN (SELECT unnest(?))", [list(ids)]
    )


def flag_same_ids(cursor: Connection, pairs: Mapping[str, str]) -> None:
    """Note with messages which other one has their Message-ID, where none was noted before."""
    update(
        cursor,
        "messages",
        [{"id": item, "same_id_as": theirs} for item, theirs in pairs.items()],
        only="messages.same_id_as IS NULL",
    )
