"""Working time: how much lies between two moments, for whole columns, and when some has passed."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl

from data.records.core.organization import Organization, WorkedDays, WorkingHours

EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)
LONGEST_DAYS = 3660
"""Days that are looked through for working time."""


def worked_hours(hours: WorkingHours | None, organization: Organization) -> WorkingHours | None:
    """Return working hours less the organization's holidays, as time can be counted in them.

    Without working hours every hour counts but for those of holidays.
    """
    counted = make_countable(hours)
    if not organization.holidays:
        return counted
    if counted is None:
        counted = WorkingHours(
            timezone=organization.timezone, days=EVERY_DAY, start="00:00", end="24:00"
        )
    return WorkedDays(**counted.model_dump(), days_off=organization.days_off)


def make_countable(hours: WorkingHours | None) -> WorkingHours | None:
    """Return working hours that time can be counted in; None where every hour has to count."""
    if hours is None or not hours.days:
        return None
    spans = [hours.span_of(weekday) for weekday in hours.days]
    if any(_minutes(start) >= _minutes(end) for start, end in spans):
        return None
    try:
        ZoneInfo(hours.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return None
    return hours


def seconds_between(
    frame: pl.DataFrame, begin: str, end: str, hours: WorkingHours | None
) -> pl.Series:
    """Return the seconds of working time from one column of times to another, never below 0.

    Args:
        frame: with both columns, times in UTC without nulls.
        begin: name of the column of the earlier times.
        end: name of the column of the later ones.
        hours: when somebody works, as `worked_hours` gave it; None: always.

    """
    passed = (pl.col(end) - pl.col(begin)).dt.total_microseconds() / 1e6
    if hours is None or frame.is_empty():
        return frame.select(passed.clip(lower_bound=0)).to_series()
    first, last = frame.select(pl.min(begin, end)), frame.select(pl.max(begin, end))
    days = _days(min(first.row(0)), max(last.row(0)), hours)
    worked = _worked_until(frame[end], days) - _worked_until(frame[begin], days)
    return worked.clip(lower_bound=0)


def add_seconds(moment: datetime, seconds: float, hours: WorkingHours | None) -> datetime:
    """Return when that many seconds of working time have passed since a moment.

    It lies within working hours, for no seconds too; where nobody works for ten years, it is then.

    Args:
        moment: with a time zone.
        seconds: 0 or more.
        hours: when somebody works, as `worked_hours` gave it; None: always.

    """
    if hours is None:
        return moment + timedelta(seconds=seconds)
    zone = ZoneInfo(hours.timezone)
    first, left = moment.astimezone(zone).date(), seconds
    for day in (first + timedelta(days=number) for number in range(LONGEST_DAYS)):
        if not hours.works_on(day):
            continue
        opens, closes = (_moment(day, clock, zone) for clock in hours.span_of(day.isoweekday()))
        begins = max(moment, opens)
        there = max(0.0, (closes - begins).total_seconds())
        if there and left <= there:
            return begins + timedelta(seconds=left)
        left -= there
    return moment + timedelta(days=LONGEST_DAYS)


def _minutes(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute or 0) if (hour + minute).isdigit() else 0


def _days(first: datetime, last: datetime, hours: WorkingHours) -> pl.DataFrame:
    """Return each day there from the first to the last, and what was worked before it."""
    zone = ZoneInfo(hours.timezone)
    begins, ends = (moment.astimezone(zone).date() for moment in (first, last))
    pieces: list[tuple[datetime, datetime, float, float]] = []
    before = 0.0
    for number in range((ends - begins).days + 1):
        day = begins + timedelta(days=number)
        opens, closes = (_moment(day, clock, zone) for clock in hours.span_of(day.isoweekday()))
        length = (closes - opens).total_seconds() if hours.works_on(day) else 0.0
        pieces.append((_moment(day, "00:00", zone), opens, length, before))
        before += length
    schema = {
        "midnight": pl.Datetime("us", "UTC"),
        "opens": pl.Datetime("us", "UTC"),
        "length": pl.Float64(),
        "before": pl.Float64(),
    }
    return pl.DataFrame(pieces, schema=schema, orient="row")


def _moment(day: date, clock: str, zone: ZoneInfo) -> datetime:
    minutes = _minutes(clock)
    at = datetime.combine(day + timedelta(days=minutes // 1440), time(tzinfo=zone))
    return at.replace(hour=minutes % 1440 // 60, minute=minutes % 60).astimezone(UTC)


def _worked_until(moments: pl.Series, days: pl.DataFrame) -> pl.Series:
    """Return how much was worked from the first day to each moment."""
    day = days["midnight"].search_sorted(moments, side="right").cast(pl.Int64) - 1
    today = (moments - days["opens"].gather(day)).dt.total_microseconds() / 1e6
    within = pl.DataFrame({"today": today, "length": days["length"].gather(day)}).select(
        pl.col("today").clip(lower_bound=0, upper_bound=pl.col("length"))
    )
    return days["before"].gather(day) + within.to_series()
