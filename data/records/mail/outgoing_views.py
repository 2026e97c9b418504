"""Deliveries of the outbox and forwards to endpoints, as the window shows them."""

from pydantic import AwareDatetime

from data.records.core.record import Record
from data.records.mail.attaching import EnclosedFile
from data.records.mail.passing_on import Purpose
from data.states import (
    DeliveryState,
    ForwardState,
)


class DeliveryView(Record):
    """One entry of the outbox."""

    id: str
    case_id: str
    state: DeliveryState
    mail_from: str
    rcpt_to: tuple[str, ...]
    """To whom it goes, copies and blind copies among them."""
    bcc: tuple[str, ...] = ()
    """Those of them who get a blind copy; its headers do not name them."""
    subject: str
    body: str
    attachments: tuple[EnclosedFile, ...] = ()
    """The files that it carries, in their order."""
    purpose: Purpose = Purpose.REPLY
    """Whether it answers, or passes messages on to a colleague."""
    message_id: str
    sha256: str
    due_at: AwareDatetime
    leaves_at: AwareDatetime | None = None
    """The moment that a person chose for it to leave; None where nobody did."""
    attempts: int
    response: str = ""
    approval_id: str = ""
    """The approval that let it leave."""
    approved_by: str = ""
    """Who gave it."""
    created_at: AwareDatetime
    sent_at: AwareDatetime | None = None


class ForwardView(Record):
    """One message on its way to an endpoint (route mode `endpoint`)."""

    id: str
    message_id: str
    state: ForwardState
    rcpt_to: tuple[str, ...]
    """Recipients whose route leads to this endpoint."""
    url: str
    mail_from: str
    subject: str
    due_at: AwareDatetime
    """When the next attempt may start."""
    attempts: int
    http_status: int | None = None
    """The endpoint's last answer; None when none came."""
    response: str = ""
    """How the last attempt ended, in a sentence."""
    created_at: AwareDatetime
    delivered_at: AwareDatetime | None = None
