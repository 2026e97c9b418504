"""What leaves: the rendered message and its delivery; see docs/pipeline.md#the-outbox."""

from pydantic import AwareDatetime

from data.records.core.record import Record
from data.states import DeliveryState


class Outgoing(Record):
    """A reply as approved: what its hash covers is exactly what leaves."""

    mail_from: str
    """The reverse-path."""
    rcpt_to: tuple[str, ...]
    """The forward-paths."""
    message_id: str
    """Message-ID with its angle brackets, fixed before the first attempt."""
    subject: str
    body: str
    raw: bytes
    """The message as it goes over the wire, CRLF line ends."""
    sha256: str
    """Hash of `raw`, hexadecimal; what a person approved."""


class Delivery(Record):
    """An entry of the outbox."""

    id: str
    case_id: str
    state: DeliveryState
    mail_from: str
    rcpt_to: tuple[str, ...]
    message_id: str
    subject: str
    sha256: str
    due_at: AwareDatetime
    """When the next attempt may start; the end of the undo window at first."""
    attempts: int = 0
    response: str = ""
    """The last answer of the next server, or the error."""
    approved_by: str = ""
    """Name of the user, or `policy`."""
    created_at: AwareDatetime
    sent_at: AwareDatetime | None = None
