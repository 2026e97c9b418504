"""What is known of contacts, as somebody asks for it: by name, company or address."""

from collections.abc import Sequence
from typing import Any

from data.store.core.database import Connection, rows

_FOLDED = "strip_accents(lower({}))"
_WHERE = f"contains({_FOLDED.format('c.name || chr(32) || c.company || chr(32) || c.email')}, word)"


def called(cursor: Connection, words: Sequence[str], *, limit: int) -> list[dict[str, Any]]:
    """Return the contacts whose name, company and address hold all these words.

    `words` are lower-case and without accents. Columns: email, name, company, language, plan,
    notes, blocked, first_seen_at, waiting (how many of the contact's cases wait for a person).
    """
    if not words:
        return []
    return rows(
        cursor,
        "SELECT c.email, c.name, c.company, c.language, c.plan, c.notes, c.blocked, "
        "c.first_seen_at, (SELECT count(*) FROM cases k WHERE k.contact_email = c.email "
        "AND k.state IN ('in_review', 'escalated', 'failed')) AS waiting "
        "FROM contacts c WHERE (SELECT bool_and("
        f"{_WHERE}) FROM (SELECT unnest(?::VARCHAR[]) AS word)) ORDER BY c.name, c.email LIMIT ?",
        [list(words), limit],
    )


def waiting_by_contact(cursor: Connection, *, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Return whose cases wait for a person, who has waited longest first, and how many they are.

    Columns: name, email, waiting, since, subject and case_id of the oldest case.
    """
    listed = rows(
        cursor,
        "SELECT arg_min(contact_name, received_at) AS name, contact_email AS email, "
        "count(*) AS waiting, min(received_at) AS since, arg_min(subject, received_at) AS subject, "
        "arg_min(id, received_at) AS case_id, count(*) OVER () AS total FROM cases "
        "WHERE state IN ('in_review', 'escalated', 'failed') GROUP BY contact_email "
        "ORDER BY since, email LIMIT ?",
        [limit],
    )
    return listed, int(listed[0]["total"]) if listed else 0


def cases_of(
    cursor: Connection, emails: Sequence[str], *, limit: int
) -> tuple[list[dict[str, Any]], int]:
    """Return the cases of contacts that wait for a person, the oldest first, and how many."""
    listed = rows(
        cursor,
        "SELECT *, count(*) OVER () AS total FROM cases "
        "WHERE state IN ('in_review', 'escalated', 'failed') "
        "AND contact_email IN (SELECT unnest(?)) ORDER BY received_at, id LIMIT ?",
        [list(emails), limit],
    )
    return listed, int(listed[0]["total"]) if listed else 0


def draft_of(cursor: Connection, case_id: str) -> str | None:
    """Return the newest draft of a case as it is kept; None where it has none."""
    listed = rows(
        cursor,
        "SELECT draft FROM drafts WHERE case_id = ? ORDER BY revision DESC LIMIT 1",
        [case_id],
    )
    return str(listed[0]["draft"]) if listed else None
