"""Sending the timeline over SMTP in its rhythm, and keeping a ledger of what was accepted."""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from data.errors import OutsidePermanentError, OutsideTemporaryError
from flows.demo.timeline import TimelineEntry, message_of
from flows.operating.smtp_hand import SmtpHand

TRIES, PAUSE = 20, 0.5
QUEUED = "queued as "


@dataclass(frozen=True)
class PlayedMail:
    """One line of the ledger."""

    entry: TimelineEntry
    spool_id: str
    """The id that the receiver named in its 250; empty when it did not accept."""
    content: str
    """Hash of envelope and bytes: the same for a message that is sent twice."""
    answer: str

    @property
    def accepted(self) -> bool:
        """Whether the receiver has taken responsibility."""
        return self.answer.startswith("250")


def play(
    entries: Sequence[TimelineEntry],
    host: str,
    port: int,
    *,
    speed: float,
    clock: Callable[[], datetime],
    tell: Callable[[int], None] = lambda _: None,
    halt: threading.Event | None = None,
) -> list[PlayedMail]:
    """Send every entry at its time divided by `speed`; 0 sends without waiting.

    Args:
        entries: what to send, in order.
        host: where the receiver listens.
        port: its port.
        speed: how much faster than the timeline.
        clock: gives the time for Date headers.
        tell: is called with the number of messages sent so far.
        halt: ends the play before the next message once it is set.

    """
    began, ledger, halt = time.monotonic(), [], halt or threading.Event()
    with SmtpHand(host, port) as hand:
        for number, entry in enumerate(entries, start=1):
            due = began + entry.at / speed if speed else began
            if halt.wait(max(0.0, due - time.monotonic())):
                break
            ledger.append(_send(hand, entry, message_of(entry, clock()), halt))
            tell(number)
    return ledger


def _send(hand: SmtpHand, entry: TimelineEntry, raw: bytes, halt: threading.Event) -> PlayedMail:
    envelope = "\0".join((entry.envelope_from, *sorted(entry.to))).encode()
    content = hashlib.sha256(envelope + raw).hexdigest()
    answer = _answer(hand, entry, raw, halt)
    spool_id = answer.partition(QUEUED)[2].strip() if answer.startswith("250") else ""
    return PlayedMail(entry, spool_id, content, answer)


def _answer(hand: SmtpHand, entry: TimelineEntry, raw: bytes, halt: threading.Event) -> str:
    """Return the server's last word; what it cannot take now is offered again, as a sender does."""
    answer = ""
    for _ in range(TRIES):
        try:
            return hand.give(entry.envelope_from, entry.to, raw)
        except OutsideTemporaryError as error:
            answer = str(error)
            if halt.wait(PAUSE):
                break
        except OutsidePermanentError as error:
            return str(error)
    return answer
