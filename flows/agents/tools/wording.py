"""How tools say days and times: the weekday always with the date, in the organization's zone."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from flows.core.tools import Calling


def now_of(calling: Calling) -> datetime:
    """Return the time where the organization is."""
    return calling.house.clock().astimezone(zone_of(calling))


def among_others(calling: Calling) -> bool:
    """Whether other people read what is answered; what is a person's own is not told then."""
    return calling.occasion is not None and calling.occasion.kind != "direct"


def zone_of(calling: Calling) -> ZoneInfo:
    """Return the organization's time zone."""
    return ZoneInfo(calling.workspace.organization.timezone)


def day_words(day: date) -> str:
    """Return a day in words: *Friday, 4 December 2026*."""
    return f"{day:%A}, {day.day} {day:%B %Y}"


def when_words(at: datetime, *, timed: bool) -> str:
    """Return a time in words, as exactly as it was said."""
    return f"{day_words(at.date())}, {at:%H:%M}" if timed else day_words(at.date())
