"""Cases: bursts handled as one, their branches, drafts and reviews."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.errors import ConflictError, NotFoundError
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    first,
    insert,
    match_among,
    read_sums,
    records,
    update,
)
from data.store.mail.case_threads import list_cases_in

QUEUE_STATES = ("in_review", "escalated", "failed")
_MOST_TAKEN_OVER = 50
"""How many cases in a row may have taken over from each other."""


class CaseRow(NamedTuple):
    """A case."""

    id: str
    state: str
    version: int
    contact_id: str
    contact_email: str
    contact_name: str
    thread_id: str
    message_ids: list[str]
    """What it answers, what was written first before what answers it."""
    subject: str
    preview: str
    received_at: datetime
    created_at: datetime
    drafted_at: datetime | None
    burst_reason: str
    verdict: str
    category: str | None
    priority: str | None
    sentiment: str | None
    language: str
    confidence: float
    quality: float
    outcome: str | None
    would_auto_send: bool
    has_draft: bool
    tier: str
    assignee: str | None
    superseded_by: str | None
    note: str
    due_at: datetime
    changed_at: datetime
    part_of: str | None
    left_out: str
    """What others of its family answer of its messages, as JSON; empty for none."""
    cc: list[str] | None
    """Who gets a copy of the reply, where a person has chosen."""
    again_of: str | None
    """The answered or closed case to whose contact it begins another letter; None for a reply."""
    bcc: list[str] | None
    """Who gets a blind copy of the reply, as a person chose."""
    files: int
    """How many files people have attached to it."""

    @property
    def is_new_mail(self) -> bool:
        """Whether it begins a conversation: a letter of ours that answers no message."""
        return not self.message_ids

    @property
    def is_own_letter(self) -> bool:
        """Whether it is a letter of ours that a person begins, and no answer that is drafted."""
        return self.again_of is not None or self.is_new_mail


class BranchRow(NamedTuple):
    """One part of a case: what is wanted, and what was made of it, as JSON."""

    id: str
    case_id: str
    position: int
    state: str
    intent: str
    plan: str | None
    question: str
    priority: str
    draft: str | None
    checked: str | None
    decision: str | None


class DraftRow(NamedTuple):
    """One revision of a case's draft, as JSON."""

    case_id: str
    revision: int
    draft: str
    checked: str | None
    author: str
    created_at: datetime
    unanswered: int
    """How many questions of the sender it leaves open."""


def list_due(cursor: Connection, now: datetime, limit: int) -> list[str]:
    """Return the ids of cases that a stage is due for, urgent ones first."""
    rows = cursor.execute(
        "SELECT id FROM cases WHERE state = 'running' AND due_at <= ? "
        "ORDER BY (burst_reason = 'urgent') DESC, created_at, id LIMIT ?",
        [now, limit],
    ).fetchall()
    return [str(row[0]) for row in rows]


def read_cases(cursor: Connection, ids: Sequence[str]) -> dict[str, CaseRow]:
    """Return the rows of these cases by id."""
    condition, parameter = match_among("id", ids)
    statement = f"SELECT * FROM cases WHERE {condition}"
    return {row.id: row for row in records(cursor, CaseRow, statement, [parameter])}


