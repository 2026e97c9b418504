"""Circumstances of a decision beside the stages' outputs; the caller reads them, none is guessed.

Defaults are the cautious ones where unknown must mean no.
"""

from pydantic import AwareDatetime, Field

from data.records.core.record import Record
from tasks.mail.compose.recipients import Recipients
from tasks.mail.route.governor import SentBefore


class RouteSignals(Record):
    """The circumstances of one decision."""

    now: AwareDatetime
    """When it is decided."""
    recipients: Recipients
    """Whom the reply goes to, from `choose_recipients`."""
    stopped: bool = True
    """Whether the kill switch is on."""
    transport_ready: bool = False
    """Whether the outbox can deliver."""
    bare_eol: bool = False
    """Whether the message came with bare line ends."""
    defects: tuple[str, ...] = ()
    """What was odd about the message, from the parser."""
    attachments: int = Field(default=0, ge=0)
    """Attachments of the burst, which no stage has read."""
    newer_mail: bool = False
    """Whether the sender or a colleague wrote again since the draft was made."""
    stale: bool = False
    """Whether the case was changed since its context was gathered."""
    repeated_body: bool = False
    """Whether the same text went to the same address within seven days."""
    auto_sends_today: int = Field(default=0, ge=0)
    """What left by itself today, for the whole organization."""
    sent: SentBefore = SentBefore()
    """What the reply governor counts."""
