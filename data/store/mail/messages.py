"""Inbound messages: taking them in, reading where they are, and their contacts."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from data.free_mail import free_mail_domains
from data.ids import new_id
from data.records.core.search import EVERYTHING, SearchQuery
from data.states import MessageStatus
from data.store.core.database import Connection, insert, rows, table_page
from data.store.mail.mail_search import NO_FILTERS, narrow

LINE = (
    "id, status, sender_email, sender_name, subject, preview, received_at, thread_id, case_id, "
    "verdict, automated_kind, attachments, note"
)


def take_in(cursor: Connection, records: Sequence[dict[str, Any]]) -> set[str]:
    """Insert the messages that are not there yet; return the ids that were new.

    Intake may be killed between this and the removal of the spool files, so the same entry may
    come again; its id is the spool's.
    """
    ids = [record["id"] for record in records]
    known = {
        row[0]
        for row in cursor.execute(
            "SELECT id FROM messages WHERE id IN (SELECT unnest(?))", [ids]
        ).fetchall()
    }
    fresh = [record for record in records if record["id"] not in known]
    insert(cursor, "messages", fresh)
    return {record["id"] for record in fresh}


def by_content(cursor: Connection, keys: Collection[str], since: datetime) -> dict[str, str]:
    """Return the id of the first message since then for each content key that has one."""
    found = cursor.execute(
        "SELECT content_key, min(id) FROM messages WHERE received_at >= ? "
        "AND duplicate_of IS NULL AND content_key IN (SELECT unnest(?)) GROUP BY content_key",
        [since, list(keys)],
    ).fetchall()
    return {str(key): str(message) for key, message in found}


def due(cursor: Connection, now: datetime, limit: int) -> list[str]:
    """Return the ids of messages that intake has to work on, oldest first."""
    found = cursor.execute(
        "SELECT id FROM messages WHERE status IN ('received', 'screening') AND due_at <= ? "
        "ORDER BY received_at, id LIMIT ?",
        [now, limit],
    ).fetchall()
    return [str(row[0]) for row in found]


def to_read(cursor: Connection, now: datetime, limit: int, but: Sequence[str]) -> dict[str, str]:
    """Return the SHA-256 of the raw bytes, by id, of messages that are not read, oldest first.

    Those of `but`, whose turn it is, are left out.
    """
    found = cursor.execute(
        "SELECT id, raw_sha256 FROM messages WHERE status = 'received' AND due_at <= ? "
        "AND id NOT IN (SELECT unnest(?::VARCHAR[])) ORDER BY received_at, id LIMIT ?",
        [now, list(but), limit],
    ).fetchall()
    return {str(item): str(key) for item, key in found}


def many(cursor: Connection, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of these messages by id."""
    found = rows(cursor, "SELECT * FROM messages WHERE id IN (SELECT unnest(?))", [list(ids)])
    return {row["id"]: row for row in found}


def waiting_for_burst(cursor: Connection) -> list[dict[str, Any]]:
    """Return threaded messages of the pipeline that belong to no case yet, oldest first.

    `apart` says that the From is forged or a form's, so that another than the contact may write.
    """
    return rows(
        cursor,
        "SELECT m.id, contact_id, thread_id, received_at, urgent, verdict, m.subject, preview, "
        "coalesce(NOT l.trusted, false) AS apart "
        "FROM messages m LEFT JOIN letterheads l ON l.item_id = m.id "
        "WHERE status = 'threaded' AND case_id IS NULL ORDER BY received_at, id",
    )


def newer_than(cursor: Connection, latest: dict[str, tuple[str, datetime]]) -> set[str]:
    """Return the cases whose conversation has newer mail that is not part of them.

    Args:
        cursor: a reading cursor.
        latest: conversation and time of the last message, by case.
    """
    found = rows(
        cursor,
        "SELECT thread_id, max(received_at) AS newest FROM messages "
        "WHERE thread_id IN (SELECT unnest(?)) AND status <> 'stored' GROUP BY thread_id",
        [sorted({thread for thread, _ in latest.values()})],
    )
    newest = {row["thread_id"]: row["newest"] for row in found}
    return {case for case, (thread, at) in latest.items() if newest.get(thread, at) > at}


