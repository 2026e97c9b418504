"""Taking back the last decision on a message, with everything that was made with it."""

from datetime import datetime
from typing import Any

from data.errors import ConflictError
from data.states import CaseState, MessageStatus
from data.store import cases, decisions
from data.store.database import Connection, update
from data.store.moves import move
from flows.line.family import others_of
from flows.people.allowing import take_back
from flows.people.guarding import must, note_event, one
from flows.people.teaching import restore
from flows.wiring import House
from flows.workspace import Workspace

IN_PLACE = frozenset({"spam", "not_spam"})
"""Decisions that moved nothing."""


async def undo(house: House, workspace: Workspace, message_id: str, user: str) -> None:
    """Take back the newest decision: its move, block, allowances and lesson, not those of others.

    A release can be taken back until somebody has decided on the case that came of it.

    Raises:
        ConflictError: there is nothing to take back, or it is too late.

    """

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = one(cursor, message_id)
        decision = decisions.last(cursor, message_id)
        if decision is None:
            raise ConflictError("no decision on this message is left to take back")
        if decision["action"] == "release":
            _call_back(cursor, row, decision, user, now)
        elif decision["action"] not in IN_PLACE:
            must(row["status"], MessageStatus.REJECTED)
            move(cursor, [message_id], MessageStatus.QUARANTINED, actor=user, now=now)
        if decision["blocked"]:
            decisions.unblock(cursor, decision["blocked"], decision["scope"])
        take_back(cursor, decision["allowances"], user, now)
        restore(cursor, message_id, decision["lesson"], user, now)
        decisions.undone(cursor, decision["id"], now)
        note_event(cursor, user, "undo", message_id, decision["action"], now)

    await workspace.db.write(act)


def _call_back(
    cursor: Connection, row: dict[str, Any], decision: dict[str, Any], user: str, now: datetime
) -> None:
    """Put a released message back to where it was released from."""
    target = MessageStatus(decision["status"])
    if row["case_id"]:
        _close_case(cursor, row, user, now)
    if not move(cursor, [row["id"]], target, actor=user, now=now, note="release taken back"):
        raise ConflictError(
            f"this message is {row['status']!r} now; decide on the case that it is part of"
        )
    back = {"id": row["id"], "released_by": None, "mode": decision["mode"], "case_id": None}
    update(cursor, "messages", [back])


def _close_case(cursor: Connection, row: dict[str, Any], user: str, now: datetime) -> None:
    """Close the case that the message became part of; the others of it make a new one."""
    case = cases.one(cursor, row["case_id"])
    if others_of(cursor, case):
        raise ConflictError("parts of this message have cases of their own; decide there")
    if case["state"] != CaseState.IN_REVIEW:
        raise ConflictError(f"the case of this message is {case['state']!r} now; decide there")
    note = "a release was taken back"
    move(cursor, [case["id"]], CaseState.ARCHIVED, actor=user, now=now, note=note)
    update(cursor, "cases", [{"id": case["id"], "note": note}])
    cases.touch(cursor, [case["id"]], now)
    others = [item for item in case["message_ids"] if item != row["id"]]
    move(cursor, others, MessageStatus.THREADED, actor=user, now=now, note=note)
    update(cursor, "messages", [{"id": item, "case_id": None} for item in others])
