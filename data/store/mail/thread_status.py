"""Where conversations are, and whose they are: what follows from their cases and messages."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.states import CaseState, MessageStatus, ThreadStatus
from data.store.core.database import Connection, among, records, update

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


class _Part(NamedTuple):
    """A conversation as it is listed, one of its cases, or where some of its messages are."""

    kind: str
    thread_id: str
    state: str
    assignee: str | None
    created_at: datetime | None
    id: str | None


def settle_threads(cursor: Connection, thread_ids: Sequence[str]) -> None:
    """Bring status and assignee of conversations up to what their cases and messages are.

    What waits for a person comes first, then what is in work; else a conversation is resolved when
    a reply has left, and archived when it was closed without one or holds only what is kept. It is
    with whom its newest case is, those that wait first.
    """
    if not thread_ids:
        return
    # One statement for three plain reads, and the rest here: as joined aggregates within an update
    # it was planned three times as long.
    own, these = among("id", thread_ids, "$threads")
    theirs, _ = among("thread_id", thread_ids, "$threads")
    parts = records(
        cursor,
        _Part,
        "SELECT 'thread' AS kind, id AS thread_id, status AS state, assignee, "
        f"NULL AS created_at, NULL AS id FROM threads WHERE {own} "
        "UNION ALL SELECT 'case', thread_id, state, assignee, created_at, id FROM cases "
        f"WHERE {theirs} AND state <> 'superseded' "
        "UNION ALL SELECT DISTINCT 'message', thread_id, status, NULL, NULL, NULL FROM messages "
        f"WHERE {theirs}",
        {"threads": these},
    )
    case_parts, statuses = defaultdict[str, list[_Part]](list), defaultdict[str, set[str]](set)
    for part in parts:
        if part.kind == "case":
            case_parts[part.thread_id].append(part)
        elif part.kind == "message":
            statuses[part.thread_id].add(part.state)
    changed = [
        {"id": part.thread_id, "status": status, "assignee": assignee}
        for part in parts
        if part.kind == "thread"
        for status in [_status(case_parts[part.thread_id], statuses[part.thread_id])]
        for assignee in [_assignee(case_parts[part.thread_id])]
        if (status, assignee) != (part.state, part.assignee)
    ]
    update(cursor, "threads", changed)


def _status(case_parts: Sequence[_Part], statuses: set[str]) -> str:
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


def _assignee(case_parts: Sequence[_Part]) -> str | None:
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
        condition, parameter = among("id", case_ids)
        rows = cursor.execute(
            f"SELECT thread_id FROM cases WHERE {condition} AND thread_id IS NOT NULL",
            [parameter],
        ).fetchall()
        settle_threads(cursor, sorted({str(row[0]) for row in rows}))
