"""The decision on a case: the output of the stage *route*, and what a person can decide."""

from enum import StrEnum

from data.records.core.record import Record


class Outcome(StrEnum):
    """Where routing sends a case; see docs/pipeline.md#route."""

    AUTO_SEND = "auto_send"
    REVIEW = "review"
    ESCALATE = "escalate"
    ARCHIVE = "archive"


class Gate(Record):
    """One condition of auto-send, in order."""

    name: str
    """Name of the gate, e.g. `shadow_mode`."""
    passed: bool
    """Whether it lets the draft through."""
    reason: str
    """Why, in a sentence for the reviewer."""


class Decision(Record):
    """The outcome with the reason of each gate."""

    outcome: Outcome
    """Where the case goes."""
    gates: tuple[Gate, ...] = ()
    """All gates with their reasons, in order; every one is evaluated."""
    would_auto_send: bool = False
    """Whether only shadow mode held it back."""
    assignee: str | None = None
    """Address of the person it is escalated to."""
    reason: str = ""
    """The decision in one sentence."""
    parts: tuple["Decision", ...] = ()
    """What would become of each branch by itself, in their order; empty with one branch."""


class ReviewAction(StrEnum):
    """What a person can do with a case."""

    APPROVE = "approve"
    EDIT_AND_APPROVE = "edit_and_approve"
    REJECT = "reject"
    REASSIGN = "reassign"
    ARCHIVE = "archive"


class RejectReason(StrEnum):
    """Why a draft was not good; a closed set, so that it can be counted."""

    WRONG_FACT = "wrong_fact"
    WRONG_PROMISE = "wrong_promise"
    MISSED_QUESTION = "missed_question"
    TONE = "tone"
    TOO_LONG = "too_long"
    WRONG_LANGUAGE = "wrong_language"
    WRONG_RECIPIENT = "wrong_recipient"
    SHOULD_NOT_REPLY = "should_not_reply"
