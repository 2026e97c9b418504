"""Turns and the journal of their moves.

A move is written down before it begins, and its end before the next begins; so a turn that was
killed goes on behind its last move (docs/agents.md#turns).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue, TypeAdapter

from data.records.agents.chats import Chat
from data.records.agents.turns import Caller, GateAnswer, Move, PersonCaller, Turn
from data.records.core.tools import Label
from data.states import ChatState, MoveState, TurnState, sources_of
from data.store.core.connecting import Parameters
from data.store.core.database import Connection
from data.store.core.statements import columns, first, insert, one_record, records

_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
_GATES: TypeAdapter[tuple[GateAnswer, ...]] = TypeAdapter(tuple[GateAnswer, ...])
_CALLER: TypeAdapter[Caller] = TypeAdapter(Caller)


class _TurnRow(NamedTuple):
    """One turn; its caller is still text."""

    id: str
    chat_id: str
    agent: str
    agent_version: int
    asked: str
    asked_by: str
    caller: str | None
    """JSON; None in a turn from before callers were kept, which was begun by who asked."""
    state: str
    also: list[str]
    by_itself: bool
    queued: bool
    tries: int
    labels: list[str]
    note: str
    run_id: str
    started_at: datetime
    ended_at: datetime | None

    @property
    def turn(self) -> Turn:
        """The turn as it is worked with."""
        caller: Caller = PersonCaller(user=self.asked_by)
        if self.caller is not None:
            caller = _CALLER.validate_json(self.caller)
        return Turn.model_validate({**self._asdict(), "caller": caller})


_TURN = columns(_TurnRow)


class _MoveRow(NamedTuple):
    """One move of a turn; what is JSON is still text."""

    ordinal: int
    kind: str
    name: str
    state: str
    given: str
    gates: str
    result: str
    began_at: datetime
    ended_at: datetime | None

    @property
    def move(self) -> Move:
        """The move as it is worked with."""
        read = {name: _JSON.validate_json(getattr(self, name)) for name in _READ}
        return Move.model_validate(self._asdict() | read)


_READ = ("given", "result", "gates")
"""What of a move is JSON."""
_MOVE = columns(_MoveRow)


class TurnLine(NamedTuple):
    """What a chat shows of one of its turns."""

    id: str
    asked: str
    """Id of the message that it answers."""
    agent: str
    """The agent's slug."""
    asked_by: str
    state: str
    note: str


_LINE = columns(TurnLine)


class _TurnsOfChat(NamedTuple):
    """Where the turns of one chat are."""

    chat_id: str
    at_work: list[str] | None
    """Ids of the turns that are not at their end; None where all are."""
    newest: str
    """The state of its newest turn."""


def _read_turns(cursor: Connection, statement: str, parameters: Parameters = ()) -> list[Turn]:
    """Return the turns of a statement."""
    return [row.turn for row in records(cursor, _TurnRow, statement, parameters)]


def begin(cursor: Connection, turn: Turn) -> None:
    """Write a turn that is due."""
    insert(cursor, "turns", [{**turn.model_dump(), "caller": turn.caller.model_dump_json()}])


def read_turn(cursor: Connection, turn_id: str) -> Turn:
    """Return one turn.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = f"SELECT {_TURN} FROM turns WHERE id = ?"
    return one_record(cursor, _TurnRow, statement, turn_id, f"there is no turn {turn_id!r}").turn


def list_active(cursor: Connection, chat_id: str = "") -> list[Turn]:
    """Return the turns that are not at their end, the oldest first; of one chat, or of all."""
    return _read_turns(
        cursor,
        f"SELECT {_TURN} FROM turns WHERE state = 'active' AND (? = '' OR chat_id = ?) ORDER BY id",
        [chat_id, chat_id],
    )


def list_lines(cursor: Connection, chat_id: str, since: str) -> list[TurnLine]:
    """Return the turns of a chat, the oldest first, but for those that ended well before an id."""
    statement = (
        f"SELECT {_LINE} FROM turns WHERE chat_id = ? AND (state <> 'completed' OR id >= ?) "
        "ORDER BY id"
    )
    return records(cursor, TurnLine, statement, [chat_id, since])


def is_active(cursor: Connection, turn_id: str) -> bool:
    """Return whether a turn is there and not at its end."""
    statement = "SELECT 1 FROM turns WHERE id = ? AND state = 'active'"
    return first(cursor, statement, [turn_id]) is not None


def list_awaiting(cursor: Connection, turn_ids: Sequence[str]) -> set[str]:
    """Return those of these turns of which a call waits for a person's yes."""
    awaiting_ids = cursor.execute(
        "SELECT DISTINCT turn_id FROM turn_moves WHERE state = 'awaiting_approval' "
        "AND turn_id IN (SELECT unnest(?))",
        [list(turn_ids)],
    ).fetchall()
    return {str(turn_id) for (turn_id,) in awaiting_ids}


