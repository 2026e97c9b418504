"""The rendered reply, exactly as it leaves; see docs/pipeline.md#the-outbox."""

from data.records.core.record import Record
from data.records.mail.attaching import EnclosedFile


class Outgoing(Record):
    """A reply as approved: what its hash covers is exactly what leaves."""

    mail_from: str
    """The reverse-path."""
    rcpt_to: tuple[str, ...]
    """The forward-paths: to whom it goes, who gets a copy, and who a blind one."""
    bcc: tuple[str, ...] = ()
    """Those of them who get a blind copy; no header names them."""
    enclosed: tuple[EnclosedFile, ...] = ()
    """The files that it carries, in their order."""
    message_id: str
    """Message-ID with its angle brackets, fixed before the first attempt."""
    subject: str
    body: str
    raw: bytes
    """The message as it goes over the wire, CRLF line ends."""
    sha256: str
    """Hash of `raw`, hexadecimal; what a person approved."""
