"""The time zone that a calendar means: by its name, Outlook's, its own rules, or as written."""

from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import lexicon
from tasks.core.words.cleaning import clean_line

NAME_CHARACTERS = 80
"""Characters of a zone's name."""

_SHOWN = compiled(
    r"(?i)^\(?(?:utc|gmt)\s*(?:([+\x{2212}-])\s*(\d{1,2})(?:[:.]?(\d{2}))?)?\)\s*(\S.*)$"
)
"""A zone as Windows shows it, `(UTC+01:00) Amsterdam, Berlin`."""
_CONTINENTS = frozenset({
    "Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian",
    "Pacific",
})  # fmt: skip
_UTC = frozenset({"utc", "z", "gmt", "etc/utc", "etc/gmt", "coordinated universal time"})


def zone_of(moment: datetime, name: str) -> str:
    """Return the zone of a point of time, such as `Europe/Berlin` or `UTC+02:00 (zone "Desk")`.

    `name` is the calendar's name for it (RFC 5545 section 3.2.19). Names of Windows, in the
    languages that are read, and its lists of cities are mapped to those of the IANA, unless the
    rules that the calendar gives for its zone (VTIMEZONE) say another time; then these are
    believed, and the difference to UTC is told. A name that is not known is told as it stands.
    """
    name = clean_line(name)[:NAME_CHARACTERS].strip('"').strip()
    key = getattr(moment.tzinfo, "key", None) or _iana(name)
    offset = moment.utcoffset()
    if key and (offset is None or offset == _offset(moment, key)):
        return key
    if offset is None:
        if name.lower() in _UTC or _part_behind_slash(name) in _UTC:
            return "UTC"
        return f'in the zone "{name}"' if name else "local time"
    if not name or name.lower() in _UTC:
        return moment.tzname() or _difference(offset)
    return f'{_difference(offset)} (zone "{name}")'


def zone_called(name: str) -> ZoneInfo | None:
    """Return the zone that a calendar calls so, or None when that is not known."""
    name = clean_line(name)[:NAME_CHARACTERS].strip('"').strip()
    if name.lower() in _UTC or _part_behind_slash(name) in _UTC:
        return ZoneInfo("UTC")
    key = _iana(name)
    return ZoneInfo(key) if key else None


def _part_behind_slash(name: str) -> str:
    """Return what stands after the last slash, as in `tzone://Microsoft/Utc`."""
    return name.rpartition("/")[2].lower()


def _iana(name: str) -> str:
    """Return the IANA's name for a zone, however programs call it; empty for none.

    Outlook numbers zones of one name that differ: `W. Europe Standard Time 1`. Windows names them
    in the language of the machine, and shows them as a difference to UTC with cities.
    """
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON  # as slow as icalendar

    mapped = WINDOWS_TO_OLSON.get(name.rstrip("0123456789").rstrip() or name)
    if mapped:
        return str(mapped)
    if key := _called(name):
        return key
    shown = _SHOWN.match(name)
    if shown is not None:
        return _shown_with_cities(*shown.groups())
    parts = name.split("/")
    keys = ("/".join(parts[-count:]) for count in (len(parts), 3, 2) if 1 < count <= len(parts))
    return _called(name.rpartition(" (")[0]) or next(filter(None, map(_key, keys)), "")


def _shown_with_cities(sign: str | None, hours: str | None, minutes: str | None, rest: str) -> str:
    """Return the zone of `(UTC+01:00) Amsterdam, Berlin`; it must be that far from UTC."""
    if rest.lower() in _UTC and not hours:
        return "Etc/UTC"
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    offset = -offset if sign in ("-", "\u2212") else offset
    names = (rest, *rest.split(","))
    keys = (_called(name.strip()) or _cities().get(name.strip().casefold(), "") for name in names)
    return next((key for key in keys if key and _standard(key) == offset), "")


def _standard(key: str) -> timedelta | None:
    """Return how far a zone is from UTC without daylight saving."""
    moment = datetime(2026, 1, 15, tzinfo=ZoneInfo(key))
    offset, saving = moment.utcoffset(), moment.dst()
    return offset - saving if offset is not None and saving is not None else offset


def _called(name: str) -> str:
    """Return the zone that a name of `zones.yaml` means, empty for none."""
    return _names().get(name.replace("\u2019", "'").casefold(), "")


def _key(name: str) -> str:
    """Return a name of the IANA as it is written there, in any case; empty when it is none."""
    try:
        return ZoneInfo(name).key
    except (ValueError, OSError, LookupError):
        return _keys().get(name.lower(), "")


@cache
def _keys() -> dict[str, str]:
    """Return the names of the IANA by themselves in small letters."""
    return {key.lower(): key for key in available_timezones()}


@cache
def _names() -> dict[str, str]:
    """Return the zones by the names that programs give them."""
    return {
        str(name).replace("\u2019", "'").casefold(): key
        for key, names in lexicon("zones")["names"].items()
        for name in names
    }


@cache
def _cities() -> dict[str, str]:
    """Return the zones by the cities that stand for them."""
    cities = {
        key.rpartition("/")[2].replace("_", " ").casefold(): key
        for key in sorted(available_timezones())
        if key.partition("/")[0] in _CONTINENTS
    }
    return cities | {
        str(city).casefold(): key
        for key, names in lexicon("zones")["cities"].items()
        for city in names
    }


def _offset(moment: datetime, key: str) -> timedelta | None:
    """Return how far a zone is from UTC at that local time."""
    return moment.replace(tzinfo=ZoneInfo(key)).utcoffset()


def _difference(offset: timedelta) -> str:
    """Return a difference such as `UTC+02:00`."""
    minutes = int(offset.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
