"""The envelope of a message, from SMTP and the connection (RFC 5321 section 2.3.1)."""

from enum import StrEnum

from pydantic import AwareDatetime

from data.records.core.record import Record


class Channel(StrEnum):
    """The door a message came through."""

    SMTP = "smtp"
    WEBHOOK = "webhook"
    IMAP = "imap"
    INGEST = "ingest"


class Envelope(Record):
    """What the transport said about a message; the header of a spool file."""

    spool_id: str
    """Sortable unique id, given at the door; also the idempotency key of intake."""
    channel: Channel
    """The door it came through."""
    received_at: AwareDatetime
    """When the last byte was taken, UTC."""
    mail_from: str = ""
    """The reverse-path without brackets; empty for the null sender (RFC 5321 section 4.5.5)."""
    rcpt_to: tuple[str, ...]
    """The accepted forward-paths, in order."""
    peer: str = ""
    """Address of the connecting client, without port; empty when there was none."""
    helo: str = ""
    """What the client called itself in EHLO, HELO or LHLO."""
    tls: bool = False
    """Whether the connection was encrypted."""
    authenticated_as: str = ""
    """The SMTP AUTH identity; empty when there was none."""
    bare_eol: bool = False
    """Whether the data held a bare CR or LF, which bars auto-send (docs/pipeline.md)."""
    size_bytes: int
    """Size of the message as spooled."""
    sha256: str
    """Hash of the message as spooled, hexadecimal."""
