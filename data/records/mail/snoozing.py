"""Putting a case off: until when, and why it came back."""

from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime

from data.records.core.moments import Moment, MorningChoice
from data.records.core.record import Record

SnoozeChoice = MorningChoice | Literal["answer"]
"""When people want to see a case again, in words."""


class SnoozeEnd(StrEnum):
    """Why a case that was put off is among what waits again."""

    TIME = "time"  #: the time that a person chose has come
    MESSAGE = "message"  #: somebody wrote in its conversation
    PERSON = "person"  #: a person brought it back, or decided on it
    MOVED = "moved"  #: it is no longer before a person


class Snooze(Record):
    """Put a case off."""

    version: int
    until: Literal["answer"] | Moment
    """A day begins with the working hours of the organization. A message in the conversation brings
    the case back earlier."""


class Unsnooze(Record):
    """Bring a case back that was put off."""

    version: int


class SnoozeView(Record):
    """The last time that a case was put off."""

    until: AwareDatetime | None = None
    """When it comes back by itself; None where it waits for an answer alone."""
    snoozed_by: str
    snoozed_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    """Since when it is back; None while it is put off."""
    ended_because: SnoozeEnd | Literal[""] = ""
