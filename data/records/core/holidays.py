"""Holidays of an organization as people read and write them, and out of a calendar file."""

from pydantic import Field

from data.records.core.organization import MOST_HOLIDAYS, Holiday
from data.records.core.record import Record

LONGEST_FILE = 1_000_000
"""Characters of a calendar file."""


class HolidayList(Record):
    """The holidays, the earliest first."""

    items: tuple[Holiday, ...]
    was: str
    """Mark of the profile, by which a change says what it was written over."""


class SetHolidays(Record):
    """The holidays as they shall be, all of them."""

    items: tuple[Holiday, ...] = Field(max_length=MOST_HOLIDAYS)
    was: str = Field(default="", max_length=64)
    """Mark of the profile that was read; empty for any."""


class HolidayFile(Record):
    """A calendar file (RFC 5545) to find holidays in."""

    ics: str = Field(max_length=LONGEST_FILE)


class HolidayReading(Record):
    """What a calendar file has of holidays; nothing of it is kept yet."""

    items: tuple[Holiday, ...]
    left_out: tuple[str, ...] = ()
    """What was not taken, each with its reason."""
