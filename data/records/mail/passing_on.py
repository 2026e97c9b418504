"""A message that a person passes on to a colleague; see docs/pipeline.md#to-a-colleague."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.organization import Person
from data.records.core.record import Line, Record
from data.states import DeliveryState


class Purpose(StrEnum):
    """Why something is in the outbox."""

    REPLY = "reply"  #: answers a case
    FORWARD = "forward"  #: passes a case's messages on to a colleague; the case stays as it is


class ForwardDraft(Record):
    """To whom a person means to pass a case's messages on, and with which words."""

    to: str = Field(default="", max_length=320)
    """One of those that may get it; empty only asks who may."""
    note: str = Field(default="", max_length=2000)
    """What the person adds; leaves as it is."""


class PassOn(ForwardDraft):
    """Pass a case's messages on, as they were shown."""

    version: int
    approval_hash: Line
    """The hash that was shown; refused when it no longer is what would leave."""


class ForwardPreview(Record):
    """What would leave, and to whom it may go."""

    recipients: tuple[Person, ...]
    """The organization's own people and teams, and whom its policy names; nobody else."""
    text: str = ""
    """The text exactly as it would leave, with what is attached; empty when it may not."""
    approval_hash: str = ""
    """What an approval signs: recipient, subject, text, and the hashes of what is attached."""
    barred: str = ""
    """Why it may not leave, in a sentence; empty when it may."""


class PassedOn(Record):
    """Where the messages of a case were passed on to; it cannot be undone once it has left."""

    id: str
    """That of the delivery."""
    case_id: str
    to: str
    state: DeliveryState
    approved_by: str
    created_at: AwareDatetime
    sent_at: AwareDatetime | None = None
    response: str = ""
    """The last answer of the next server."""
