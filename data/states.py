"""The states that things move through, and the legal moves between them.

`docs/pipeline.md` shows the same tables; a test holds both to each other.
"""

from enum import StrEnum


class MessageStatus(StrEnum):
    """Where an inbound message is; see docs/pipeline.md#message."""

    RECEIVED = "received"  #: taken from the spool, kept in the archive, not yet read
    SCREENING = "screening"  #: read; the screen has it, or should run again
    QUARANTINED = "quarantined"  #: stopped by the screen; a person decides
    THREADED = "threaded"  #: belongs to a conversation; waits for its burst to end
    PROCESSING = "processing"  #: part of a case that is in work
    CLASSIFIED = "classified"  #: its case is understood
    DRAFT_READY = "draft_ready"  #: its case is before a person
    APPROVED = "approved"  #: a reply is approved and in the outbox
    SENT = "sent"  #: a reply has left
    ARCHIVED = "archived"  #: done without a reply
    REJECTED = "rejected"  #: a person confirmed the threat
    ESCALATED = "escalated"  #: handed to a named person
    FAILED = "failed"  #: could not be worked on; shown to a person, can be replayed
    STORED = "stored"  #: kept and shown, never worked on (automated, held, a duplicate)


HELD_BY_SCREEN = (MessageStatus.QUARANTINED, MessageStatus.REJECTED)
"""Where a message is that the screen stopped, before a person decides and where one agreed."""


class ThreadStatus(StrEnum):
    """Where a conversation is; see docs/pipeline.md#conversation."""

    OPEN = "open"  #: something of it is in work, or nothing has been decided yet
    PENDING_REVIEW = "pending_review"  #: something of it waits for a person
    RESOLVED = "resolved"  #: answered
    ARCHIVED = "archived"  #: closed without an answer


class CaseState(StrEnum):
    """Where a burst handled as one is."""

    RUNNING = "running"  #: a stage is due or in work
    IN_REVIEW = "in_review"  #: before a person
    APPROVED = "approved"  #: a reply is in the outbox
    SENT = "sent"  #: a reply has left
    ARCHIVED = "archived"  #: closed without a reply
    ESCALATED = "escalated"  #: handed to a named person
    FAILED = "failed"  #: a stage failed for good; shown to a person
    SUPERSEDED = "superseded"  #: newer mail took its messages into another case


class BranchState(StrEnum):
    """Where one intent of a case is; see docs/pipeline.md#branch."""

    RUNNING = "running"  #: a stage is due or in work
    WAITING_FOR_INPUT = "waiting_for_input"  #: a question to the owner is open
    DONE = "done"  #: planned and drafted
    FAILED = "failed"  #: a stage failed for good


class DeliveryState(StrEnum):
    """Where an outgoing message is; see docs/pipeline.md#the-outbox."""

    QUEUED = "queued"  #: approved and rendered; waits for its undo window to end
    SENDING = "sending"  #: an attempt is under way, its bytes not all handed over
    DOT_SENT = "dot_sent"  #: all bytes are out; the final dot may have been seen
    SENT = "sent"  #: the next server has taken responsibility
    DEFERRED = "deferred"  #: refused for now; another attempt is due
    FAILED = "failed"  #: refused for good
    UNKNOWN = "unknown"  #: nobody knows whether it left; a person decides
    CANCELLED = "cancelled"  #: taken back before it left


class ForwardState(StrEnum):
    """Where a message for an endpoint is; see docs/pipeline.md#forwarding."""

    QUEUED = "queued"  #: screened and authenticated; its next attempt is due
    SENDING = "sending"  #: an attempt is under way
    DELIVERED = "delivered"  #: the endpoint has said 2xx
    DEFERRED = "deferred"  #: no answer, or one that is not 2xx; another attempt is due
    FAILED = "failed"  #: the endpoint wants no more, or the last attempt has failed
    CANCELLED = "cancelled"  #: given up by a person


class AgentState(StrEnum):
    """Where an installed agent is; see docs/agents.md#states."""

    TESTING = "testing"  #: only its owner, and who manages agents, can talk to it
    ACTIVE = "active"  #: it can be talked to
    PAUSED = "paused"  #: it begins no turn until somebody lets it
    DELETED = "deleted"  #: it is gone; what it said and did stays