def list_turns_before(cursor: Connection, turn: Turn) -> list[Turn]:
    """Return the turns that the agent works on for the same person in the same chat."""
    return _read_turns(
        cursor,
        f"SELECT {_TURN} FROM turns WHERE state = 'active' AND chat_id = ? AND agent = ? "
        "AND asked_by = ? AND id < ? ORDER BY id",
        [turn.chat_id, turn.agent, turn.asked_by, turn.id],
    )


def add_message(cursor: Connection, turn: Turn, message_id: str) -> None:
    """Let a turn that waits answer a further message as well."""
    cursor.execute(
        "UPDATE turns SET also = list_append(also, asked), asked = ? WHERE id = ? AND queued",
        [message_id, turn.id],
    )


def begin_try(cursor: Connection, turn_id: str) -> Turn:
    """Count that a turn is begun once more, or after the turn before it; return it."""
    cursor.execute("UPDATE turns SET tries = tries + 1, queued = false WHERE id = ?", [turn_id])
    return read_turn(cursor, turn_id)


def reset_tries(cursor: Connection, turn_id: str) -> None:
    """Let a turn wait for a person; that it goes on afterwards is no further try."""
    cursor.execute("UPDATE turns SET tries = 0 WHERE id = ?", [turn_id])


def read_labels(cursor: Connection, turn_ids: Iterable[str]) -> frozenset[Label]:
    """Return what was before agents in these turns, taken together."""
    labels_held = cursor.execute(
        "SELECT DISTINCT unnest(labels) FROM turns WHERE id IN (SELECT unnest(?))",
        [[turn_id for turn_id in turn_ids if turn_id]],
    ).fetchall()
    return frozenset(Label(label) for (label,) in labels_held)


def set_labels(cursor: Connection, turn_id: str, labels: Iterable[Label]) -> None:
    """Keep what was before an agent when it answered."""
    cursor.execute("UPDATE turns SET labels = ? WHERE id = ?", [sorted(map(str, labels)), turn_id])


def list_failed(cursor: Connection, message_ids: Sequence[str]) -> list[Turn]:
    """Return the turns that failed at answering these messages and were not asked again since."""
    return _read_turns(
        cursor,
        f"SELECT {_TURN} FROM turns AS t WHERE state = 'failed' AND asked IN (SELECT unnest(?)) "
        "AND NOT EXISTS (SELECT 1 FROM turns AS later WHERE later.asked = t.asked "
        "AND later.agent = t.agent AND later.id > t.id) ORDER BY id",
        [list(message_ids)],
    )


def read_chat_states(cursor: Connection, listed: Sequence[Chat]) -> dict[str, ChatState]:
    """Return where chats are, by their ids: what waits goes first, then work, then their people."""
    of_chats = records(
        cursor,
        _TurnsOfChat,
        "SELECT chat_id, list(id) FILTER (state = 'active') AS at_work, "
        "arg_max(state, id) AS newest FROM turns "
        "WHERE chat_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY chat_id",
        [[chat.id for chat in listed]],
    )
    at_work = [turn_id for row in of_chats for turn_id in row.at_work or ()]
    asking = list_awaiting(cursor, at_work) if at_work else set()
    states = {chat.id: ChatState.ACTIVE for chat in listed}
    for row in of_chats:
        if not asking.isdisjoint(row.at_work or ()):
            states[row.chat_id] = ChatState.WAITING
        elif row.newest == TurnState.FAILED and not row.at_work:
            states[row.chat_id] = ChatState.FAILED
    done = {chat.id: ChatState.COMPLETED for chat in listed if chat.completed_at is not None}
    return states | done


def list_with_unknown_outcome(cursor: Connection, turn_ids: Sequence[str]) -> set[str]:
    """Return those of these turns of which nobody knows whether a call had its effect."""
    unknown = cursor.execute(
        "SELECT DISTINCT turn_id FROM turn_moves WHERE state = 'unknown' "
        "AND turn_id IN (SELECT unnest(?))",
        [list(turn_ids)],
    ).fetchall()
    return {str(turn_id) for (turn_id,) in unknown}


def list_to_extract(cursor: Connection) -> list[Turn]:
    """Return the turns whose messages are still to be read for what is worth remembering."""
    return _read_turns(
        cursor,
        f"SELECT {_TURN} FROM turns WHERE id IN "
        "(SELECT turn_id FROM turn_moves WHERE kind = 'extract' AND state = 'running') ORDER BY id",
    )


