"""Events of a calendar: the organization's, and those of a person."""

from datetime import datetime
from typing import Self

from pydantic import AwareDatetime, Field, model_validator

from data.records.core.record import Record
from data.records.core.titles import LONGEST_TITLE, Title


class CalendarEvent(Record):
    """Something that takes place at a time."""

    id: str
    uid: str
    """Its identity in files of calendars (RFC 5545)."""
    owner: str = ""
    """Id of the user whose it is, seen by nobody else; empty for the organization's."""
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    place: str = Field(default="", max_length=LONGEST_TITLE)
    starts_at: AwareDatetime
    ends_at: AwareDatetime
    whole_day: bool = False
    repeats: str = ""
    """The rule by which it repeats (RFC 5545), e.g. `FREQ=WEEKLY;BYDAY=MO`; empty for once."""
    repeats_in: str = ""
    """The time zone in which the rule is meant."""
    skipped: tuple[AwareDatetime, ...] = ()
    """When it would begin by its rule and does not take place."""
    first_at: AwareDatetime | None = None
    """Of one time that it repeats: when it began for the first time."""
    added_by: str
    added_at: AwareDatetime
    changed_at: AwareDatetime | None = None
    """When it was changed last; None for never."""

    @property
    def stands_since(self) -> datetime:
        """Since when it is as it is."""
        return self.changed_at or self.added_at

    @model_validator(mode="after")
    def _ends_later(self) -> Self:
        if self.ends_at < self.starts_at:
            raise ValueError("an event ends after it begins")
        return self


class EditEvent(Record):
    """An event as somebody wants it."""

    title: Title
    place: str = Field(default="", max_length=LONGEST_TITLE)
    starts_at: AwareDatetime
    ends_at: AwareDatetime
    whole_day: bool = False
    repeats: str = Field(default="", max_length=300)
    """The rule by which it repeats (RFC 5545); it begins for the first time at `starts_at`."""
    for_everybody: bool = False
    """Whether it is the organization's, and not one's own."""

    @model_validator(mode="after")
    def _ends_later(self) -> Self:
        if self.ends_at < self.starts_at:
            raise ValueError("an event ends after it begins")
        return self


class EventList(Record):
    """The events of some days that a person may see, what begins first."""

    items: tuple[CalendarEvent, ...]
    zone: str
    """The organization's time zone, in which the days are meant."""


class CalendarFile(Record):
    """A calendar file to take over."""

    ics: str = Field(max_length=1_000_000)
    """The file as it is (RFC 5545)."""
    for_everybody: bool = False
    """Whether its events are the organization's, and not one's own."""


class Imported(Record):
    """What became of a calendar file."""

    added: int = Field(ge=0)
    changed: int = Field(ge=0)
    """Events that were there already, and are now as the file has them."""
    left_out: tuple[str, ...] = ()
    """What was not taken over, and why."""
