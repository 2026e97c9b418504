"""What people mean with tomorrow and Monday."""

from datetime import UTC, date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

import pytest

from data.records.core.organization import DayHours, WorkingHours
from tasks.mail.working_days import after_working_days, morning_of, next_morning

OFFICE = WorkingHours(timezone="Europe/Berlin", days=(1, 2, 3, 4, 5), start="08:30")


@pytest.mark.parametrize(
    ("choice", "now", "hours", "expected"),
    [
        ("tomorrow", "2026-11-25T15:00", OFFICE, "2026-11-26T07:30"),
        ("tomorrow", "2026-11-27T15:00", OFFICE, "2026-11-30T07:30"),  # a Friday
        ("tomorrow", "2026-11-27T15:00", None, "2026-11-28T09:00"),
        ("tomorrow", "2026-11-25T23:30", OFFICE, "2026-11-27T07:30"),  # past midnight in Berlin
        ("monday", "2026-11-25T15:00", OFFICE, "2026-11-30T07:30"),
        ("monday", "2026-11-30T05:00", OFFICE, "2026-12-07T07:30"),  # on a Monday: the next one
        ("tomorrow", "2026-03-27T15:00", OFFICE, "2026-03-30T06:30"),  # summer time began
    ],
)
def test_a_choice_is_a_morning(
    choice: Literal["tomorrow", "monday"], now: str, hours: WorkingHours | None, expected: str
) -> None:
    """It is the beginning of a working day, in the zone of the hours."""
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    wakes = next_morning(choice, at, hours, "UTC")
    assert wakes.astimezone(UTC).strftime("%Y-%m-%dT%H:%M") == expected


def test_monday_off_gives_way_to_the_day_after() -> None:
    """Where nobody works on Mondays, the next day on which somebody does is meant."""
    museum = OFFICE.model_copy(update={"days": (2, 3, 4, 5, 6, 7)})
    wakes = next_morning("monday", datetime(2026, 11, 25, tzinfo=UTC), museum, "UTC")
    assert (wakes.date(), wakes.isoweekday()) == (date(2026, 12, 1), 2)


def test_a_day_with_hours_of_its_own_begins_with_them() -> None:
    """A Saturday on which people come at ten."""
    shop = OFFICE.model_copy(
        update={
            "days": (1, 2, 3, 4, 5, 6),
            "differing": (DayHours(days=(6,), start="10:00", end="13:00"),),
        }
    )
    wakes = next_morning("tomorrow", datetime(2026, 11, 27, 15, tzinfo=UTC), shop, "UTC")
    assert wakes.strftime("%a %H:%M") == "Sat 10:00"


def test_a_day_that_is_named_is_kept_to() -> None:
    """A Sunday that a person chooses is that Sunday, in the organization's zone without hours."""
    wakes = morning_of(date(2026, 11, 29), None, "America/New_York")
    assert wakes.astimezone(UTC) == datetime(2026, 11, 29, 14, tzinfo=UTC)


def test_working_days_are_counted_from_when_people_work() -> None:
    """From Tuesday at ten three of them end on Friday at ten; a weekend begins on Monday."""
    zone = ZoneInfo("Europe/Amsterdam")
    cases = {
        datetime(2026, 11, 24, 10, tzinfo=zone): datetime(2026, 11, 27, 10, tzinfo=zone),
        datetime(2026, 11, 28, 21, tzinfo=zone): datetime(2026, 12, 3, 9, tzinfo=zone),
        datetime(2026, 11, 27, 5, tzinfo=zone): datetime(2026, 12, 2, 9, tzinfo=zone),
    }
    for start, end in cases.items():
        assert after_working_days(3, start, None, "Europe/Amsterdam") == end
