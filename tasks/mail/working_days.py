"""Working days: the moments that people mean with *tomorrow* and *Monday*."""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from data.records.core.organization import WorkingHours

MORNING = "09:00"
"""When a day begins where the policy names no working hours."""
MONDAY = 1
EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)


def next_morning(
    choice: Literal["tomorrow", "monday"],
    now: datetime,
    hours: WorkingHours | None,
    zone: str,
    days_off: Collection[date] = (),
) -> datetime:
    """Return when the chosen working day begins: tomorrow, or the next Monday.

    A day on which nobody works, holidays (`days_off`) among them, gives way to the next one on
    which somebody does.
    """
    day = now.astimezone(_zone(hours, zone)).date() + timedelta(days=1)
    while choice == "monday" and day.isoweekday() != MONDAY:
        day += timedelta(days=1)
    works = hours.days if hours else EVERY_DAY
    while day.isoweekday() not in works or day in days_off:
        day += timedelta(days=1)
    return morning_of(day, hours, zone)


def after_working_days(
    days: int,
    start: datetime,
    hours: WorkingHours | None,
    zone: str,
    days_off: Collection[date] = (),
) -> datetime:
    """Return when so many working days have gone by since `start`.

    Without working hours the days from Monday to Friday count, and holidays (`days_off`) never do.
    What starts before work begins, or on a day on which nobody works, starts with the next morning.
    """
    works = hours.days if hours else (1, 2, 3, 4, 5)
    moment = start.astimezone(_zone(hours, zone))
    while moment.isoweekday() not in works or moment.date() in days_off:
        moment = morning_of(moment.date() + timedelta(days=1), hours, zone)
    moment = max(moment, morning_of(moment.date(), hours, zone))
    while days > 0:
        moment += timedelta(days=1)  # on the clock of the zone, also where it is put forward
        days -= moment.isoweekday() in works and moment.date() not in days_off
    return moment


def morning_of(day: date, hours: WorkingHours | None, zone: str) -> datetime:
    """Return when a day begins for those who work."""
    opens = time.fromisoformat(hours.span_of(day.isoweekday())[0] if hours else MORNING)
    return datetime.combine(day, opens, _zone(hours, zone))


def _zone(hours: WorkingHours | None, zone: str) -> ZoneInfo:
    return ZoneInfo(hours.timezone if hours else zone)
