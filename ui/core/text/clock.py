"""Times as people say them, with the exact one at hand."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_STEPS = ((60, 1, "s"), (3600, 60, "min"), (86400, 3600, "h"), (7 * 86400, 86400, "d"))


def ago(at: datetime, now: datetime, zone: str | None) -> str:
    """Return how long `at` lies back: `just now`, `4 min ago`, `3 h ago`, `2 d ago`, `12 Mar`.

    A day is one of the time zone of that name.
    """
    seconds = (now - at).total_seconds()
    if seconds < 0:
        return "in " + span(-seconds)
    if seconds < 10:
        return "just now"
    for below, unit, name in _STEPS:
        if seconds < below:
            return f"{int(seconds // unit)} {name} ago"
    there = at.astimezone(zone_of(zone))
    return day(there) if now - at >= timedelta(days=300) else f"{there.day} {there:%b}"


def span(seconds: float) -> str:
    """Return a duration in its largest whole unit, e.g. `45 s`, `12 min`, `3 h`."""
    for below, unit, name in _STEPS:
        if seconds < below:
            return f"{int(seconds // unit)} {name}"
    return f"{int(seconds // 86400)} d"


def speak_age(at: datetime, now: datetime) -> str:
    """Return how long `at` lies back in whole words, for sentences: `4 minutes ago`."""
    seconds = max(0, int((now - at).total_seconds()))
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        count = seconds // size
        if count:
            return f"{count} {word}{'s' if count != 1 else ''} ago"
    return "less than a minute ago"


def write_exactly(at: datetime, zone: str | None) -> str:
    """Return date, time and zone as `Sat 21 Nov 2026, 14:03:09 CET`."""
    return f"{at.astimezone(zone_of(zone)):%a %-d %b %Y, %H:%M:%S %Z}"


def minute(at: datetime, zone: str | None) -> str:
    """Return a moment that is chosen to the minute as `Mon 30 Nov 2026, 08:00`."""
    return f"{at.astimezone(zone_of(zone)):%a %-d %b %Y, %H:%M}"


def day(at: date) -> str:
    """Return a day as `21 Nov 2026`."""
    return f"{at.day} {at:%b %Y}"


def today(zone: str | None) -> date:
    """Return which day it is in the time zone of that name."""
    return now().astimezone(zone_of(zone)).date()


def zone_of(name: str | None) -> ZoneInfo:
    """Return the zone of that name, UTC when it is none that is known."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def now() -> datetime:
    """Return the present moment, UTC."""
    return datetime.now(UTC)