class TaskState(StrEnum):
    """Where a person's task is; see docs/agents.md#states."""

    PROPOSED = "proposed"  #: an agent has asked whether to note it
    OPEN = "open"  #: it is to be done
    DONE = "done"  #: it is done
    DROPPED = "dropped"  #: it is not to be done, or nobody said yes


class ChatState(StrEnum):
    """Where a chat is, which follows from its turns and its people; see docs/agents.md#states."""

    ACTIVE = "active"  #: it goes on: somebody is at work in it, or it is open to be written to
    WAITING = "waiting"  #: a person is asked whether a call may happen
    COMPLETED = "completed"  #: its people have said that they are done with it
    FAILED = "failed"  #: the last that was asked got no answer


class TurnState(StrEnum):
    """Where a unit of an agent's work is; see docs/agents.md#states."""

    ACTIVE = "active"  #: under way, or to go on after a restart
    COMPLETED = "completed"  #: its answer is said
    FAILED = "failed"  #: ended without an answer; says why


class MoveState(StrEnum):
    """Where one step of a turn is; see docs/agents.md#states."""

    AWAITING_APPROVAL = "awaiting_approval"  #: a person is asked whether it may happen
    RUNNING = "running"  #: written down before it began
    DONE = "done"  #: its result is journalled
    FAILED = "failed"  #: it ended with an error, which the agent was told
    UNKNOWN = "unknown"  #: nobody knows whether it had its effect; it is not repeated


class MemoryState(StrEnum):
    """Where an item of memory is; see docs/agents.md#states."""

    PROPOSED = "proposed"  #: waits for a person's yes; nothing rests on it
    CURRENT = "current"  #: known, and recalled
    SUPERSEDED = "superseded"  #: a newer value of the same subject and slot took its place
    RETIRED = "retired"  #: a person said that it does not hold
    REJECTED = "rejected"  #: a person said no; kept, so that it is not proposed again


class ApprovalState(StrEnum):
    """What became of a question to whoever may decide; see docs/pipeline.md#approval."""

    PENDING = "pending"  #: waits for a decision
    APPROVED = "approved"  #: decided: exactly what was shown may happen
    REFUSED = "refused"  #: decided: it may not
    EXPIRED = "expired"  #: nobody decided in time, which is no yes and no no
    WITHDRAWN = "withdrawn"  #: what was asked for is no longer wanted, or is something else now


class StepStatus(StrEnum):
    """How one attempt at one stage ended."""

    DONE = "done"  #: the result is journalled
    RETRY = "retry"  #: failed; another attempt is due
    FAILED = "failed"  #: failed for good


_M, _C, _B, _D = MessageStatus, CaseState, BranchState, DeliveryState

MESSAGE_EDGES: dict[MessageStatus, frozenset[MessageStatus]] = {
    _M.RECEIVED: frozenset({_M.SCREENING, _M.STORED, _M.FAILED}),
    _M.SCREENING: frozenset({_M.QUARANTINED, _M.THREADED, _M.STORED, _M.FAILED}),
    _M.QUARANTINED: frozenset({_M.SCREENING, _M.REJECTED}),
    _M.THREADED: frozenset({_M.PROCESSING, _M.STORED, _M.ARCHIVED, _M.QUARANTINED}),
    _M.PROCESSING: frozenset({_M.CLASSIFIED, _M.DRAFT_READY, _M.ESCALATED, _M.THREADED, _M.FAILED}),
    _M.CLASSIFIED: frozenset(
        {_M.DRAFT_READY, _M.APPROVED, _M.ARCHIVED, _M.ESCALATED, _M.THREADED, _M.FAILED}
    ),
    _M.DRAFT_READY: frozenset(
        {
            _M.APPROVED,
            _M.ARCHIVED,
            _M.ESCALATED,
            _M.REJECTED,
            _M.THREADED,
            _M.PROCESSING,
            _M.QUARANTINED,
        }
    ),
    _M.APPROVED: frozenset({_M.SENT, _M.DRAFT_READY, _M.THREADED}),
    _M.SENT: frozenset(),
    _M.ARCHIVED: frozenset({_M.THREADED}),
    _M.REJECTED: frozenset({_M.QUARANTINED}),
    _M.ESCALATED: frozenset({_M.APPROVED, _M.ARCHIVED, _M.DRAFT_READY, _M.THREADED}),
    _M.FAILED: frozenset({_M.RECEIVED, _M.SCREENING, _M.THREADED, _M.ARCHIVED}),
    _M.STORED: frozenset({_M.SCREENING, _M.THREADED}),
}