def read_row(cursor: Connection, case_id: str) -> CaseRow:
    """Return one case's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    case_by_id = read_cases(cursor, [case_id])
    if case_id not in case_by_id:
        raise NotFoundError(tell_missing(case_id))
    return case_by_id[case_id]


def read_newest(cursor: Connection, case_id: str) -> CaseRow:
    """Return one case's row, or that of the case that stands in its place now.

    Raises:
        NotFoundError: there is none of that id.

    """
    row = read_row(cursor, case_id)
    for _ in range(_MOST_TAKEN_OVER):
        if not row.superseded_by:
            break
        row = read_row(cursor, row.superseded_by)
    return row


def tell_missing(case_id: str) -> str:
    """Return what is said of a case that is not there."""
    return f"there is no case {case_id!r}; it may belong to another organization"


def read_version(cursor: Connection, case_id: str, version: int) -> CaseRow:
    """Return the case as it was shown.

    Raises:
        NotFoundError: there is none of that id.
        ConflictError: it has changed since it was shown.

    """
    row = read_row(cursor, case_id)
    if row.version != version:
        raise ConflictError("this case has changed since you opened it; look at it again")
    return row


def claim_version(cursor: Connection, case_id: str, version: int, now: datetime) -> CaseRow:
    """Return the case as it was shown, and move its version on.

    Raises:
        NotFoundError: there is none of that id.
        ConflictError: it has changed since it was shown.

    """
    row = read_version(cursor, case_id, version)
    advance_versions(cursor, [case_id], now)
    return row


def advance_versions(cursor: Connection, ids: Sequence[str], now: datetime) -> None:
    """Move the versions of these cases on, so that older views of them are refused."""
    condition, parameter = match_among("id", ids)
    cursor.execute(
        f"UPDATE cases SET version = version + 1, changed_at = ? WHERE {condition}",
        [now, parameter],
    )


def list_open_in_threads(cursor: Connection, thread_ids: Sequence[str]) -> list[CaseRow]:
    """Return the cases of these conversations whose reply has not begun to leave."""
    states = "state IN ('running', 'in_review', 'approved')"
    return _list_oldest_first(cursor, list_cases_in(cursor, states, thread_ids))


def _list_oldest_first(cursor: Connection, ids: Sequence[str]) -> list[CaseRow]:
    """Return the rows of these cases, oldest first."""
    rows = read_cases(cursor, ids).values() if ids else ()
    return sorted(rows, key=lambda row: (row.created_at, row.id))


def list_holding_quarantined(cursor: Connection, ids: Sequence[str]) -> set[str]:
    """Return which of these cases hold a message that is in quarantine."""
    statement = (
        "SELECT DISTINCT case_id FROM messages "
        "WHERE case_id IN (SELECT unnest(?)) AND status = 'quarantined'"
    )
    return {str(row[0]) for row in cursor.execute(statement, [list(ids)]).fetchall()}


def list_matters_before(
    cursor: Connection, ids: Sequence[str], categories: Sequence[str]
) -> dict[str, str]:
    """Return what the conversations of these cases were about before them, by case.

    It is the category, one of `categories`, of the newest earlier case of the conversation, its
    own contact's first. Superseded cases do not count: their messages belong to another.
    """
    rows = cursor.execute(
        "SELECT own.id, arg_max(before.category, "
        "(before.contact_id = own.contact_id, before.created_at, before.id)) "
        "FROM cases own JOIN cases before ON before.thread_id = own.thread_id "
        "AND before.id <> own.id AND before.created_at <= own.created_at "
        "WHERE own.id IN (SELECT unnest(?)) AND before.state <> 'superseded' "
        "AND before.category IN (SELECT unnest(?)) GROUP BY own.id",
        [list(ids), list(categories)],
    ).fetchall()
    return {str(case): str(category) for case, category in rows}


def list_without_approval(cursor: Connection, states: Sequence[str], kind: str) -> list[str]:
    """Return the cases in these states that have a draft and no approval of the kind that waits."""
    rows = cursor.execute(
        "SELECT id FROM cases WHERE state IN (SELECT unnest(?)) "
        "AND id IN (SELECT case_id FROM drafts) "
        "AND id NOT IN (SELECT subject_id FROM approvals WHERE kind = ? AND state = 'pending')",
        [list(states), kind],
    ).fetchall()
    return [str(row[0]) for row in rows]


def list_family(cursor: Connection, root: str) -> list[CaseRow]:
    """Return the cases that answer parts of what a case came from, and that case, oldest first."""
    return records(
        cursor,
        CaseRow,
        "SELECT * FROM cases WHERE id = ? OR part_of = ? ORDER BY created_at, id",
        [root] * 2,
    )


def list_messages(cursor: Connection, case_id: str) -> list[str]:
    """Return the messages that belong to a case now, which others of its family may answer too."""
    rows = cursor.execute("SELECT id FROM messages WHERE case_id = ?", [case_id]).fetchall()
    return [str(row[0]) for row in rows]


def list_branches(cursor: Connection, case_ids: Sequence[str]) -> list[BranchRow]:
    """Return the branches of these cases in order."""
    condition, parameter = match_among("case_id", case_ids)
    branches = records(cursor, BranchRow, f"SELECT * FROM branches WHERE {condition}", [parameter])
    return sorted(branches, key=lambda row: (row.case_id, row.position))


def list_drafts(cursor: Connection, case_id: str) -> list[DraftRow]:
    """Return the revisions of a case's draft, oldest first."""
    statement = "SELECT * FROM drafts WHERE case_id = ? ORDER BY revision"
    return records(cursor, DraftRow, statement, [case_id])


