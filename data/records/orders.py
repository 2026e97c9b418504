"""What people send to the engine's API: their decisions, with what they were shown."""

from typing import Literal

from pydantic import Field

from data.records.deciding import RejectReason
from data.records.record import Record


class Approve(Record):
    """Approve a case, as shown or with another text."""

    version: int
    approval_hash: str
    """The hash that was shown; refused when it no longer is what would leave."""
    subject: str | None = None
    body: str | None = None
    """The edited text; None approves the shown one."""
    confirmed: bool = False
    """Whether the person stands by what the check would not let leave."""


class Reject(Record):
    """Say that a draft is not good."""

    version: int
    reason: RejectReason
    note: str = Field(default="", max_length=2000)
    redraft: bool = False
    """Whether to write another draft; else the case is closed without a reply."""


class Reassign(Record):
    """Give a case to another person."""

    version: int
    assignee: str


class Archive(Record):
    """Close a case without a reply."""

    version: int
    note: str = Field(default="", max_length=2000)


class Block(Record):
    """Block a sender of a quarantined message."""

    scope: Literal["sender", "domain"] = "sender"


class Resolve(Record):
    """A person's decision on a delivery whose outcome is unknown or failed."""

    outcome: Literal["sent", "retry", "cancel"]


class StopSwitch(Record):
    """The kill switch: while stopped, nothing leaves."""

    stopped: bool