CASE_EDGES: dict[CaseState, frozenset[CaseState]] = {
    _C.RUNNING: frozenset(
        {_C.IN_REVIEW, _C.APPROVED, _C.ARCHIVED, _C.ESCALATED, _C.FAILED, _C.SUPERSEDED}
    ),
    _C.IN_REVIEW: frozenset({_C.APPROVED, _C.ARCHIVED, _C.ESCALATED, _C.RUNNING, _C.SUPERSEDED}),
    _C.APPROVED: frozenset({_C.SENT, _C.IN_REVIEW, _C.SUPERSEDED}),
    _C.SENT: frozenset(),
    _C.ARCHIVED: frozenset({_C.IN_REVIEW}),
    _C.ESCALATED: frozenset({_C.APPROVED, _C.ARCHIVED, _C.IN_REVIEW, _C.RUNNING}),
    _C.FAILED: frozenset({_C.RUNNING, _C.ARCHIVED}),
    _C.SUPERSEDED: frozenset(),
}

BRANCH_EDGES: dict[BranchState, frozenset[BranchState]] = {
    _B.RUNNING: frozenset({_B.WAITING_FOR_INPUT, _B.DONE, _B.FAILED}),
    _B.WAITING_FOR_INPUT: frozenset({_B.RUNNING, _B.DONE, _B.FAILED}),
    _B.DONE: frozenset({_B.RUNNING}),
    _B.FAILED: frozenset({_B.RUNNING}),
}

DELIVERY_EDGES: dict[DeliveryState, frozenset[DeliveryState]] = {
    _D.QUEUED: frozenset({_D.SENDING, _D.CANCELLED}),
    _D.SENDING: frozenset({_D.DOT_SENT, _D.DEFERRED, _D.FAILED, _D.QUEUED}),
    _D.DOT_SENT: frozenset({_D.SENT, _D.DEFERRED, _D.FAILED, _D.UNKNOWN}),
    _D.SENT: frozenset(),
    _D.DEFERRED: frozenset({_D.SENDING, _D.FAILED, _D.CANCELLED}),
    _D.FAILED: frozenset({_D.QUEUED, _D.CANCELLED}),
    _D.UNKNOWN: frozenset({_D.SENT, _D.QUEUED, _D.CANCELLED}),
    _D.CANCELLED: frozenset(),
}

_F = ForwardState

FORWARD_EDGES: dict[ForwardState, frozenset[ForwardState]] = {
    _F.QUEUED: frozenset({_F.SENDING, _F.CANCELLED}),
    _F.SENDING: frozenset({_F.DELIVERED, _F.DEFERRED, _F.FAILED, _F.QUEUED}),
    _F.DELIVERED: frozenset(),
    _F.DEFERRED: frozenset({_F.SENDING, _F.QUEUED, _F.CANCELLED}),
    _F.FAILED: frozenset({_F.QUEUED, _F.CANCELLED}),
    _F.CANCELLED: frozenset({_F.QUEUED, _F.DEFERRED, _F.FAILED}),
}

_G, _T, _V = AgentState, TurnState, MoveState

AGENT_EDGES: dict[AgentState, frozenset[AgentState]] = {
    _G.TESTING: frozenset({_G.ACTIVE, _G.DELETED}),
    _G.ACTIVE: frozenset({_G.PAUSED, _G.DELETED}),
    _G.PAUSED: frozenset({_G.ACTIVE, _G.DELETED}),
    _G.DELETED: frozenset({_G.ACTIVE, _G.TESTING}),
}

