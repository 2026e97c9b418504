"""Questions to owners, and cases that sleep until a time."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    columns,
    first,
    insert,
    match_among,
    one_record,
    record_page,
    records,
    update,
)


class QuestionRow(NamedTuple):
    """A question to an owner."""

    id: str
    state: str
    case_id: str
    branch_id: str
    thread_id: str
    contact_email: str
    owner: str
    question: str
    language: str
    asked_at: datetime
    remind_at: datetime
    due_at: datetime
    reminded: bool
    answer: str
    answered_by: str
    answered_at: datetime | None
    learned_id: str
    """What was learned from the answer; empty for nothing."""


class WaitRow(NamedTuple):
    """A case that sleeps, and why."""

    case_id: str
    reason: str


_SELECT = (
    "SELECT q.*, coalesce(l.learned_id, '') AS learned_id FROM owner_questions q LEFT JOIN "
    "(SELECT question_id, max(id) AS learned_id FROM learned_entries GROUP BY question_id) l "
    "ON l.question_id = q.id"
)
"""A join is planned in two thirds of the time of a look-up for each question."""


def add(cursor: Connection, questions: Sequence[Fields]) -> None:
    """Insert new questions, as one batch."""
    insert(cursor, "owner_questions", questions)


def read_row(cursor: Connection, question_id: str) -> QuestionRow:
    """Return one question's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return one_record(
        cursor,
        QuestionRow,
        f"{_SELECT} WHERE q.id = ?",
        question_id,
        f"there is no question {question_id!r}",
    )


def list_page(
    cursor: Connection, *, state: str, owner: str, limit: int, offset: int
) -> RowPage[QuestionRow]:
    """Return one page of the questions, newest first, and how many match; empty matches all."""
    return record_page(
        cursor,
        QuestionRow,
        f"{_SELECT} WHERE (? = '' OR q.state = ?) AND (? = '' OR q.owner = ?)",
        order="asked_at DESC, id",
        parameters=[state, state, owner, owner],
        limit=limit,
        offset=offset,
    )


def list_of_threads(cursor: Connection, thread_ids: Sequence[str]) -> list[QuestionRow]:
    """Return every question that was asked in these conversations, oldest first."""
    return records(
        cursor,
        QuestionRow,
        f"{_SELECT} WHERE q.thread_id IN (SELECT unnest(?)) ORDER BY asked_at, id",
        [list(thread_ids)],
    )


def change(cursor: Connection, question_ids: Sequence[str], **fields: object) -> None:
    """Set the same fields of questions."""
    update(
        cursor, "owner_questions", [{"id": question_id, **fields} for question_id in question_ids]
    )


def hand_on(cursor: Connection, branches: Mapping[str, tuple[str, str]]) -> None:
    """Say which case and branch asks each question now, by the question's id."""
    placed = [
        {"id": question_id, "case_id": case, "branch_id": branch}
        for question_id, (case, branch) in branches.items()
    ]
    update(cursor, "owner_questions", placed)


def list_open_of_cases(cursor: Connection, case_ids: Sequence[str]) -> list[QuestionRow]:
    """Return the open questions of these cases; from none of them anything was learned yet."""
    condition, parameter = match_among("case_id", case_ids)
    return records(
        cursor,
        QuestionRow,
        f"SELECT *, '' AS learned_id FROM owner_questions WHERE state = 'open' AND {condition}",
        [parameter],
    )


def list_last_answers(cursor: Connection, case_ids: Sequence[str]) -> dict[str, datetime]:
    """Return when a question of each of these cases was answered last; of those with an answer."""
    condition, parameter = match_among("case_id", case_ids)
    answered = cursor.execute(
        "SELECT case_id, max(answered_at) FROM owner_questions "
        f"WHERE state = 'answered' AND {condition} GROUP BY case_id",
        [parameter],
    ).fetchall()
    return {str(case): at for case, at in answered}


def list_to_remind(cursor: Connection, now: datetime) -> list[QuestionRow]:
    """Return open questions whose owner is to be reminded."""
    statement = f"{_SELECT} WHERE q.state = 'open' AND NOT q.reminded AND q.remind_at <= ?"
    return records(cursor, QuestionRow, statement, [now])


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
    condition, parameter = match_among("case_id", case_ids)
    asleep = f"ended_at IS NULL AND {condition}"
    if first(cursor, f"SELECT 1 FROM waits WHERE {asleep} LIMIT 1", [parameter]):
        cursor.execute(f"UPDATE waits SET ended_at = ? WHERE {asleep}", [now, parameter])


def list_due_waits(cursor: Connection, now: datetime) -> list[WaitRow]:
    """Return the cases that are to wake now, with the reason they slept for."""
    statement = f"SELECT {columns(WaitRow)} FROM waits WHERE ended_at IS NULL AND due_at <= ?"
    return records(cursor, WaitRow, statement, [now])
