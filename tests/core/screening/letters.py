"""Making screened messages for the tests of this folder."""

from datetime import UTC, datetime
from typing import Any

from data.records.core.envelope import Channel, Envelope
from data.records.core.organization import Policy
from data.records.core.parsed_mail import Address, Automated, ParsedMail, Segments
from data.records.core.screening import FilterLayer, Screening
from tasks.core.screen import KnownSenders, Views, load_classifier, screen
from tasks.core.screen.scoring import combine
from tasks.mail.read import read_mail

FLAGGED = 0.35
"""From this score on a policy flags by default."""
ENVELOPE = Envelope(
    spool_id="01",
    channel=Channel.SMTP,
    received_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    mail_from="petra@quince.example",
    peer="127.0.0.1",
    rcpt_to=("office@alder.example",),
    size_bytes=1,
    sha256="ab",
)
PETRA = Address(name="Petra Quince", email="petra@quince.example")
ALDER = KnownSenders(
    organization_domains=("alder.example",), contact_domains=("harbourtrade.example",)
)


def mail(text: str = "", **given: Any) -> ParsedMail:  # noqa: ANN401  # any field of the record
    """Return a message of Petra's."""
    sender = given.get("sender", PETRA)
    return ParsedMail(**{"sender": sender, "senders": (sender,), "text": text, **given})


def screened(
    text: str = "",
    *,
    segments: Segments | None = None,
    policy: Policy | None = None,
    known: KnownSenders = ALDER,
    automated: Automated | None = None,
    **given: Any,  # noqa: ANN401
) -> Screening:
    """Screen a message of Petra's."""
    return screen(
        mail(text, **given),
        Segments(new=text) if segments is None else segments,
        automated or Automated(),
        ENVELOPE,
        policy or Policy(),
        known,
    )


def by_rules(text: str, subject: str = "") -> float:
    """Return what the rules find of orders to machines; the classifier is left out."""
    return orders_in(screened(text, subject=subject))


def orders_in(screening: Screening) -> float:
    """Return how strongly a message gives orders to machines."""
    layers = (FilterLayer.INJECTION, FilterLayer.SMUGGLING)
    return combine(hit for hit in screening.hits if hit.layer in layers)


def raw_letter(text: str) -> bytes:
    """Return a plain message of Petra's as it is sent."""
    head = (
        "From: Petra Quince <petra@quince.example>\nTo: office@alder.example\nSubject: Looms\n"
        "Content-Type: text/plain; charset=utf-8\n\n"
    )
    return (head + text).replace("\n", "\r\n").encode()


def judged_raw(raw: bytes) -> Screening:
    """Read a raw message and screen it with the rules."""
    reading = read_mail(raw)
    return screen(reading.mail, reading.segments, Automated(), ENVELOPE, Policy(), ALDER)


def classified(text: str = "", **given: Any) -> Screening:  # noqa: ANN401
    """Screen a message of Petra's with the trained classifier."""
    return screen(
        mail(text, **given),
        Segments(new=text),
        Automated(),
        ENVELOPE,
        Policy(),
        ALDER,
        load_classifier(),
    )


def views(text: str = "", policy: Policy | None = None, **given: Any) -> Views:  # noqa: ANN401
    """Return what a rule sees of a message of Petra's."""
    return Views(
        mail(text, **given), Segments(new=text), Automated(), ENVELOPE, policy or Policy(), ALDER
    )


def rules_hit(screening: Screening) -> set[str]:
    """Return the names of the rules that found something."""
    return {hit.rule for hit in screening.hits}
