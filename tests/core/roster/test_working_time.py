"""Working time between two moments, held against counting minute by minute."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.records.core.organization import DayHours, WorkingHours
from data.working_time import add_seconds, make_countable, seconds_between

START = datetime(2026, 3, 26, tzinfo=UTC)
"""A Thursday; on the Sunday after it clocks in Europe are put forward."""
MINUTES = st.integers(0, 6 * 1440)
HOURS = st.builds(
    WorkingHours,
    timezone=st.sampled_from(["UTC", "Europe/Berlin", "America/Santiago", "Asia/Kathmandu"]),
    days=st.sets(st.integers(1, 7), min_size=1).map(lambda found: tuple(sorted(found))),
    start=st.sampled_from(["00:00", "08:00", "09:30"]),
    end=st.sampled_from(["12:15", "18:00", "24:00"]),
    differing=st.sampled_from(
        [(), (DayHours(days=(5, 6), start="09:00", end="13:00"),)],
    ),
)


def worked(begin: datetime, end: datetime, hours: WorkingHours | None) -> float:
    """Return what is counted for one pair."""
    frame = pl.DataFrame(
        {"a": [begin], "b": [end]}, schema_overrides=dict.fromkeys("ab", pl.Datetime("us", "UTC"))
    )
    return float(seconds_between(frame, "a", "b", hours)[0])


@settings(max_examples=60, deadline=None)
@given(MINUTES, MINUTES, HOURS)
def test_every_working_minute_counts_once(one: int, other: int, hours: WorkingHours) -> None:
    """In every zone, over weekends and the night in which clocks are put forward."""
    begin, end = (START + timedelta(minutes=at) for at in sorted((one, other)))
    zone, minutes, at = ZoneInfo(hours.timezone), 0, begin
    while at < end:
        there = at.astimezone(zone)
        start, end_of_day = hours.span_of(there.isoweekday())
        within = start <= f"{there:%H:%M}" < end_of_day
        minutes += there.isoweekday() in hours.days and within
        at += timedelta(minutes=1)
    assert worked(begin, end, hours) == 60 * minutes


def test_what_ends_before_it_begins_took_no_time() -> None:
    """A clock that was put back makes no negative time."""
    assert worked(START + timedelta(hours=1), START, None) == 0
    assert worked(START + timedelta(hours=30), START, WorkingHours()) == 0


@pytest.mark.parametrize(
    "hours",
    [
        None,
        WorkingHours(days=()),
        WorkingHours(start="18:00", end="08:00"),
        WorkingHours(timezone="Mars/Olympus"),
        WorkingHours(differing=(DayHours(days=(5,), start="13:00", end="09:00"),)),
    ],
)
def test_hours_in_which_nothing_can_be_counted_count_round_the_clock(
    hours: WorkingHours | None,
) -> None:
    """No hours, no days, an end before the start, or a zone that nobody knows."""
    assert make_countable(hours) is None
    assert worked(START, START + timedelta(hours=5), make_countable(hours)) == 5 * 3600


def test_a_short_friday_sends_what_is_left_into_monday() -> None:
    """Four hours from Friday at eleven: two there, two on Monday."""
    hours = WorkingHours(
        start="09:00", end="17:00", differing=(DayHours(days=(5,), start="09:00", end="13:00"),)
    )
    friday = datetime(2026, 11, 27, 11, tzinfo=UTC)
    assert add_seconds(friday, 4 * 3600, hours) == datetime(2026, 11, 30, 11, tzinfo=UTC)
    assert worked(friday, datetime(2026, 11, 30, 11, tzinfo=UTC), hours) == 4 * 3600
