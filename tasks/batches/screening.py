"""Screening a batch of messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.envelope import Envelope
from data.records.mail import Automated
from data.records.organization import Policy
from data.records.screening import Screening, Verdict
from tasks.read import Reading
from tasks.screen import KnownSenders, load_classifier, screen


@dataclass(frozen=True, kw_only=True)
class ToScreen:
    """One message, and what is known about it."""

    reading: Reading
    envelope: Envelope
    automated: Automated
    known: KnownSenders
    released: bool
    """Whether a person let it go on; it stays flagged, and so never leaves by itself."""


def screen_all(ground: tuple[Policy, bool], messages: Sequence[ToScreen]) -> list[Screening]:
    """Screen each message; `ground` is the policy, and whether the trained judge is asked."""
    policy, judged = ground
    judge = load_classifier() if judged else None

    def one(message: ToScreen) -> Screening:
        reading = message.reading
        found = screen(
            reading.mail,
            reading.segments,
            message.automated,
            message.envelope,
            policy,
            message.known,
            judge,
        )
        if message.released and found.verdict is Verdict.CLEAN:
            return found.model_copy(update={"verdict": Verdict.FLAGGED})
        return found

    return [one(message) for message in messages]
