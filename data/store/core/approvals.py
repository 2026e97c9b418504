"""Approvals: what waits for a yes, what was decided, by whom.

A row moves once, from `pending`, by a guarded update; it says itself when and by whom, so it has no
events.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from data.errors import ConflictError
from data.ids import new_id
from data.records.core.approvals import (
    MOST_SUMMARY,
    Approval,
    ApprovalKind,
    ApprovalRequest,
)
from data.records.core.principals import Principal
from data.states import ApprovalState, sources_of
from data.store.core.database import Connection
from data.store.core.statements import (
    RowPage,
    first,
    insert,
    match_among,
    records,
    validate_one,
    validate_page,
    validate_rows,
)

_OPEN = ", ".join(f"'{state}'" for state in sources_of(ApprovalState.APPROVED))

REPLACED = "replaced by another one"


def open_many(
    cursor: Connection,
    kind: ApprovalKind,
    requests: Sequence[ApprovalRequest],
    *,
    opened_by: str,
    now: datetime,
) -> list[Approval]:
    """Ask for approvals, one for each subject; return those that wait now.

    What waits for the same subject with the same hash stays; with another hash it is withdrawn.
    """
    if not requests:
        return []
    waiting = list_pending(cursor, kind, [request.subject_id for request in requests])
    same = [
        held
        for request in requests
        if (held := waiting.get(request.subject_id)) and held.sha256 == request.sha256
    ]
    open_subjects = {held.subject_id for held in same}
    fresh = [
        make_waiting(kind, order, opened_by, now)
        for order in requests
        if order.subject_id not in open_subjects
    ]
    older = [approval.subject_id for approval in fresh if approval.subject_id in waiting]
    withdraw(cursor, kind, older, actor=opened_by, now=now, note=REPLACED)
    insert(cursor, "approvals", [_build_row(approval) for approval in fresh])
    return [*same, *fresh]


def make_waiting(
    kind: ApprovalKind, request: ApprovalRequest, opened_by: str, now: datetime
) -> Approval:
    """Return an approval that waits for a decision, not yet written."""
    return Approval(
        **dict(request.model_copy(update={"summary": request.summary[:MOST_SUMMARY]})),
        id=new_id(now),
        kind=kind.name,
        permission=kind.permission,
        opened_by=opened_by,
        opened_at=now,
    )


def decide(
    cursor: Connection,
    approval: Approval,
    state: ApprovalState,
    principal: Principal,
    now: datetime,
    note: str = "",
) -> Approval:
    """Decide on an approval that waits; return it as it is then.

    The caller has made sure that the principal may.

    Raises:
        ConflictError: it was decided, withdrawn or changed meanwhile, or its time is over.

    """
    decided = _build_change(approval, state, principal, now, note)
    columns = ", ".join(f"{name} = ?" for name in decided)
    moved = cursor.execute(
        f"UPDATE approvals SET {columns} WHERE id = ? AND version = ? AND state IN ({_OPEN}) "
        "RETURNING id",
        [*decided.values(), approval.id, approval.version],
    ).fetchall()
    if not moved:
        raise ConflictError("somebody has decided on this meanwhile; look at it again")
    return approval.model_copy(update=decided | {"state": state})


def _build_change(
    approval: Approval, state: ApprovalState, principal: Principal, now: datetime, note: str = ""
) -> dict[str, object]:
    """Return what a decision changes of an approval.

    Raises:
        ConflictError: its time is over.

    """
    if approval.expires_at is not None and approval.expires_at <= now:
        raise ConflictError("the time to decide on this is over; it has to be asked for again")
    return {
        "state": str(state),
        "decided_by": principal.name,
        "decided_as": principal.kind,
        "decided_at": now,
        "note": note,
        "version": approval.version + 1,
    }


def add_decided(
    cursor: Connection,
    approval: Approval,
    state: ApprovalState,
    principal: Principal,
    now: datetime,
) -> Approval:
    """Write an approval that was opened and decided on in one act; return it as it is then.

    The caller has made sure that the principal may, and that nothing else waits for its subject.

    Raises:
        ConflictError: its time is over.

    """
    approval = approval.model_copy(
        update=_build_change(approval, state, principal, now) | {"state": state}
    )
    insert(cursor, "approvals", [_build_row(approval)])
    return approval


def withdraw(
    cursor: Connection,
    kind: ApprovalKind,
    subject_ids: Sequence[str],
    *,
    actor: str,
    now: datetime,
    note: str,
) -> None:
    """Take back what waits for these subjects: it is no longer wanted, or is something else now."""
    if subject_ids:
        condition, parameter = match_among("subject_id", subject_ids)
        cursor.execute(
            "UPDATE approvals SET state = 'withdrawn', decided_by = ?, decided_at = ?, note = ?, "
            f"version = version + 1 WHERE kind = ? AND {condition} AND state IN ({_OPEN})",
            [actor, now, note, kind.name, parameter],
        )


def expire(cursor: Connection, now: datetime) -> list[Approval]:
    """End those that nobody has decided on in time; return them."""
    return validate_rows(
        cursor,
        Approval,
        f"UPDATE approvals SET state = 'expired', decided_at = ?, version = version + 1 "
        f"WHERE state IN ({_OPEN}) AND expires_at <= ? RETURNING *",
        [now, now],
    )


def is_any_to_expire(cursor: Connection, now: datetime) -> bool:
    """Whether the time of one that waits is over."""
    statement = f"SELECT 1 FROM approvals WHERE state IN ({_OPEN}) AND expires_at <= ? LIMIT 1"
    return first(cursor, statement, [now]) is not None


def list_pending(
    cursor: Connection, kind: ApprovalKind, subject_ids: Iterable[str]
) -> dict[str, Approval]:
    """Return what waits for these subjects, by subject."""
    condition, parameter = match_among("subject_id", list(subject_ids))
    waiting = validate_rows(
        cursor,
        Approval,
        f"SELECT * FROM approvals WHERE kind = ? AND {condition} AND state IN ({_OPEN})",
        [kind.name, parameter],
    )
    return {approval.subject_id: approval for approval in waiting}


def find_newest(cursor: Connection, kind: ApprovalKind, subject_id: str) -> Approval | None:
    """Return the newest approval of a subject, whatever became of it."""
    approval_rows = validate_rows(
        cursor,
        Approval,
        "SELECT * FROM approvals WHERE kind = ? AND subject_id = ? "
        "ORDER BY opened_at DESC, id DESC LIMIT 1",
        [kind.name, subject_id],
    )
    return approval_rows[0] if approval_rows else None


def read_approval(cursor: Connection, kind: ApprovalKind, approval_id: str) -> Approval:
    """Return one approval.

    Raises:
        NotFoundError: there is none of that kind and id.

    """
    statement = "SELECT * FROM approvals WHERE kind = ? AND id = ?"
    missing = f"there is no approval {approval_id!r}"
    return validate_one(cursor, Approval, statement, [kind.name, approval_id], missing)


def list_waiting_for(cursor: Connection, kind: ApprovalKind, user_id: str) -> list[Approval]:
    """Return what waits for the word of one user alone, the oldest first."""
    return validate_rows(
        cursor,
        Approval,
        f"SELECT * FROM approvals WHERE kind = ? AND state IN ({_OPEN}) "
        "AND list_contains(may_decide, ?) ORDER BY opened_at, id",
        [kind.name, user_id],
    )


class RefusedRow(NamedTuple):
    """What was refused: a subject, and the hash of what it was when it was."""

    subject_id: str
    sha256: str


def list_refused(
    cursor: Connection, kind: ApprovalKind, subject_ids: Iterable[str]
) -> set[RefusedRow]:
    """Return the subjects whose newest approval was refused, each with its hash."""
    refused_rows = records(
        cursor,
        RefusedRow,
        "SELECT subject_id, arg_max(sha256, (opened_at, id)) AS sha256 FROM approvals "
        "WHERE kind = ? AND subject_id IN (SELECT unnest(?)) GROUP BY subject_id "
        "HAVING arg_max(state, (opened_at, id)) = 'refused'",
        [kind.name, list(subject_ids)],
    )
    return set(refused_rows)


def list_page(
    cursor: Connection,
    *,
    kind: str | None,
    state: str | None,
    subject: str | None,
    viewer: str,
    limit: int,
    offset: int,
) -> RowPage[Approval]:
    """Return one page of the approvals, newest first, and how many match; None matches all.

    What only some may decide on is shown to them alone: it may tell what was said to an agent.
    """
    return validate_page(
        cursor,
        Approval,
        "SELECT * FROM approvals WHERE (? IS NULL OR kind = ?) AND (? IS NULL OR state = ?) "
        "AND (? IS NULL OR subject_id = ?) "
        "AND (len(may_decide) = 0 OR list_contains(may_decide, ?))",
        order="opened_at DESC, id DESC",
        parameters=[kind, kind, state, state, subject, subject, viewer],
        limit=limit,
        offset=offset,
    )


def _build_row(approval: Approval) -> dict[str, object]:
    """Return an approval as its row."""
    row: dict[str, object] = dict(approval)
    row["may_decide"] = list(approval.may_decide)
    for name in ("floor", "permission", "state"):
        row[name] = str(row[name])
    return row
