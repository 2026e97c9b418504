"""The end of a turn that gets no answer: with whatever it has open, and what it has said so far."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from data.records.agents.approval_kinds import TOOL_CALL
from data.records.agents.chats import AuthorKind
from data.records.core.approvals import Approval
from data.records.core.tools import Label
from data.states import TurnState
from data.store.agents import agents, chats, turns
from data.store.core import approvals, turn_seals
from data.store.core.database import Connection
from flows.agents.journal import mark_calls_seen, subject_of


def mark_expired_seen(cursor: Connection, expired: Sequence[Approval], now: datetime) -> None:
    """Mark as seen what people were told of calls whose time to be decided on is over."""
    for approval in expired:
        if approval.kind == TOOL_CALL.name:
            turn_id, _, _ = approval.subject_id.rpartition(".")
            mark_calls_seen(cursor, turns.read_turn(cursor, turn_id), now)


def end_turn_early(cursor: Connection, turn_id: str, note: str, actor: str, now: datetime) -> bool:
    """End a turn that gets no answer, with what it has open; return whether this call did it.

    A call that was under way may have had its effect, so it is unknown; one that waited for a
    person is not asked for any more.
    """
    if not _end_turn(cursor, turn_id, note, actor, now):
        return False
    turn_seals.seal(cursor, turn_id, now)
    return True


def _end_turn(cursor: Connection, turn_id: str, note: str, actor: str, now: datetime) -> bool:
    """End a turn that gets no answer, and leave its seal to whoever has more to write of it."""
    if not turns.end(cursor, turn_id, TurnState.FAILED, note, now):
        return False
    turns.note_to_show(cursor, turn_id)
    end_open_calls(cursor, turn_id, note, actor, now)
    return True


def end_open_calls(cursor: Connection, turn_id: str, note: str, actor: str, now: datetime) -> None:
    """End the calls that a turn has open, and ask for them no more."""
    ordinals = turns.end_open_moves(cursor, turn_id, note, now)
    subjects = [subject_of(turn_id, ordinal) for ordinal in ordinals]
    approvals.withdraw(cursor, TOOL_CALL, subjects, actor=actor, now=now, note=note)
    mark_calls_seen(cursor, turns.read_turn(cursor, turn_id), now)


def end_turn_in_words(
    cursor: Connection,
    turn_id: str,
    note: str,
    actor: str,
    now: datetime,
    *,
    partial_text: str,
    pause: timedelta,
) -> bool:
    """End a turn as `end_turn_early` does; what it has said so far stays, with why it ends.

    What was before the agent by then may be written down nowhere, so its words count as resting on
    all that there is.
    """
    if not _end_turn(cursor, turn_id, note, actor, now):
        return False
    has_words = bool(partial_text.strip())
    if has_words:
        turns.set_labels(cursor, turn_id, Label)
    turn_seals.seal(cursor, turn_id, now)
    if has_words:
        turn = turns.read_turn(cursor, turn_id)
        agent = agents.read_agent(cursor, turn.agent)
        chats.add_message(
            cursor,
            turn.chat_id,
            chats.Author(AuthorKind.AGENT, agent.slug, agent.name),
            f"{partial_text}\n\n*{note}*",
            now=now,
            pause=pause,
            reply_to=turn.asked,
            turn_id=turn.id,
        )
    return True
