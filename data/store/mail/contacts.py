"""Contacts: who has written to us, and whom we know from the organization's files."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.free_mail import free_mail_domains
from data.ids import new_id
from data.store.core.database import Connection
from data.store.core.statements import Fields, insert, records, update


class ContactRow(NamedTuple):
    """Somebody who has written to us, or whom we know from the organization's files."""

    id: str
    email: str
    """Lower-case; empty of who has none."""
    name: str
    company: str
    language: str
    notes: str
    blocked: bool
    first_seen_at: datetime
    plan: str


def find_or_make(
    cursor: Connection, senders: dict[str, str], now: datetime
) -> dict[str, ContactRow]:
    """Return the contact of each sender address, made where there was none.

    Args:
        cursor: an open transaction.
        senders: display name by lower-cased address.
        now: when a new contact was first seen.

    """
    statement = "SELECT * FROM contacts WHERE email IN (SELECT unnest(?))"
    contact_by_email = {
        row.email: row for row in records(cursor, ContactRow, statement, [list(senders)])
    }
    fresh = [
        _build_row(new_id(now), email, name, now)
        for email, name in senders.items()
        if email not in contact_by_email
    ]
    insert(cursor, "contacts", [row._asdict() for row in fresh])
    return contact_by_email | {row.email: row for row in fresh}


def make_nameless(cursor: Connection, names: Mapping[str, str], now: datetime) -> dict[str, str]:
    """Return a contact without an address for each of these messages, made where there is none.

    Args:
        cursor: an open transaction.
        names: what the sender is called, by message.
        now: when.

    """
    nameless_by_id = {item: f"nobody-{item}" for item in names}
    contact_by_id = read_contacts(cursor, nameless_by_id.values())
    insert(
        cursor,
        "contacts",
        [
            _build_row(nameless_by_id[item], "", name, now)._asdict()
            for item, name in names.items()
            if nameless_by_id[item] not in contact_by_id
        ],
    )
    return nameless_by_id


def _build_row(identity: str, email: str, name: str, now: datetime) -> ContactRow:
    """Return the row of a contact of whom nothing else is known yet."""
    return ContactRow(
        id=identity,
        email=email,
        name=name,
        company="",
        language="",
        notes="",
        blocked=False,
        first_seen_at=now,
        plan="",
    )


def read_contacts(cursor: Connection, ids: Collection[str]) -> dict[str, ContactRow]:
    """Return contacts by id."""
    statement = "SELECT * FROM contacts WHERE id IN (SELECT unnest(?))"
    return {row.id: row for row in records(cursor, ContactRow, statement, [sorted(ids)])}


def find_by_address(cursor: Connection, email: str) -> ContactRow | None:
    """Return the contact of an address, None when there is none or the address is empty."""
    statement = "SELECT * FROM contacts WHERE email = ? AND email <> ''"
    return next(iter(records(cursor, ContactRow, statement, [email])), None)


def list_known_senders(cursor: Connection, emails: Collection[str]) -> set[str]:
    """Return those of the addresses that we have heard from or written to before."""
    rows = cursor.execute(
        "SELECT email FROM contacts WHERE email IN (SELECT unnest(?)) AND email <> ''",
        [list(emails)],
    ).fetchall()
    return {str(row[0]) for row in rows}


def list_domains(cursor: Connection) -> tuple[str, ...]:
    """Return the domains of all contacts, sorted; those of free mail are nobody's own."""
    rows = cursor.execute(
        "SELECT DISTINCT split_part(email, '@', 2) FROM contacts WHERE NOT blocked"
    ).fetchall()
    return tuple(sorted({str(row[0]) for row in rows} - {""} - free_mail_domains()))


def change(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of contacts, each given with its `id`, as one batch."""
    update(cursor, "contacts", changed)
