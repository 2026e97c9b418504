"""Turns: units of an agent's work, each with its journal of moves (docs/agents.md#turns)."""

from enum import StrEnum

from pydantic import AwareDatetime, Field, JsonValue

from data.records.core.record import Record
from data.states import MoveState, TurnState


class MoveKind(StrEnum):
    """What a move does."""

    TRIAGE = "triage"  #: what is meant
    THINK = "think"  #: a model is asked
    ACT = "act"  #: a tool is called
    RESPOND = "respond"  #: the answer is said
    EXTRACT = "extract"  #: what was asked is read for what is worth remembering


class Move(Record):
    """One journalled step of a turn."""

    ordinal: int = Field(ge=1)
    kind: MoveKind
    name: str = ""
    """Of the tool, for an act."""
    state: MoveState
    given: JsonValue = None
    """What it began with."""
    result: JsonValue = None
    """What it ended with."""
    began_at: AwareDatetime
    ended_at: AwareDatetime | None = None


class Turn(Record):
    """One unit of an agent's work."""

    id: str
    chat_id: str
    agent: str
    agent_version: int
    asked: str
    """Id of the message that began it."""
    asked_by: str
    """Id of the user in whose name it works."""
    state: TurnState
    note: str = ""
    """Why it failed, in a sentence."""
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None


class TurnView(Record):
    """A turn with its moves."""

    turn: Turn
    moves: tuple[Move, ...]
