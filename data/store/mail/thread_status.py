"""The status of conversations, and whose they are: it follows from their cases and messages."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.states import CaseState, MessageStatus, ThreadStatus
from data.store.core.database import Connection
from data.store.core.statements import columns, match_among, records, update

_WAITING = (CaseState.IN_REVIEW, CaseState.ESCALATED, CaseState.FAILED)
_BUSY = (CaseState.RUNNING, CaseState.APPROVED)
_UNSETTLED = (
    MessageStatus.RECEIVED,
    MessageStatus.SCREENING,
    MessageStatus.THREADED,
    MessageStatus.PROCESSING,
    MessageStatus.CLASSIFIED,
)
_KEPT = (MessageStatus.STORED, MessageStatus.ARCHIVED, MessageStatus.REJECTED)


class _Listed(NamedTuple):
    """A conversation as it is listed."""

    id: str
    status: str
    assignee: str | None


class _Case(NamedTuple):
    """One of its cases."""

    thread_id: str
    state: str
    assignee: str | None
    created_at: datetime
    id: str


def settle_threads(cursor: Connection, thread_ids: Sequence[str]) -> None:
    """Bring status and assignee of conversations up to what their cases and messages are.

    What waits for a person comes first, then what is in work; else a conversation is resolved when
    a reply has left, and archived when it was closed without one or holds only what is kept. It is
    with whom its newest case is, those that wait first.
    """
    if not thread_ids:
        return
    # Three plain reads, and the rest here: as joined aggregates within an update they were planned
    # three times as long, and as one statement of three parts twice as long.
    is_thread, thread_values = match_among("id", thread_ids)
    in_threads, _ = match_among("thread_id", thread_ids)
    listed = records(
        cursor,
        _Listed,
        f"SELECT id, status, assignee FROM threads WHERE {is_thread}",
        [thread_values],
    )
    case_statement = (
        f"SELECT {columns(_Case)} FROM cases WHERE {in_threads} AND state <> 'superseded'"
    )
    cases_by_thread = defaultdict[str, list[_Case]](list)
    for case in records(cursor, _Case, case_statement, [thread_values]):
        cases_by_thread[case.thread_id].append(case)
    statuses = defaultdict[str, set[str]](set)
    message_statement = f"SELECT thread_id, status FROM messages WHERE {in_threads}"
    for thread_id, status in cursor.execute(message_statement, [thread_values]).fetchall():
        statuses[thread_id].add(status)
    rows_now = [
        _Listed(
            thread.id,
            _derive_status(cases_by_thread[thread.id], statuses[thread.id]),
            _find_assignee(cases_by_thread[thread.id]),
        )
        for thread in listed
    ]
    changed = [now._asdict() for before, now in zip(listed, rows_now, strict=True) if now != before]
    update(cursor, "threads", changed)


def _derive_status(case_parts: Sequence[_Case], statuses: set[str]) -> str:
    """Return where a conversation is, by the states of its cases and messages."""
    states = {part.state for part in case_parts}
    if states.intersection(_WAITING):
        return str(ThreadStatus.PENDING_REVIEW)
    if states.intersection(_BUSY) or statuses.intersection(_UNSETTLED):
        return str(ThreadStatus.OPEN)
    if CaseState.SENT in states:
        return str(ThreadStatus.RESOLVED)
    if CaseState.ARCHIVED in states or (statuses and statuses.issubset(_KEPT)):
        return str(ThreadStatus.ARCHIVED)
    return str(ThreadStatus.OPEN)


def _find_assignee(case_parts: Sequence[_Case]) -> str | None:
    """Return with whom the newest of a conversation's cases is, those that wait first."""
    newest = max(
        case_parts,
        key=lambda part: (part.state in _WAITING, part.created_at, part.id),
        default=None,
    )
    return newest.assignee if newest is not None else None


def settle_threads_of_cases(cursor: Connection, case_ids: Sequence[str]) -> None:
    """Do the same for the conversations of these cases."""
    if case_ids:
        condition, parameter = match_among("id", case_ids)
        rows = cursor.execute(
            f"SELECT thread_id FROM cases WHERE {condition} AND thread_id IS NOT NULL",
            [parameter],
        ).fetchall()
        settle_threads(cursor, sorted({str(row[0]) for row in rows}))
