"""The limits on replies that leave by themselves in a time, so that two machines never talk on.

Pure counting: the caller reads the times of what was sent from its journal.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median

from data.records.core.organization import Caps
from data.records.core.record import Record
from tasks.core.segment.subject import normalize_subject

THREAD_MINUTES = 10
CONTACT_MINUTES = 180
OVERALL_MINUTES = 10
CONSECUTIVE = 5
"""Automatic replies in one thread without a person between them."""
REPEAT_DAYS = 7
"""Days within which the same text goes to the same address only once (RFC 3834 section 2)."""
SUBJECT_HOURS = 24
SAME_SUBJECT = 2
"""Automatic replies to one contact under one subject within 24 hours."""
HOUR_REPLIES = 3
"""Automatic replies to one contact within an hour."""
DAY_REPLIES = 10
"""Automatic replies to one contact within 24 hours."""
USUAL_DAYS = 7
"""Days from which the usual number of automatic replies in an hour is known."""
BREAKER = 3
"""How many times the usual number may leave within an hour."""
BREAKER_LEAST = 10
"""Automatic replies that may leave within an hour however few are usual."""
UNREACHABLE_DAYS = 60
"""Days for which nothing goes by itself to an address that a bounce has named."""


class SentBefore(Record):
    """What was sent before, as far as it counts here."""

    in_thread: int = 0
    """Replies in this thread within 10 minutes."""
    to_contact: int = 0
    """Replies to this contact within 180 minutes."""
    consecutive: int = 0
    """Automatic replies in this thread since a person last wrote in it for us."""
    overall: int = 0
    """Replies to anybody within 10 minutes."""
    in_hour: int = 0
    """Automatic replies to this contact within an hour."""
    in_day: int = 0
    """Automatic replies to this contact within 24 hours."""
    same_subject: int = 0
    """Those of them under the same subject, prefixes aside."""
    unreachable: bool = False
    """Whether a bounce of the last 60 days names the contact's address."""
    last_hour: int = 0
    """Automatic replies to anybody within an hour."""
    usual_hour: float = 0
    """The median of those of each hour of the last seven days in which any left."""


def count_within(times: Iterable[datetime], now: datetime, minutes: float) -> int:
    """Return how many of `times` lie in the `minutes` before `now`; times to come count too."""
    start = now - timedelta(minutes=minutes)
    return sum(moment > start for moment in times)


def count_automatic(
    sent: Sequence[tuple[str, datetime]], subject: str, now: datetime
) -> tuple[int, int, int]:
    """Return the automatic replies of the last hour, the last day, and under that subject.

    Args:
        sent: subject and time of each automatic reply to the contact.
        subject: the subject of what would leave.
        now: when it would.
    """
    times = [moment for _, moment in sent]
    own = normalize_subject(subject)
    same = [moment for sent_subject, moment in sent if normalize_subject(sent_subject) == own]
    return (
        count_within(times, now, 60),
        count_within(times, now, SUBJECT_HOURS * 60),
        count_within(same, now, SUBJECT_HOURS * 60),
    )


def compute_usual_hour(hours: Mapping[int, int]) -> float:
    """Return the median of how many left in each hour in which any did; the last one aside.

    Quiet hours do not count: nights and week-ends would make it zero. `hours` is by hours ago.
    """
    earlier = [count for ago, count in hours.items() if ago > 0 and count]
    return float(median(earlier)) if earlier else 0.0


def explain_refusal(sent: SentBefore, caps: Caps) -> str:
    """Return why nothing more may leave by itself, or an empty string."""
    if sent.unreachable:
        return f"A bounce of the last {UNREACHABLE_DAYS} days names this address."
    if sent.in_thread >= caps.replies_per_thread:
        return f"{sent.in_thread} replies left in this thread within {THREAD_MINUTES} minutes."
    if sent.to_contact >= caps.replies_per_contact:
        return f"{sent.to_contact} replies left to this contact within {CONTACT_MINUTES} minutes."
    if sent.overall >= caps.replies_overall:
        return f"{sent.overall} replies left within {OVERALL_MINUTES} minutes."
    if sent.last_hour >= max(BREAKER_LEAST, BREAKER * sent.usual_hour):
        return (
            f"{sent.last_hour} automatic replies within an hour, where {sent.usual_hour:g} are "
            "usual: something is different today."
        )
    if sent.consecutive >= CONSECUTIVE:
        return f"{sent.consecutive} automatic replies in a row, and no person wrote between them."
    if sent.same_subject >= SAME_SUBJECT:
        return f"{sent.same_subject} automatic replies under this subject within a day."
    if sent.in_hour >= HOUR_REPLIES:
        return f"{sent.in_hour} automatic replies to this contact within an hour."
    if sent.in_day >= DAY_REPLIES:
        return f"{sent.in_day} automatic replies to this contact within a day."
    return ""
