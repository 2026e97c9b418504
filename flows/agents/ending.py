"""The end of a turn that gets no answer: with whatever it has open."""

from datetime import datetime

from data.records.agents.approval_kinds import TOOL_CALL
from data.states import TurnState
from data.store.agents import turns
from data.store.core import approvals
from data.store.core.database import Connection
from flows.agents.journal import settle_calls, subject_of


def end_early(cursor: Connection, turn_id: str, note: str, actor: str, now: datetime) -> bool:
    """End a turn that gets no answer, with what it has open; return whether this call did it.

    A call that was under way may have had its effect, so it is unknown; one that waited for a
    person is not asked for any more.
    """
    if not turns.end(cursor, turn_id, TurnState.FAILED, note, now):
        return False
    turns.show_in_run(cursor, turn_id)
    ordinals = turns.end_open_moves(cursor, turn_id, note, now)
    subjects = [subject_of(turn_id, ordinal) for ordinal in ordinals]
    approvals.withdraw(cursor, TOOL_CALL, subjects, actor=actor, now=now, note=note)
    settle_calls(cursor, turns.turn(cursor, turn_id), now)
    return True
