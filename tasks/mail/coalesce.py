"""Stage *coalesce*: messages of one contact that come shortly after each other are one matter.

People send "and one more thing"; more than a quarter of follow-ups come under another subject
(docs/pipeline.md), so a burst is counted per contact and across conversations. It is worked on
when the contact has been quiet for the window, when the oldest message has waited for
`max_windows` windows, or at once when any of it is urgent.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from pydantic import AwareDatetime

from data.records.core.record import Record


class Pending(Record):
    """A message that waits for its burst."""

    message_id: str
    """Our id of the message."""
    contact_id: str
    """Who sent it."""
    thread_id: str
    """The conversation it belongs to."""
    received_at: AwareDatetime
    """When it came, UTC."""
    urgent: bool = False
    """Whether it must not wait."""
    apart: bool = False
    """Whether its sender may be somebody else: it shares no burst with what the contact wrote."""


class Burst(Record):
    """Messages of one contact that are due to be worked on together."""

    contact_id: str
    """Who sent them."""
    message_ids: tuple[str, ...]
    """Our ids of the messages, in the order they came."""
    reason: str
    """Why it is due: `urgent`, `quiet` or `waited long enough`."""


def bursts(
    pending: Sequence[Pending], now: datetime, window_seconds: float, max_windows: int
) -> list[Burst]:
    """Return the bursts that are due at `now`, those that waited longest first.

    A window of 0 seconds makes every message a burst of its own, due at once.
    """
    ordered = sorted(pending, key=lambda item: (item.received_at, item.message_id))
    if window_seconds <= 0:
        return [
            Burst(
                contact_id=message.contact_id,
                message_ids=(message.message_id,),
                reason="urgent" if message.urgent else "quiet",
            )
            for message in ordered
        ]
    window = timedelta(seconds=window_seconds)
    due: list[Burst] = []
    for messages in _gather_waiting(ordered):
        reason = _due(messages, now, window, max_windows)
        if reason:
            ids = tuple(message.message_id for message in messages)
            due.append(Burst(contact_id=messages[0].contact_id, message_ids=ids, reason=reason))
    return due


def _gather_waiting(pending: Iterable[Pending]) -> list[list[Pending]]:
    """Return the messages that wait for each other; who comes apart waits for nobody else."""
    pending_by_pair: dict[tuple[str, str], list[Pending]] = {}
    for message in pending:
        pending_by_pair.setdefault(
            (message.contact_id, message.message_id if message.apart else ""), []
        ).append(message)
    return list(pending_by_pair.values())


def _due(messages: list[Pending], now: datetime, window: timedelta, max_windows: int) -> str:
    """Return why the messages of one contact are due, or an empty string."""
    if any(message.urgent for message in messages):
        return "urgent"
    if now - max(message.received_at for message in messages) >= window:
        return "quiet"
    if now - min(message.received_at for message in messages) >= window * max_windows:
        return "waited long enough"
    return ""
