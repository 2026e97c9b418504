"""Matters of the mail line that a text may refer to: a case or a contact, as it is now.

The parts of Postern need not know each other for that: the few columns that are told are read here.
"""

from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import records


class Matter(NamedTuple):
    """What one is called, and what is told of it: both hold words of whoever wrote to us."""

    title: str
    text: str


class _CaseRow(NamedTuple):
    """What is told of a case."""

    subject: str
    name: str
    state: str
    priority: str
    day: str


class _ContactRow(NamedTuple):
    """What is told of a contact."""

    email: str
    name: str
    company: str
    plan: str
    notes: str
    waiting: int


def read_matter(cursor: Connection, kind: str, id: str, zone: str) -> Matter | None:
    """Return a `case` by its id, or a `contact` by its address; None where there is none.

    Days are those of the time zone that `zone` names.
    """
    return _read_case(cursor, id, zone) if kind == "case" else _read_contact(cursor, id)


def _read_case(cursor: Connection, id: str, zone: str) -> Matter | None:
    """Return a case; one that newer mail has taken over is told as the newer one."""
    rows = records(
        cursor,
        _CaseRow,
        "WITH RECURSIVE line(id) AS (SELECT ? UNION SELECT c.superseded_by FROM cases c "
        "JOIN line ON c.id = line.id WHERE c.superseded_by IS NOT NULL) "
        "SELECT subject, coalesce(nullif(contact_name, ''), contact_email) AS name, state, "
        "coalesce(priority, '') AS priority, "
        "strftime(timezone(?, received_at), '%Y-%m-%d') AS day "
        "FROM cases WHERE id IN (SELECT id FROM line) AND superseded_by IS NULL",
        [id, zone],
    )
    if not rows:
        return None
    row = rows[0]
    facts = [f"from {row.name}", row.state.replace("_", " "), f"came on {row.day}"]
    facts += [f"priority {row.priority}"] if row.priority else []
    return Matter(row.subject or "(no subject)", ", ".join(facts))


def _read_contact(cursor: Connection, address: str) -> Matter | None:
    rows = records(
        cursor,
        _ContactRow,
        "SELECT email, name, company, plan, notes, (SELECT count(*) FROM cases k WHERE "
        "k.contact_email = c.email AND k.state IN ('in_review', 'escalated', 'failed')) AS waiting "
        "FROM contacts c WHERE email = ? AND email <> ''",
        [address.lower()],
    )
    if not rows:
        return None
    row = rows[0]
    facts = [row.email, row.company, row.plan, row.notes]
    facts += [f"cases that wait: {row.waiting}"] if row.waiting else []
    return Matter(row.name or row.email, ", ".join(fact for fact in facts if fact))
