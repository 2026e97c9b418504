"""A working week as people say it, and as a policy holds it."""

import pytest

from data.errors import ManifestError
from data.policy_text import changed_text
from data.records.core.organization import DayHours, WorkingHours
from data.records.core.policies import PolicyChange
from data.working_week import read_week, spans_of, week_of


def test_a_week_is_read_and_told_again() -> None:
    """Most days give the hours of the week; the others differ."""
    week = read_week(["mon-thu=09:00-17:00", "FRI=09:00-13:00", "sun=10:00-12:00"], "Europe/Paris")
    assert week == WorkingHours(
        timezone="Europe/Paris",
        days=(1, 2, 3, 4, 5, 7),
        start="09:00",
        end="17:00",
        differing=(
            DayHours(days=(5,), start="09:00", end="13:00"),
            DayHours(days=(7,), start="10:00", end="12:00"),
        ),
    )
    assert week.in_words() == "09:00 to 17:00; Friday 09:00 to 13:00; Sunday 10:00 to 12:00"
    assert week_of(spans_of(week), "Europe/Paris") == week
    assert week_of({}, "UTC") is None


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (["mon"], "names no days with their hours"),
        (["moon=09:00-17:00"], "names no days with their hours"),
        (["fri-mon=09:00-17:00"], "names no days with their hours"),
        (["mon=09:00-12:00", "mon-tue=13:00-17:00"], "mon has its hours twice"),
        ([], "at least one day"),
    ],
)
def test_what_is_no_week_is_refused_with_an_example(parts: list[str], said: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ManifestError, match=said):
        read_week(parts, "UTC")


def test_a_week_of_equal_days_is_written_as_ever() -> None:
    """An older policy and its text stay what they were; only what differs is added."""
    same = changed_text("mode: live\n", PolicyChange(working_hours=WorkingHours()))
    assert "differing" not in same
    assert same.startswith("mode: live\n")
    short = WorkingHours(differing=(DayHours(days=(5,), start="09:00", end="13:00"),))
    assert "differing:" in changed_text(same, PolicyChange(working_hours=short))