_K = TaskState

TASK_EDGES: dict[TaskState, frozenset[TaskState]] = {
    _K.PROPOSED: frozenset({_K.OPEN, _K.DROPPED}),
    _K.OPEN: frozenset({_K.DONE, _K.DROPPED}),
    _K.DONE: frozenset({_K.OPEN}),
    _K.DROPPED: frozenset({_K.OPEN}),
}

TURN_EDGES: dict[TurnState, frozenset[TurnState]] = {
    _T.ACTIVE: frozenset({_T.COMPLETED, _T.FAILED}),
    _T.COMPLETED: frozenset(),
    _T.FAILED: frozenset(),
}

_H = ChatState

CHAT_EDGES: dict[ChatState, frozenset[ChatState]] = {
    _H.ACTIVE: frozenset({_H.WAITING, _H.COMPLETED, _H.FAILED}),
    _H.WAITING: frozenset({_H.ACTIVE, _H.FAILED}),
    _H.COMPLETED: frozenset({_H.ACTIVE, _H.FAILED}),
    _H.FAILED: frozenset({_H.ACTIVE, _H.COMPLETED}),
}

MEMORY_EDGES: dict[MemoryState, frozenset[MemoryState]] = {
    MemoryState.PROPOSED: frozenset({MemoryState.CURRENT, MemoryState.REJECTED}),
    MemoryState.CURRENT: frozenset(
        {MemoryState.SUPERSEDED, MemoryState.RETIRED, MemoryState.PROPOSED}
    ),
    MemoryState.SUPERSEDED: frozenset({MemoryState.CURRENT}),
    MemoryState.RETIRED: frozenset({MemoryState.CURRENT}),
    MemoryState.REJECTED: frozenset(),
}

MOVE_EDGES: dict[MoveState, frozenset[MoveState]] = {
    _V.AWAITING_APPROVAL: frozenset({_V.RUNNING, _V.FAILED}),
    _V.RUNNING: frozenset({_V.DONE, _V.FAILED, _V.UNKNOWN}),
    _V.DONE: frozenset(),
    _V.FAILED: frozenset(),
    _V.UNKNOWN: frozenset(),
}

_A = ApprovalState

APPROVAL_EDGES: dict[ApprovalState, frozenset[ApprovalState]] = {
    _A.PENDING: frozenset({_A.APPROVED, _A.REFUSED, _A.EXPIRED, _A.WITHDRAWN}),
    _A.APPROVED: frozenset(),
    _A.REFUSED: frozenset(),
    _A.EXPIRED: frozenset(),
    _A.WITHDRAWN: frozenset(),
}


State = (
    MessageStatus
    | CaseState
    | BranchState
    | DeliveryState
    | ForwardState
    | ApprovalState
    | AgentState
    | TaskState
    | TurnState
    | MoveState
    | MemoryState
)

EDGES: dict[type[StrEnum], dict[StrEnum, frozenset[StrEnum]]] = {
    MessageStatus: MESSAGE_EDGES,  # type: ignore[dict-item]
    CaseState: CASE_EDGES,  # type: ignore[dict-item]
    BranchState: BRANCH_EDGES,  # type: ignore[dict-item]
    DeliveryState: DELIVERY_EDGES,  # type: ignore[dict-item]
    ForwardState: FORWARD_EDGES,  # type: ignore[dict-item]
    AgentState: AGENT_EDGES,  # type: ignore[dict-item]
    TaskState: TASK_EDGES,  # type: ignore[dict-item]
    ChatState: CHAT_EDGES,  # type: ignore[dict-item]
    TurnState: TURN_EDGES,  # type: ignore[dict-item]
    MoveState: MOVE_EDGES,  # type: ignore[dict-item]
    MemoryState: MEMORY_EDGES,  # type: ignore[dict-item]
    ApprovalState: APPROVAL_EDGES,  # type: ignore[dict-item]
}


def sources_of(target: State) -> tuple[str, ...]:
    """Return the states from which a thing may move to `target`."""
    edges = EDGES[type(target)]
    return tuple(sorted(str(state) for state, targets in edges.items() if target in targets))
