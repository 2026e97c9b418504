"""Contacts and correspondence from before Postern, as `sync` loads them."""

from collections.abc import Sequence
from datetime import datetime

from data.ids import new_id
from data.records.core.knowledge import Contact, HistoryEntry
from data.store.core.database import Connection
from data.store.mail import contacts, history, threads
from tasks.mail.thread.conversation_ties import normalize_subject


def add_contacts(cursor: Connection, loaded: Sequence[Contact], now: datetime) -> None:
    """Make contacts that are not there yet, and fill in what the file says of the others."""
    names = {contact.email: contact.name for contact in loaded}
    contacts_known = contacts.find_or_make(cursor, names, now)
    contacts.change(
        cursor,
        [
            {
                "id": contacts_known[contact.email].id,
                "name": contact.name,
                "company": contact.company,
                "language": contact.language,
                "plan": contact.plan,
                "notes": contact.notes,
            }
            for contact in loaded
        ],
    )


def add_history(cursor: Connection, entries: Sequence[HistoryEntry], now: datetime) -> None:
    """Add earlier messages that are not there yet, and the conversations they belong to."""
    refs_known = history.list_refs(cursor)
    fresh = sorted((e for e in entries if e.ref not in refs_known), key=lambda entry: entry.at)
    if not fresh:
        return
    known_by = contacts.find_or_make(cursor, {entry.contact: "" for entry in fresh}, now)
    placed = _place(cursor, fresh, now)
    history.add(
        cursor,
        [
            {
                "ref": entry.ref,
                "contact_email": entry.contact,
                "outbound": entry.outbound,
                "occurred_at": entry.at,
                "subject": entry.subject,
                "body": entry.text,
                "message_id": entry.message_id,
                "in_reply_to": entry.in_reply_to,
                "thread_id": placed[entry.ref],
            }
            for entry in fresh
        ],
    )
    _insert_threads(cursor, fresh, placed, {e: row.id for e, row in known_by.items()})


def _place(cursor: Connection, fresh: Sequence[HistoryEntry], now: datetime) -> dict[str, str]:
    """Return the conversation of each entry: its parent's, or one that begins with it."""
    by_message = history.list_conversations(cursor)
    placed: dict[str, str] = {}
    for entry in fresh:
        thread = by_message.get(entry.in_reply_to) if entry.in_reply_to else None
        placed[entry.ref] = thread or new_id(now)
        if entry.message_id:
            by_message[entry.message_id] = placed[entry.ref]
    return placed


def _insert_threads(
    cursor: Connection,
    fresh: Sequence[HistoryEntry],
    placed: dict[str, str],
    contacts: dict[str, str],
) -> None:
    threads_known = threads.find_known(cursor, set(placed.values()))
    grouped: dict[str, list[HistoryEntry]] = {}
    for entry in fresh:
        grouped.setdefault(placed[entry.ref], []).append(entry)
    threads.add(
        cursor,
        [
            {
                "id": thread,
                "subject": found[0].subject,
                "normalized_subject": normalize_subject(found[0].subject),
                "contact_id": contacts[found[0].contact],
                "contact_email": found[0].contact,
                "contact_name": "",
                "participants": [found[0].contact],
                "status": "resolved",
                "assignee": None,
                "linked_to": None,
                "message_count": len(found),
                "last_message_at": found[-1].at,
            }
            for thread, found in grouped.items()
            if thread not in threads_known
        ],
    )
