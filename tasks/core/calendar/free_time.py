"""Free time: working hours less what is in the calendar."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta

WORKING = (time(9), time(17))
"""The hours of a working day that count as free time."""
WORKING_WEEK: Mapping[int, tuple[time, time]] = dict.fromkeys(range(1, 6), WORKING)
"""The same by ISO weekday: Monday to Friday."""

TimeSpan = tuple[datetime, datetime]
Week = Mapping[int, tuple[time, time]]
"""Between which hours people work, by ISO weekday; nobody does on the others."""


def free_spans(
    first: date,
    last: date,
    busy: Sequence[TimeSpan],
    now: datetime,
    week: Week = WORKING_WEEK,
    days_off: Collection[date] = (),
) -> list[TimeSpan]:
    """Return the spans of working hours between two days that nothing takes up and that are ahead.

    Times are those of `now`'s zone; holidays (`days_off`) have no working hours.
    """
    spans: list[TimeSpan] = []
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        hours = week.get(day.isoweekday())
        if hours is not None and day not in days_off:
            begin, end = (datetime.combine(day, hour, tzinfo=now.tzinfo) for hour in hours)
            spans += _subtract_busy(max(begin, now), end, busy)
    return spans


def _subtract_busy(begin: datetime, end: datetime, busy: Sequence[TimeSpan]) -> list[TimeSpan]:
    """Return what is left of a span."""
    left: list[TimeSpan] = []
    for taken_from, taken_to in sorted(busy):
        if taken_from > begin:
            left.append((begin, min(taken_from, end)))
        begin = max(begin, taken_to)
    left.append((begin, end))
    return [(one, other) for one, other in left if one < other]
