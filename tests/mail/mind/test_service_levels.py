"""By when a case should be answered: which level fits, and working time added to a moment."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from data.records.core.organization import ServiceLevel, WorkingHours
from data.records.core.understanding import Category, Priority
from data.records.mail.service_levels import TargetKind
from data.working_time import add_seconds, seconds_between
from tasks.mail.service_levels import level_of, target_of

BERLIN = WorkingHours(timezone="Europe/Berlin", days=(1, 2, 3, 4, 5), start="09:00", end="17:00")
FRIDAY = datetime(2026, 3, 27, 15, 0, tzinfo=UTC)
"""16:00 in Berlin; on the Sunday after it the clocks go forward."""
HOUR = 3600.0


@pytest.mark.parametrize(
    ("moment", "hours", "due"),
    [
        (FRIDAY, 0.5, "2026-03-27 16:30"),
        (FRIDAY, 1, "2026-03-27 17:00"),
        (FRIDAY, 2, "2026-03-30 10:00"),
        (FRIDAY, 10, "2026-03-31 10:00"),
        (datetime(2026, 3, 28, 3, 0, tzinfo=UTC), 0, "2026-03-30 09:00"),
        (datetime(2026, 3, 30, 4, 0, tzinfo=UTC), 1, "2026-03-30 10:00"),
    ],
)
def test_only_working_time_counts(moment: datetime, hours: float, due: str) -> None:
    """Nights, weekends and the change of the clocks are skipped."""
    there = add_seconds(moment, hours * HOUR, BERLIN).astimezone(ZoneInfo(BERLIN.timezone))
    assert f"{there:%Y-%m-%d %H:%M}" == due


@given(
    begin=st.integers(0, 330 * 86_400),
    seconds=st.integers(0, 400_000),
)
def test_it_is_the_inverse_of_counting(begin: int, seconds: int) -> None:
    """From a moment to what is that much later lies that much working time."""
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=begin)
    later = add_seconds(moment, seconds, BERLIN)
    utc = pl.Datetime("us", "UTC")
    frame = pl.DataFrame({"a": [moment], "b": [later]}, schema={"a": utc, "b": utc})
    assert seconds_between(frame, "a", "b", BERLIN)[0] == pytest.approx(seconds)


def test_without_working_hours_the_clock_counts() -> None:
    """An organization that names none works round the clock."""
    assert add_seconds(FRIDAY, 90, None) == FRIDAY + timedelta(seconds=90)


def test_the_first_level_that_fits_counts() -> None:
    """A level without a category or priority fits all, and a case without one as well."""
    urgent = ServiceLevel(priority=Priority.URGENT, first_answer_hours=1)
    billing = ServiceLevel(category=Category.BILLING, first_answer_hours=4)
    rest = ServiceLevel(first_answer_hours=8)
    levels = (urgent, billing, rest)
    assert level_of(levels, "billing", "urgent") is urgent
    assert level_of(levels, "billing", "normal") is billing
    assert level_of(levels, None, None) is rest
    assert level_of(levels[:2], "sales", "normal") is None


def test_a_level_that_sets_nothing_is_refused() -> None:
    """It could only be a mistake."""
    with pytest.raises(ValidationError, match="first_answer_hours"):
        ServiceLevel(category=Category.BILLING)


def test_a_resolution_stands_still_while_they_owe_an_answer() -> None:
    """After our reply the time that earlier cases waited for us is gone, and no more."""
    level = ServiceLevel(first_answer_hours=2, resolution_hours=10)

    def target(answered: bool, owed: float, paused: float = 0) -> tuple[TargetKind, float]:
        made = target_of(
            level, FRIDAY, answered=answered, owed_seconds=owed, paused_seconds=paused, hours=None
        )
        assert made is not None
        return made.kind, (made.due_at - FRIDAY).total_seconds() / HOUR

    assert target(False, 0) == (TargetKind.FIRST_ANSWER, 2)
    assert target(True, 4 * HOUR) == (TargetKind.RESOLUTION, 6)
    assert target(True, 40 * HOUR) == (TargetKind.RESOLUTION, 0)
    assert target(False, 0, 3 * HOUR) == (TargetKind.FIRST_ANSWER, 5)
    assert target(True, 40 * HOUR, 3 * HOUR) == (TargetKind.RESOLUTION, 3)
    only_first = ServiceLevel(first_answer_hours=2)
    after = {"answered": True, "owed_seconds": 0, "paused_seconds": 0}
    assert target_of(only_first, FRIDAY, hours=None, **after) is None
