"""A working week as people say it: hours by weekday, made into the form that a policy holds."""

from collections import Counter
from collections.abc import Mapping, Sequence

from data.errors import ManifestError
from data.records.core.organization import DayHours, WorkingHours

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

HourSpan = tuple[str, str]
"""When work begins and ends."""


def week_of(spans: Mapping[int, HourSpan], timezone: str) -> WorkingHours | None:
    """Return the hours of a week from those of its days; None where nobody works.

    The span of most days is that of the week, and the days of each other one differ.
    """
    if not spans:
        return None
    usual = Counter(spans[weekday] for weekday in sorted(spans)).most_common(1)[0][0]
    others = list(dict.fromkeys(spans[day] for day in sorted(spans) if spans[day] != usual))
    return WorkingHours(
        timezone=timezone,
        days=tuple(sorted(spans)),
        start=usual[0],
        end=usual[1],
        differing=tuple(
            DayHours(
                days=tuple(day for day in sorted(spans) if spans[day] == span),
                start=span[0],
                end=span[1],
            )
            for span in others
        ),
    )


def spans_of(hours: WorkingHours) -> dict[int, HourSpan]:
    """Return when people work on each weekday on which they do."""
    return {weekday: hours.span_of(weekday) for weekday in hours.days}


def read_week(parts: Sequence[str], timezone: str) -> WorkingHours:
    """Return a week that is written as `mon-thu=09:00-17:00 fri=09:00-13:00`.

    Raises:
        ManifestError: a part is none, or names a day twice.

    """
    spans: dict[int, HourSpan] = {}
    for part in parts:
        days, _, span = part.partition("=")
        start, dash, end = span.partition("-")
        weekdays = _weekdays(days)
        if not weekdays or not dash:
            raise ManifestError(
                f"{part!r} names no days with their hours; write for example mon-thu=09:00-17:00"
            )
        for weekday in weekdays:
            if weekday in spans:
                raise ManifestError(f"{WEEKDAYS[weekday - 1]} has its hours twice; say them once")
            spans[weekday] = (start, end)
    week = week_of(spans, timezone)
    if week is None:
        raise ManifestError("name at least one day with its hours, as fri=09:00-13:00")
    return week


def _weekdays(days: str) -> list[int]:
    """Return the ISO weekdays of `mon`, `mon-thu` or `sat,sun`; none of anything else."""
    weekdays: list[int] = []
    for part in days.lower().split(","):
        first, dash, last = part.partition("-")
        if first not in WEEKDAYS or (dash and last not in WEEKDAYS):
            return []
        begin = WEEKDAYS.index(first)
        end = WEEKDAYS.index(last) if dash else begin
        weekdays += range(begin + 1, end + 2)
    return weekdays
