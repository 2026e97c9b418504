"""Questions to owners, and cases that sleep until a time."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.store.core.database import Connection, insert, only, page, rows, update

_WITH_LEARNED = (
    "SELECT q.*, coalesce((SELECT max(l.id) FROM learned_entries l WHERE l.question_id = q.id), '')"
    " AS learned_id FROM owner_questions q"
)


def add(cursor: Connection, questions: Sequence[dict[str, Any]]) -> None:
    """Insert new questions, as one batch."""
    insert(cursor, "owner_questions", questions)


def one(cursor: Connection, question_id: str) -> dict[str, Any]:
    """Return one question's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return only(
        cursor,
        f"{_WITH_LEARNED} WHERE q.id = ?",
        question_id,
        f"there is no question {question_id!r}",
    )


def lines(
    cursor: Connection, *, state: str, owner: str, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Return one page of the questions, newest first, and how many match; empty matches all."""
    return page(
        cursor,
        f"{_WITH_LEARNED} WHERE (? = '' OR q.state = ?) AND (? = '' OR q.owner = ?)",
        order="asked_at DESC, id",
        given=[state, state, owner, owner],
        limit=limit,
        offset=offset,
    )


def of_threads(cursor: Connection, thread_ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return every question that was asked in these conversations, oldest first."""
    return rows(
        cursor,
        "SELECT * FROM owner_questions WHERE thread_id IN (SELECT unnest(?)) ORDER BY asked_at, id",
        [list(thread_ids)],
    )


def change(cursor: Connection, question_ids: Sequence[str], **fields: object) -> None:
    """Set the same fields of questions."""
    update(cursor, "owner_questions", [{"id": one, **fields} for one in question_ids])


def carry(cursor: Connection, branches: Mapping[str, tuple[str, str]]) -> None:
    """Say which case and branch asks each question now, by the question's id."""
    placed = [
        {"id": one, "case_id": case, "branch_id": branch}
        for one, (case, branch) in branches.items()
    ]
    update(cursor, "owner_questions", placed)


def open_of_cases(cursor: Connection, case_ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return the open questions of these cases."""
    return rows(
        cursor,
        "SELECT * FROM owner_questions WHERE state = 'open' AND case_id IN (SELECT unnest(?))",
        [list(case_ids)],
    )


def to_remind(cursor: Connection, now: datetime) -> list[dict[str, Any]]:
    """Return open questions whose owner is to be reminded."""
    return rows(
        cursor,
        "SELECT * FROM owner_questions WHERE state = 'open' AND NOT reminded AND remind_at <= ?",
        [now],
    )


def begin_waits(cursor: Connection, until: Mapping[str, datetime], reason: str) -> None:
    """Let cases sleep until a time; one that sleeps already gets the new time."""
    cursor.execute(
        "DELETE FROM waits WHERE ended_at IS NULL AND case_id IN (SELECT unnest(?::VARCHAR[]))",
        [list(until)],
    )
    insert(
        cursor,
        "waits",
        [
            {"case_id": case, "due_at": due_at, "reason": reason, "ended_at": None}
            for case, due_at in until.items()
        ],
    )


def end_waits(cursor: Connection, case_ids: Sequence[str], now: datetime) -> None:
    """Let cases sleep no more."""
    cursor.execute(
        "UPDATE waits SET ended_at = ? WHERE ended_at IS NULL AND case_id IN (SELECT unnest(?))",
        [now, list(case_ids)],
    )


def due_waits(cursor: Connection, now: datetime) -> list[dict[str, Any]]:
    """Return the cases that are to wake now, with the reason they slept for."""
    return rows(
        cursor, "SELECT case_id, reason FROM waits WHERE ended_at IS NULL AND due_at <= ?", [now]
    )
