"""Hearing of an answered case again where no answer comes."""

from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from data.records.core.record import Record

LONGEST_WAIT = 90
"""Working days at most."""


class FollowUpEnd(StrEnum):
    """What ended the wait for an answer."""

    TIME = "time"  #: no answer came, and the case is back as a letter to write
    MESSAGE = "message"  #: the contact wrote
    PERSON = "person"  #: a person wants to hear of it no more, or writes again
    MOVED = "moved"  #: its reply was taken back


class AskFollowUp(Record):
    """Say whether one wants to hear of an answered case again."""

    version: int
    days: int | None = Field(default=None, ge=1, le=LONGEST_WAIT)
    """Working days without an answer; None for no more."""


class WriteAgain(Record):
    """Begin another letter to the contact of a case that is answered or closed."""

    version: int


class FollowUpView(Record):
    """The last time that somebody wanted to hear of a case again."""

    days: int
    due_at: AwareDatetime | None = None
    """When it comes back; None while its reply has not left."""
    asked_by: str
    asked_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    ended_because: FollowUpEnd | Literal[""] = ""
