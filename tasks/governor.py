"""How much may leave by itself in a window of time, so that two machines never talk on.

Pure counting: the caller reads the times of what was sent from its journal.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from data.records.organization import Caps
from data.records.record import Record

THREAD_MINUTES = 10
CONTACT_MINUTES = 180
CONSECUTIVE = 5
"""Automatic replies in one thread without a person between them."""
REPEAT_DAYS = 7
"""Days within which the same text goes to the same address only once."""


class Sent(Record):
    """What was sent before, as far as it counts here."""

    in_thread: int = 0
    """Replies in this thread within 10 minutes."""
    to_contact: int = 0
    """Replies to this contact within 180 minutes."""
    consecutive: int = 0
    """Automatic replies in this thread since a person last wrote in it for us."""


def count_within(times: Iterable[datetime], now: datetime, minutes: float) -> int:
    """Return how many of `times` lie in the `minutes` before `now`; times to come count too."""
    start = now - timedelta(minutes=minutes)
    return sum(moment > start for moment in times)


def count_sent(
    now: datetime,
    thread_times: Sequence[datetime],
    contact_times: Sequence[datetime],
    consecutive: int = 0,
) -> Sent:
    """Return the counts of both windows from the times of earlier replies."""
    return Sent(
        in_thread=count_within(thread_times, now, THREAD_MINUTES),
        to_contact=count_within(contact_times, now, CONTACT_MINUTES),
        consecutive=consecutive,
    )


def refusal(sent: Sent, caps: Caps) -> str:
    """Return why nothing more may leave by itself, or an empty string."""
    if sent.in_thread >= caps.replies_per_thread:
        return f"{sent.in_thread} replies left in this thread within {THREAD_MINUTES} minutes."
    if sent.to_contact >= caps.replies_per_contact:
        return f"{sent.to_contact} replies left to this contact within {CONTACT_MINUTES} minutes."
    if sent.consecutive >= CONSECUTIVE:
        return f"{sent.consecutive} automatic replies in a row, and no person wrote between them."
    return ""
