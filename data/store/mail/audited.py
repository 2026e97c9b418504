"""Titles of what events of the audit log were about, in the words that people know it by."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from data.records.core.audit_views import AuditView
from data.store.core.database import Connection
from data.store.core.statements import records


class _Named(NamedTuple):
    """What people know something by."""

    id: str
    subject: str
    name: str
    address: str

    @property
    def title(self) -> str:
        """`Opening hours, Mara Heron <mara@heron.example>`."""
        person = f"{self.name} <{self.address}>" if self.name else self.address
        return f"{self.subject or '(no subject)'}, {person}" if person else self.subject


NAMED = {
    "case": "SELECT id, subject, contact_name AS name, contact_email AS address FROM cases",
    "message": "SELECT id, subject, sender_name AS name, sender_email AS address FROM messages",
    "thread": "SELECT id, subject, contact_name AS name, contact_email AS address FROM threads",
    "delivery": "SELECT id, subject, '' AS name, array_to_string(rcpt_to, ', ') AS address "
    "FROM deliveries",
}
"""By kind of what an event is about, where its subject and its person stand."""


def add_titles(cursor: Connection, events: Sequence[AuditView]) -> list[AuditView]:
    """Return the events, each with the title of what it was about, as that is named now.

    What is gone, with a contact's data for one, has none. The log itself holds no such words, so
    nothing of a letter outlives it there.
    """
    titles = {
        f"{kind}:{id}": title
        for kind in NAMED
        for id, title in _list_titles(cursor, kind, (event.subject for event in events))
    }
    return [event.model_copy(update={"title": titles.get(event.subject, "")}) for event in events]


def _list_titles(cursor: Connection, kind: str, subjects: Iterable[str]) -> list[tuple[str, str]]:
    beginning = f"{kind}:"
    ids = [text.removeprefix(beginning) for text in subjects if text.startswith(beginning)]
    if not ids:
        return []
    statement = f"{NAMED[kind]} WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    return [(row.id, row.title) for row in records(cursor, _Named, statement, [ids])]