def end(cursor: Connection, turn_id: str, state: TurnState, note: str, now: datetime) -> bool:
    """End a turn; return whether this call did it."""
    ended = cursor.execute(
        "UPDATE turns SET state = ?, note = ?, ended_at = ? "
        "WHERE id = ? AND list_contains(?::VARCHAR[], state) RETURNING id",
        [state, note, now, turn_id, list(sources_of(state))],
    )
    return bool(ended.fetchall())


def note_to_show(cursor: Connection, turn_id: str) -> None:
    """Have a turn that has ended shown in a flow run."""
    insert(cursor, "turns_to_show", [{"turn_id": turn_id}])


def list_to_show(cursor: Connection, limit: int) -> list[Turn]:
    """Return the turns that are to be shown in a flow run, the oldest first."""
    return _read_turns(
        cursor,
        f"SELECT {_TURN} FROM turns WHERE id IN (SELECT turn_id FROM turns_to_show) "
        "ORDER BY id LIMIT ?",
        [limit],
    )


def note_shown(cursor: Connection, turn_ids: Sequence[str], run_id: str) -> None:
    """Keep by which flow run turns were shown."""
    values = [list(turn_ids)]
    cursor.execute("DELETE FROM turns_to_show WHERE turn_id IN (SELECT unnest(?))", values)
    cursor.execute("UPDATE turns SET run_id = ? WHERE id IN (SELECT unnest(?))", [run_id, *values])


def end_open_moves(cursor: Connection, turn_id: str, note: str, now: datetime) -> list[int]:
    """End what a turn has open; return the places of the moves. A call under way is unknown."""
    ended = cursor.execute(
        "UPDATE turn_moves SET ended_at = ?, result = ?, "
        "state = CASE WHEN kind = 'act' AND state = 'running' THEN 'unknown' ELSE 'failed' END "
        "WHERE turn_id = ? AND state IN ('running', 'awaiting_approval') AND kind <> 'extract' "
        "RETURNING ordinal",
        [now, _JSON.dump_json(note).decode(), turn_id],
    ).fetchall()
    return sorted(int(ordinal) for (ordinal,) in ended)


def list_moves(cursor: Connection, turn_id: str) -> list[Move]:
    """Return the moves of a turn in their order."""
    statement = f"SELECT {_MOVE} FROM turn_moves WHERE turn_id = ? ORDER BY ordinal"
    return [row.move for row in records(cursor, _MoveRow, statement, [turn_id])]


def add_moves(
    cursor: Connection, turn_id: str, moves: Sequence[Move], *, instead_of: Sequence[int] = ()
) -> None:
    """Write moves down, as they are, in the place of those that an earlier try has begun there."""
    if instead_of:
        cursor.execute(
            "DELETE FROM turn_moves WHERE turn_id = ? AND ordinal IN (SELECT unnest(?))",
            [turn_id, list(instead_of)],
        )
    if not moves:
        return
    insert(
        cursor,
        "turn_moves",
        [
            {
                "turn_id": turn_id,
                **move.model_dump(exclude={"given", "result", "gates"}),
                "given": _JSON.dump_json(move.given).decode(),
                "result": _JSON.dump_json(move.result).decode(),
                "gates": _GATES.dump_json(move.gates).decode(),
            }
            for move in moves
        ],
    )


def resume_move(cursor: Connection, turn_id: str, ordinal: int) -> None:
    """Write down that a call begins to which a person has said yes."""
    cursor.execute(
        "UPDATE turn_moves SET state = 'running' "
        "WHERE turn_id = ? AND ordinal = ? AND state = 'awaiting_approval'",
        [turn_id, ordinal],
    )


def change_call(cursor: Connection, turn_id: str, ordinal: int, arguments: JsonValue) -> None:
    """Write down other arguments for a call that waits for a yes."""
    cursor.execute(
        "UPDATE turn_moves SET given = ? "
        "WHERE turn_id = ? AND ordinal = ? AND state = 'awaiting_approval'",
        [_JSON.dump_json(arguments).decode(), turn_id, ordinal],
    )


def end_move(
    cursor: Connection,
    turn_id: str,
    ordinal: int,
    state: MoveState,
    result: JsonValue,
    now: datetime,
) -> None:
    """Write down how a move ended; one that has ended stays as it is."""
    cursor.execute(
        "UPDATE turn_moves SET state = ?, result = ?, ended_at = ? "
        "WHERE turn_id = ? AND ordinal = ? AND list_contains(?::VARCHAR[], state)",
        [
            state,
            _JSON.dump_json(result).decode(),
            now,
            turn_id,
            ordinal,
            list(sources_of(state)),
        ],
    )
