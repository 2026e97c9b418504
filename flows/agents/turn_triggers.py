"""The beginning of every turn: an event in one shape, whoever or whatever caused it.

Nothing behind this looks at where an event came from; who called is kept with the turn.
"""

from datetime import datetime

from data.ids import new_id
from data.records.agents.turns import Turn, TurnEvent
from data.states import TurnState
from data.store.agents import turns
from data.store.core.database import Connection
from flows.agents.running import place_in_line

MOST_TOGETHER = 20
"""Messages that one turn answers."""


def begin_turn(cursor: Connection, event: TurnEvent, now: datetime) -> Turn:
    """Write the turn that an event begins, and return it.

    What is said while the agent works on something for the same person in the same chat is one
    next turn, of `MOST_TOGETHER` messages at most.
    """
    turn = Turn(
        id=new_id(now),
        chat_id=event.chat_id,
        agent=event.agent,
        agent_version=event.agent_version,
        asked=event.message_id,
        also=event.also,
        asked_by=event.on_behalf_of,
        caller=event.caller,
        by_itself=event.by_itself,
        state=TurnState.ACTIVE,
        started_at=now,
    )
    earlier = turns.list_turns_before(cursor, turn)
    for waiting in earlier:
        has_room = len(waiting.also) + 1 < MOST_TOGETHER
        if waiting.queued and has_room and not event.again:
            turns.add_message(cursor, waiting, event.message_id)
            return waiting
    turn = place_in_line(cursor, turn, earlier)
    turns.begin(cursor, turn)
    return turn
