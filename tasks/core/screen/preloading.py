"""The preparation of the screen before the first message comes.

Tables are loaded, patterns compiled and states of automata made when a text first needs them; all
of it together takes as long as some hundred messages. A process that is about to screen does it
beforehand, by reading letters that need everything.
"""

from datetime import UTC, datetime
from functools import cache

from data.lexicons.screen import read
from data.records.core.envelope import Channel, Envelope
from data.records.core.organization import Policy
from data.records.core.parsed_mail import (
    Address,
    Attachment,
    Automated,
    Hidden,
    ParsedMail,
    Segments,
)
from tasks.core.screen.classifier import load_classifier
from tasks.core.screen.message.views import Views
from tasks.core.screen.screening import screen_all

_SENDER = Address(email="rehearsal@example.org", name="Rehearsal")
_ATTACHED = Attachment(
    filename="rehearsal.pdf.exe", content_type="application/pdf", size_bytes=0, sha256="0"
)
_ENVELOPE = Envelope(
    spool_id="0",
    channel=Channel.INGEST,
    received_at=datetime(2026, 1, 1, tzinfo=UTC),
    rcpt_to=("rehearsal@example.org",),
    size_bytes=0,
    sha256="0",
)


@cache
def prepare() -> None:
    """Read what needs everything; takes a second at most, and nothing when it was done before.

    Raises `SettingsError` when the weights are missing or unreadable.
    """
    letters: list[str] = read("rehearsal")["letters"]
    screen_all([_views(letter) for letter in letters], load_classifier())


def _views(letter: str) -> Views:
    """Return a letter with a subject, a file and a hidden sentence, as a mail nobody sent."""
    mail = ParsedMail(
        subject=letter.partition("\n")[0],
        sender=_SENDER,
        senders=(_SENDER,),
        text=letter,
        attachments=(_ATTACHED,),
        hidden=(Hidden(text=" ".join(letter.split()[:20]), reason="display_none"),),
    )
    return Views(mail, Segments(new=letter), Automated(), _ENVELOPE, Policy())
