"""Sending: one attempt, whose outcome is known or said to be unknown."""

from connectors.outbound.choosing import transport_from
from connectors.outbound.maildir import FileTransport
from connectors.outbound.smtp_client import SmtpTransport
from connectors.outbound.transport import (
    DeliveryKind,
    DeliveryResult,
    RecipientResult,
    Transport,
    check_outgoing,
)

__all__ = [
    "DeliveryKind",
    "DeliveryResult",
    "FileTransport",
    "RecipientResult",
    "SmtpTransport",
    "Transport",
    "check_outgoing",
    "transport_from",
]
