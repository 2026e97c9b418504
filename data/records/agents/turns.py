"""Turns: units of an agent's work, each with its journal of moves (docs/agents.md#turns)."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, JsonValue

from data.records.core.record import Record
from data.records.core.tools import Label
from data.states import MoveState, TurnState


class MoveKind(StrEnum):
    """What a move does."""

    TRIAGE = "triage"  #: what is meant
    THINK = "think"  #: a model is asked
    ACT = "act"  #: a tool is called
    RESPOND = "respond"  #: the answer is said
    EXTRACT = "extract"  #: what was asked is read for what is worth remembering


class Permit(StrEnum):
    """What a gate says of a call, from the mildest on."""

    ALLOW = "allow"  #: nothing stands in its way here
    ASK = "ask"  #: a person has to say yes to it
    DENY = "deny"  #: it does not happen

    @property
    def rank(self) -> int:
        """Count the milder ones."""
        return list(Permit).index(self)


class GateAnswer(Record):
    """What one gate said of a call."""

    gate: str
    """Name of the gate, e.g. `trust`."""
    permit: Permit
    reason: str
    """Why, in a sentence."""


class FailureCode(StrEnum):
    """Why a call gave nothing, for whoever thinks (shared with what other systems answer)."""

    EXECUTION_FAILED = "EXECUTION_FAILED"
    TIMEOUT = "TIMEOUT"
    NOT_FOUND = "NOT_FOUND"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    INVALID_INPUT = "INVALID_INPUT"
    AGENT_DECLINED = "AGENT_DECLINED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class CallFailure(Record):
    """What a call gave that gave nothing."""

    code: FailureCode
    sentence: str
    retriable: bool = False
    """Whether the same call may work later."""


class Move(Record):
    """One journalled step of a turn."""

    ordinal: int = Field(ge=1)
    kind: MoveKind
    name: str = ""
    """Of the tool, for an act."""
    state: MoveState
    given: JsonValue = None
    """What it began with."""
    gates: tuple[GateAnswer, ...] = ()
    """What each gate said of a call, in order; all of them are asked."""
    result: JsonValue = None
    """What it ended with."""
    began_at: AwareDatetime
    ended_at: AwareDatetime | None = None

    @property
    def is_erased(self) -> bool:
        """Whether what it gave is no more: each move that has ended gave something."""
        return self.ended_at is not None and self.result is None


class PersonCaller(Record):
    """A person, or a program with a person's token, began a turn."""

    kind: Literal["person"] = "person"
    user: str
    """Id of the user."""


class AgentCaller(Record):
    """Another agent began a turn, from one of its own."""

    kind: Literal["agent"] = "agent"
    agent: str
    turn: str
    """Id of the turn that it was on, which what comes of this one goes to."""


class RunCaller(Record):
    """A flow run began a turn."""

    kind: Literal["run"] = "run"
    run: str
    """Id of the run, as Prefect knows it."""


Caller = Annotated[PersonCaller | AgentCaller | RunCaller, Field(discriminator="kind")]


class TurnEvent(Record):
    """What begins a turn, in one shape whatever it came from."""

    caller: Caller
    on_behalf_of: str
    """Id of the user in whose name the agent works."""
    agent: str
    agent_version: int
    chat_id: str
    message_id: str
    """The message that is to be answered."""
    also: tuple[str, ...] = ()
    """Earlier messages that wait for the same answer."""
    by_itself: bool = False
    again: bool = False
    """Whether the message was answered before, or should have been: a turn of its own."""


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
    caller: Caller
    """Who or what began it; every turn has one."""
    state: TurnState
    also: tuple[str, ...] = ()
    """Ids of earlier messages that wait for the same answer, oldest first."""
    by_itself: bool = False
    """Whether the agent works with what its own role permits, not with what the person may do."""
    queued: bool = False
    """Whether it waits for the end of the turn before it."""
    tries: int = Field(default=0, ge=0)
    """How often it was begun; a restart begins it anew, behind its last move."""
    labels: tuple[Label, ...] = ()
    """What was before the agent when it answered."""
    note: str = ""
    """Why it failed, in a sentence."""
    run_id: str = ""
    """The flow run that shows it, as Prefect knows it; empty where none does."""
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None


class TurnView(Record):
    """A turn with its moves."""

    turn: Turn
    moves: tuple[Move, ...]
    run_url: str = ""
    """Where Prefect shows it; empty where no flow run does."""


class ReplayOrder(Record):
    """Which version of its agent a turn is to be replayed with."""

    version: int = Field(ge=1, le=1_000_000)


class Replay(Record):
    """What came of a turn with another version of its agent; nothing of it is kept."""

    turn_id: str
    version_before: int
    version: int
    answer_before: str
    """What was answered; empty where nothing was."""
    answer: str
    """What this version answers; empty where it answers nothing."""
    note: str = ""
    """Why it answers nothing, in a sentence."""
    moves: tuple[Move, ...]
    changes: tuple[str, ...]
    """The moves of both, a line each: `- ` of the turn alone, `+ ` of the replay, else of both."""


class WaitingCall(Record):
    """A call that waits for a person's yes, as that person sees it."""

    approval_id: str
    version: int
    sha256: str
    """Hash of what is shown; a yes names it."""
    chat_id: str
    turn_id: str
    agent: str
    agent_name: str
    tool: str
    description: str
    """What the tool does, in a sentence."""
    goes_to: str = ""
    """Method and address outside that it would go to; empty for a tool of Postern's own."""
    arguments: JsonValue = None
    """Exactly what it would be called with."""
    reasons: tuple[str, ...] = ()
    """Why a person is asked, in sentences."""
    asked_at: AwareDatetime


class WaitingCallList(Record):
    """The calls that wait for somebody's yes, the oldest first."""

    items: tuple[WaitingCall, ...]


class CallDecision(Record):
    """What a person says to a call that waits."""

    version: int = Field(ge=1)
    sha256: str = Field(max_length=64)
    """Hash of what was shown."""
    approve: bool
    note: str = Field(default="", max_length=1000)
    """Words that the agent reads."""
    arguments: dict[str, JsonValue] | None = None
    """Other arguments to call it with; they are checked as the agent's are."""
