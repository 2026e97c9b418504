"""Guarded moves of what the mail line works on, and what follows from them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from data.records.mail.approval_kinds import REPLY
from data.records.mail.follow_ups import FollowUpEnd
from data.records.mail.snoozing import SnoozeEnd
from data.states import (
    BranchState,
    CaseState,
    DeliveryState,
    ForwardState,
    MessageStatus,
    State,
    sources_of,
)
from data.store.core import approvals
from data.store.core.database import Connection
from data.store.core.moves import StatePlace, move_rows
from data.store.mail import actions, follow_ups, snoozes
from data.store.mail.thread_status import settle_threads

_PLACES: dict[type[StrEnum], StatePlace] = {
    MessageStatus: StatePlace("message", "messages", "status", "thread_id"),
    CaseState: StatePlace("case", "cases", "state", "thread_id"),
    BranchState: StatePlace("branch", "branches", "state", ""),
    DeliveryState: StatePlace("delivery", "deliveries", "state", ""),
    ForwardState: StatePlace("forward", "forwards", "state", ""),
}


_UNASKED = (CaseState.RUNNING, CaseState.ARCHIVED, CaseState.FAILED, CaseState.SUPERSEDED)
"""Where a case is when nobody is asked to approve its reply."""


def move(
    cursor: Connection,
    ids: Sequence[str],
    target: State,
    *,
    actor: str,
    now: datetime,
    note: str | Mapping[str, str] = "",
    of: Sequence[str] | None = None,
) -> list[str]:
    """Move the things with these ids to `target` where the table of edges allows it.

    `of` is for messages: only those move that belong to one of these cases. Where two cases answer
    parts of a message, it belongs to the one that is further from its end.

    Returns:
        The ids that moved; one that is missing has moved on since, or may not go there.

    """
    if not ids:
        return []
    sources = [str(state) for state in sources_of(target)]
    place = _PLACES[type(target)]
    thread_by_id = move_rows(
        cursor, place, ids, str(target), sources, actor=actor, now=now, note=note, cases=of
    )
    moved = list(thread_by_id)
    threads = sorted(set(thread_by_id.values()) - {""})
    if isinstance(target, CaseState):
        settle_threads(cursor, threads)
        actions.follow_case(cursor, moved, target, actor, now)
        snoozes.end(cursor, moved, SnoozeEnd.MOVED, now)
        if target not in (CaseState.APPROVED, CaseState.SENT):
            follow_ups.end(cursor, moved, FollowUpEnd.MOVED, now)
        if target in _UNASKED:
            note = f"its case is {target}"
            approvals.withdraw(cursor, REPLY, moved, actor=actor, now=now, note=note)
    elif target is MessageStatus.STORED:
        settle_threads(cursor, threads)
    return moved