def read_next_revisions(cursor: Connection, case_ids: Sequence[str]) -> dict[str, int]:
    """Return the number of each case's next revision; the first is 0."""
    condition, parameter = match_among("case_id", case_ids)
    rows = cursor.execute(
        f"SELECT case_id, revision FROM drafts WHERE {condition} ORDER BY revision",
        [parameter],
    ).fetchall()
    return dict.fromkeys(case_ids, 0) | {str(case): int(last) + 1 for case, last in rows}


def list_with_drafts(cursor: Connection, case_ids: Collection[str]) -> set[str]:
    """Return which of these cases have a draft."""
    rows = cursor.execute(
        "SELECT DISTINCT case_id FROM drafts WHERE case_id IN (SELECT unnest(?))", [list(case_ids)]
    ).fetchall()
    return {str(row[0]) for row in rows}


def add(cursor: Connection, case_fields: Sequence[Fields]) -> None:
    """Insert new cases, as one batch."""
    insert(cursor, "cases", case_fields)


def change(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of cases, each given with its `id`, as one batch."""
    update(cursor, "cases", changed)


def change_branches(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of branches, each given with its `id`, as one batch."""
    update(cursor, "branches", changed)


def add_branches(cursor: Connection, branch_fields: Sequence[Fields]) -> None:
    """Insert new branches, as one batch."""
    insert(cursor, "branches", branch_fields)


def remove_branches(cursor: Connection, case_ids: Sequence[str]) -> None:
    """Remove the branches of cases that are understood anew."""
    cursor.execute("DELETE FROM branches WHERE case_id IN (SELECT unnest(?))", [list(case_ids)])


def add_drafts(cursor: Connection, draft_fields: Sequence[Fields]) -> None:
    """Insert revisions of drafts, as one batch."""
    insert(cursor, "drafts", draft_fields)


def keep_checks(cursor: Connection, checked: Mapping[str, str]) -> None:
    """Keep with each case's newest revision what the check says of it, as JSON."""
    update(
        cursor,
        "drafts",
        [{"case_id": case, "checked": text} for case, text in checked.items()],
        key="case_id",
        only="drafts.checked IS NULL",
    )


def add_review(cursor: Connection, review: Fields) -> None:
    """Keep what a person decided on a draft."""
    insert(cursor, "reviews", [review])


def find_last_review(cursor: Connection, case_id: str) -> str | None:
    """Return the newest action of a person on a case's draft, None without any."""
    newest = first(
        cursor,
        "SELECT action FROM reviews WHERE case_id = ? ORDER BY decided_at DESC, id DESC LIMIT 1",
        [case_id],
    )
    return str(newest[0]) if newest else None


def list_unsettled_in_threads(cursor: Connection, thread_ids: Sequence[str]) -> list[CaseRow]:
    """Return the cases of these conversations that are not settled, oldest first."""
    states = "state IN ('running', 'in_review', 'approved', 'escalated')"
    return _list_oldest_first(cursor, list_cases_in(cursor, states, thread_ids))


def list_answering(cursor: Connection, thread_id: str, message_ids: Sequence[str]) -> list[str]:
    """Return the cases of a conversation whose reply answers one of these messages, their last."""
    rows = cursor.execute(
        "SELECT id FROM cases WHERE thread_id = ? AND message_ids[-1] IN (SELECT unnest(?))",
        [thread_id, list(message_ids)],
    ).fetchall()
    return [str(row[0]) for row in rows]


class ContactCounts(NamedTuple):
    """How many cases a contact has, and how many open tickets."""

    cases: int
    open_tickets: int


def count_of_contact(cursor: Connection, email: str) -> ContactCounts:
    """Return how many cases and how many open tickets a contact has."""
    return read_sums(
        cursor,
        ContactCounts,
        "SELECT (SELECT count(*) FROM cases WHERE contact_email = $email) AS cases, "
        "(SELECT count(*) FROM tickets WHERE contact_email = $email AND state = 'open') "
        "AS open_tickets",
        {"email": email},
    )
