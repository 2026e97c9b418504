"""Which time zone a calendar means: by its name, by Outlook's, by its own rules, or as written."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tasks.words.cleaning import clean_line

NAME_CHARACTERS = 80
"""Characters of a zone's name."""

_UTC = frozenset({"utc", "z", "gmt", "etc/utc", "etc/gmt", "coordinated universal time"})


def zone_of(moment: datetime, name: str) -> str:
    """Return the zone of a point of time, such as `Europe/Berlin` or `UTC+02:00 (zone "Desk")`.

    `name` is the calendar's name for it (RFC 5545 section 3.2.19). Names of Windows are mapped to
    those of the IANA, unless the rules that the calendar gives for its zone (VTIMEZONE) say another
    time; then these are believed, and the difference to UTC is told.
    """
    name = clean_line(name)[:NAME_CHARACTERS].strip('"')
    key = getattr(moment.tzinfo, "key", None) or _iana(name)
    offset = moment.utcoffset()
    if key and (offset is None or offset == _offset(moment, key)):
        return key
    if offset is None:
        if name.lower() in _UTC or _last(name) in _UTC:
            return "UTC"
        return f'in the zone "{name}"' if name else "local time"
    if not name or name.lower() in _UTC:
        return moment.tzname() or _difference(offset)
    return f'{_difference(offset)} (zone "{name}")'


def _last(name: str) -> str:
    """Return what stands after the last slash, as in `tzone://Microsoft/Utc`."""
    return name.rpartition("/")[2].lower()


def _iana(name: str) -> str:
    """Return the IANA's name for a zone, which Outlook calls by that of Windows; empty for none.

    Outlook numbers zones of one name that differ: `W. Europe Standard Time 1`.
    """
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON  # as slow as icalendar

    mapped = WINDOWS_TO_OLSON.get(name.rstrip("0123456789").rstrip() or name)
    if mapped:
        return str(mapped)
    try:
        return ZoneInfo(name).key if "/" in name else ""
    except (ValueError, OSError, LookupError):
        return ""


def _offset(moment: datetime, key: str) -> timedelta | None:
    """Return how far a zone is from UTC at that local time."""
    return moment.replace(tzinfo=ZoneInfo(key)).utcoffset()


def _difference(offset: timedelta) -> str:
    """Return a difference such as `UTC+02:00`."""
    minutes = int(offset.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
