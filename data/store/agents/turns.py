"""Turns and the journal of their moves.

A move is written down before it begins, and its end before the next begins; so a turn that was
killed goes on behind its last move (docs/agents.md#turns).
"""

from datetime import datetime
from typing import Any

from pydantic import JsonValue, TypeAdapter

from data.records.agents.turns import Move, MoveKind, Turn
from data.states import MoveState, TurnState, sources_of
from data.store.core.database import Connection, insert, only, rows

_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
_TURN = ", ".join(Turn.model_fields)
_MOVE = ", ".join(Move.model_fields)


def begin(cursor: Connection, turn: Turn) -> None:
    """Write a turn that is due."""
    insert(cursor, "turns", [turn.model_dump()])


def turn(cursor: Connection, turn_id: str) -> Turn:
    """Return one turn.

    Raises:
        NotFoundError: there is none of that id.

    """
    statement = f"SELECT {_TURN} FROM turns WHERE id = ?"
    return Turn.model_validate(only(cursor, statement, turn_id, f"there is no turn {turn_id!r}"))


def active(cursor: Connection, chat_id: str = "") -> list[Turn]:
    """Return the turns that are not at their end, the oldest first; of one chat, or of all."""
    listed = rows(
        cursor,
        f"SELECT {_TURN} FROM turns WHERE state = 'active' AND (? = '' OR chat_id = ?) ORDER BY id",
        [chat_id, chat_id],
    )
    return [Turn.model_validate(row) for row in listed]


def to_extract(cursor: Connection) -> list[Turn]:
    """Return the turns whose messages are still to be read for what is worth remembering."""
    listed = rows(
        cursor,
        f"SELECT {_TURN} FROM turns WHERE id IN "
        "(SELECT turn_id FROM turn_moves WHERE kind = 'extract' AND state = 'running') ORDER BY id",
    )
    return [Turn.model_validate(row) for row in listed]


def end(cursor: Connection, turn_id: str, state: TurnState, note: str, now: datetime) -> bool:
    """End a turn; return whether this call did it."""
    ended = cursor.execute(
        "UPDATE turns SET state = ?, note = ?, ended_at = ? "
        "WHERE id = ? AND state IN (SELECT unnest(?)) RETURNING id",
        [state, note, now, turn_id, list(sources_of(state))],
    )
    return bool(ended.fetchall())


def moves(cursor: Connection, turn_id: str) -> list[Move]:
    """Return the moves of a turn in their order."""
    listed = rows(
        cursor, f"SELECT {_MOVE} FROM turn_moves WHERE turn_id = ? ORDER BY ordinal", [turn_id]
    )
    return [_move(row) for row in listed]


def begin_move(
    cursor: Connection,
    turn_id: str,
    ordinal: int,
    kind: MoveKind,
    name: str,
    given: JsonValue,
    now: datetime,
) -> None:
    """Write down that a move begins."""
    insert(
        cursor,
        "turn_moves",
        [
            {
                "turn_id": turn_id,
                "ordinal": ordinal,
                "kind": kind,
                "name": name,
                "state": MoveState.RUNNING,
                "given": _JSON.dump_json(given).decode(),
                "result": "null",
                "began_at": now,
                "ended_at": None,
            }
        ],
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
        "WHERE turn_id = ? AND ordinal = ? AND state IN (SELECT unnest(?))",
        [
            state,
            _JSON.dump_json(result).decode(),
            now,
            turn_id,
            ordinal,
            list(sources_of(state)),
        ],
    )


def _move(row: dict[str, Any]) -> Move:
    read = {name: _JSON.validate_json(row[name]) for name in ("given", "result")}
    return Move.model_validate(row | read)
