"""Screening a batch of messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.core.envelope import Envelope
from data.records.core.organization import Policy
from data.records.core.parsed_mail import Automated
from data.records.core.screening import Screening, Verdict
from tasks.core import screen
from tasks.core.screen import KnownSenders, Views
from tasks.mail.read import Reading


@dataclass(frozen=True, kw_only=True)
class ToScreen:
    """One message, and what is known about it."""

    reading: Reading
    envelope: Envelope
    automated: Automated
    known: KnownSenders
    released: bool
    """Whether a person let it go on; it stays flagged, and so never leaves by itself."""


def screen_messages(ground: tuple[Policy, bool], messages: Sequence[ToScreen]) -> list[Screening]:
    """Screen each message; `ground` is the policy, and whether the trained judge is asked."""
    policy, judged = ground
    views = (
        Views(
            message.reading.mail,
            message.reading.segments,
            message.automated,
            message.envelope,
            policy,
            message.known,
        )
        for message in messages
    )
    screenings = screen.screen_all(views, screen.load_classifier() if judged else None)
    return [
        one.model_copy(update={"verdict": Verdict.FLAGGED})
        if message.released and one.verdict is Verdict.CLEAN
        else one
        for message, one in zip(messages, screenings, strict=True)
    ]