def lines(
    cursor: Connection,
    *,
    status: str | None,
    limit: int,
    offset: int,
    search: SearchQuery = EVERYTHING,
    found: Collection[str] = (),
    filters: Mapping[str, str] = NO_FILTERS,
) -> tuple[list[dict[str, Any]], int]:
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
    where, given = narrow(cursor, search, found)
    for name in ("category", "priority"):
        if filters.get(name):
            where += f" AND case_id IN (SELECT id FROM cases WHERE {name} = ?)"
            given.append(filters[name])
    if filters.get("assignee"):
        where += (
            " AND (case_id IN (SELECT id FROM cases WHERE assignee = ?)"
            " OR thread_id IN (SELECT id FROM threads WHERE assignee = ?))"
        )
        given += [filters["assignee"]] * 2
    return table_page(
        cursor,
        LINE,
        "messages",
        f"(? IS NULL OR status = ?) AND {where}",
        order="received_at DESC, id DESC",
        given=[status, status, *given],
        limit=limit,
        offset=offset,
    )


def decided(
    cursor: Connection, was: MessageStatus, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Return one page of what a person has moved on from status `was`, newest first, and all."""
    return table_page(
        cursor,
        LINE,
        "messages",
        "status <> ? AND id IN ("
        "SELECT message_id FROM guard_decisions WHERE status = ? AND undone_at IS NULL "
        "AND action IN ('release', 'confirm', 'block'))",
        order="received_at DESC, id DESC",
        given=[was, was],
        limit=limit,
        offset=offset,
    )


def contacts_of(
    cursor: Connection, senders: dict[str, str], now: datetime
) -> dict[str, dict[str, Any]]:
    """Return the contact of each sender address, made where there was none.

    Args:
        cursor: an open transaction.
        senders: display name by lower-cased address.
        now: when a new contact was first seen.

    """
    found = rows(
        cursor, "SELECT * FROM contacts WHERE email IN (SELECT unnest(?))", [list(senders)]
    )
    known = {row["email"]: row for row in found}
    fresh = [
        _contact(new_id(now), email, name, now)
        for email, name in senders.items()
        if email not in known
    ]
    insert(cursor, "contacts", fresh)
    return known | {str(row["email"]): row for row in fresh}


def nobodies(cursor: Connection, names: Mapping[str, str], now: datetime) -> dict[str, str]:
    """Return a contact without an address for each of these messages, made where there is none.

    Args:
        cursor: an open transaction.
        names: what the sender is called, by message.
        now: when.

    """
    made = {item: f"nobody-{item}" for item in names}
    found = rows(
        cursor, "SELECT id FROM contacts WHERE id IN (SELECT unnest(?))", [[*made.values()]]
    )
    known = {row["id"] for row in found}
    insert(
        cursor,
        "contacts",
        [
            _contact(made[item], "", name, now)
            for item, name in names.items()
            if made[item] not in known
        ],
    )
    return made


def _contact(identity: str, email: str, name: str, now: datetime) -> dict[str, Any]:
    """Return the row of a contact of whom nothing else is known yet."""
    return {
        "id": identity,
        "email": email,
        "name": name,
        "company": "",
        "language": "",
        "notes": "",
        "blocked": False,
        "first_seen_at": now,
    }


def blocks(cursor: Connection) -> tuple[frozenset[str], frozenset[str]]:
    """Return the blocked addresses and the blocked domains."""
    found = cursor.execute("SELECT pattern, scope FROM blocks").fetchall()
    senders = frozenset(str(pattern) for pattern, scope in found if scope == "sender")
    domains = frozenset(str(pattern) for pattern, scope in found if scope == "domain")
    return senders, domains


def known_senders(cursor: Connection, emails: Collection[str]) -> set[str]:
    """Return those of the addresses that we have heard from or written to before."""
    found = cursor.execute(
        "SELECT email FROM contacts WHERE email IN (SELECT unnest(?)) AND email <> ''",
        [list(emails)],
    ).fetchall()
    return {str(row[0]) for row in found}


def contact_domains(cursor: Connection) -> tuple[str, ...]:
    """Return the domains of all contacts, sorted; those of free mail are nobody's own."""
    found = cursor.execute(
        "SELECT DISTINCT split_part(email, '@', 2) FROM contacts WHERE NOT blocked"
    ).fetchall()
    return tuple(sorted({str(row[0]) for row in found} - {""} - free_mail_domains()))
