"""Events that repeat: rules of RFC 5545, and when such an event takes place in a span of days.

A rule counts in the time of its zone, so that what is at nine stays at nine when clocks change. A
rule that may never come true (the thirtieth of February) is refused: it would be followed to the
year 9999 each time that somebody looks at a week.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

from data.errors import UnfitError
from data.records.core.calendar import CalendarEvent

MOST_COUNTED = 1000
"""How often a rule that says how often may repeat."""
_MOST_SHOWN = 1000
"""Occurrences of one event in one span."""
_EARLIEST = 1970
_COUNTED_FOR = timedelta(days=50 * 366)
_CHOOSING = {"BYDAY", "BYMONTH"}
_STEPS = {"DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1)}
_KNOWN = frozenset(
    ["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"]
)
_DAYS = frozenset(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))
_SHORTEST = 28
"""Days that every month has."""
_WEEKS_OF_MONTH = 4
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_UNTIL = "%Y%m%dT%H%M%S"


def fit_rule(text: str, begin: datetime, zone: ZoneInfo) -> str:
    """Return a rule as it is kept: it ends at a time of `zone`, where it ends, and not by a count.

    Raises:
        UnfitError: it is none, repeats within a day, or for longer than is counted here.

    """
    parts = _parts(text)
    if begin.year < _EARLIEST:
        raise UnfitError(f"it repeats since before {_EARLIEST}")
    until, count = parts.pop("UNTIL", ""), parts.pop("COUNT", "")
    if until and count:
        raise UnfitError("its rule says both how often and how long")
    try:
        if until:
            parts["UNTIL"] = _local_end(until, zone).strftime(_UNTIL)
        if not _comes_true(parts):
            raise UnfitError("its rule is none that is known here")
        rule = _rule(parts, _wall(begin, zone))
        if count:
            parts["UNTIL"] = _find_last_time(rule, int(count), _wall(begin, zone)).strftime(_UNTIL)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise UnfitError("its rule is none of RFC 5545 that is known here") from error
    return ";".join(f"{name}={value}" for name, value in parts.items())


def occurrences(event: CalendarEvent, begin: datetime, end: datetime) -> list[CalendarEvent]:
    """Return an event as it takes place between two times: itself, or each time that it repeats."""
    if not event.repeats:
        return [event] if event.starts_at < end and event.ends_at > begin else []
    zone = ZoneInfo(event.repeats_in)
    first, last = _wall(event.starts_at, zone), _wall(event.ends_at, zone)
    length = last - first
    parts = _parts(event.repeats)
    start = _near(parts, first, _wall(begin, zone) - length)
    until = _wall(end, zone)
    if "UNTIL" in parts:
        until = min(until, _read(parts.pop("UNTIL")))
    start_times = (
        _rule(parts, start).replace(until=until).xafter(_wall(begin, zone) - length, inc=True)
    )
    skipped = {moment.astimezone(UTC) for moment in event.skipped}
    placed = (
        (
            at.replace(tzinfo=zone).astimezone(UTC),
            (at + length).replace(tzinfo=zone).astimezone(UTC),
        )
        for at in islice(start_times, _MOST_SHOWN)
    )
    return [
        event.model_copy(update={"starts_at": starts, "ends_at": ends, "first_at": event.starts_at})
        for starts, ends in placed
        if starts not in skipped and starts < end and ends > begin
    ]


def all_occurrences(
    events: Sequence[CalendarEvent], begin: datetime, end: datetime
) -> list[CalendarEvent]:
    """Return events as they take place between two times, what begins first."""
    placed = [occurrence for event in events for occurrence in occurrences(event, begin, end)]
    return sorted(placed, key=lambda item: (item.starts_at, item.ends_at, item.id))


def rule_in_file(event: CalendarEvent) -> str:
    """Return the rule of an event as a calendar file has it: its end is a day, or a time in UTC."""
    parts = _parts(event.repeats)
    if "UNTIL" in parts:
        until = _read(parts["UNTIL"])
        aware = until.replace(tzinfo=ZoneInfo(event.repeats_in)).astimezone(UTC)
        parts["UNTIL"] = f"{until:%Y%m%d}" if event.whole_day else f"{aware:{_UNTIL}}Z"
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _parts(text: str) -> dict[str, str]:
    """Return the parts of a rule by their names.

    Raises:
        UnfitError: a part is none, or is not known here.

    """
    pieces = [piece.partition("=") for piece in text.strip().upper().split(";") if piece]
    parts = {name: value for name, _, value in pieces}
    unknown = sorted(parts.keys() - _KNOWN)
    if unknown or len(parts) < len(pieces):
        raise UnfitError(f"its rule has {unknown[0] if unknown else 'a part twice'}")
    if parts.get("FREQ") not in _FREQUENCIES:
        raise UnfitError("it repeats within a day, or has no rule that says how")
    if not parts.get("INTERVAL", "1").isdigit() or not 0 < int(parts.get("INTERVAL", "1")) <= 1000:
        raise UnfitError("its rule leaves out too much")
    return parts


def _rule(parts: dict[str, str], start: datetime) -> rrule:
    return rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=start)


def _near(parts: dict[str, str], first: datetime, begin: datetime) -> datetime:
    """Return a beginning of the same rule shortly before a time, for what repeats by days or weeks.

    Where it began years ago, nothing is counted up from there.
    """
    step = _STEPS.get(parts["FREQ"])
    if step is None or begin <= first:
        return first
    step *= int(parts.get("INTERVAL", "1"))
    return first + max((begin - first) // step - 1, 0) * step


def _comes_true(parts: dict[str, str]) -> bool:
    """Return whether a rule takes place again and again, whenever it begins.

    What is not sure to is left out, so a few rules that would be are, too.
    """
    freq, every = parts["FREQ"], int(parts.get("INTERVAL", "1"))
    days = [(part[-2:], part[:-2]) for part in parts.get("BYDAY", "").split(",") if part]
    in_month = [int(part) for part in parts.get("BYMONTHDAY", "").split(",") if part]
    places = [int(part) for part in parts.get("BYSETPOS", "").split(",") if part]
    counted = [int(number) for _, number in days if number]
    if not {day for day, _ in days} <= _DAYS:
        return False
    if freq in _STEPS:
        plain = not (in_month or places or counted)
        return plain and (freq == "WEEKLY" or every == 1 or len(parts.keys() & _CHOOSING) == 0)
    if in_month and (counted or places):
        return False
    if any(abs(day) > _SHORTEST for day in in_month) and ("BYMONTH" in parts or every > 1):
        return False
    if any(not 0 < abs(number) <= _WEEKS_OF_MONTH for number in counted):
        return False
    if places and (freq == "YEARLY" or counted or not days):
        return False
    if any(not 0 < abs(place) <= _WEEKS_OF_MONTH * len(days) for place in places):
        return False
    return freq == "YEARLY" or "BYMONTH" not in parts or every == 1


def _find_last_time(rule: rrule, count: int, start: datetime) -> datetime:
    """Return when a rule takes place for the last time that says how often it does."""
    if not 0 < count <= MOST_COUNTED:
        raise UnfitError(f"it repeats more than {MOST_COUNTED} times")
    last: datetime
    *_, last = (start, *islice(rule.replace(until=start + _COUNTED_FOR), count))
    if last + timedelta(days=366) > start + _COUNTED_FOR:
        raise UnfitError("it repeats for longer than 50 years")
    return last


def _local_end(until: str, zone: ZoneInfo) -> datetime:
    """Return the end of a rule in the time of its zone; a day is meant to its end."""
    if "T" not in until:
        return _read(f"{until}T235959")
    if until.endswith("Z"):
        return _wall(_read(until[:-1]).replace(tzinfo=UTC), zone)
    return _read(until)


def _read(until: str) -> datetime:
    """Return what a clock shows, of which the zone is known elsewhere."""
    return datetime.strptime(until, _UNTIL)  # noqa: DTZ007


def _wall(at: datetime, zone: ZoneInfo) -> datetime:
    """Return what a clock in a zone shows."""
    return at.astimezone(zone).replace(tzinfo=None)
