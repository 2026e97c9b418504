"""Times as people say them."""

from datetime import UTC, datetime, timedelta

import pytest

from ui.core.text.clock import ago, span, speak_age, write_exactly, zone_of

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("back", "said"),
    [
        (timedelta(seconds=3), "just now"),
        (timedelta(seconds=42), "42 s ago"),
        (timedelta(minutes=4, seconds=50), "4 min ago"),
        (timedelta(hours=3), "3 h ago"),
        (timedelta(days=2), "2 d ago"),
        (timedelta(days=30), "12 Feb"),
        (timedelta(days=400), "7 Feb 2025"),
        (timedelta(seconds=-20), "in 20 s"),
    ],
)
def test_a_time_is_said_in_its_largest_unit(back: timedelta, said: str) -> None:
    """Each distance has one short way of saying it."""
    assert ago(NOON - back, NOON, "UTC") == said


def test_a_day_is_one_of_the_zone() -> None:
    """Late in the evening it is the next day elsewhere."""
    late = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)
    assert ago(late, NOON, "Europe/Brussels") == "1 Feb"
    assert ago(late, NOON, "America/New_York") == "31 Jan"


def test_the_exact_time_names_its_zone() -> None:
    """The browser's zone is used, and UTC when it names none that is known."""
    assert write_exactly(NOON, "Europe/Brussels") == "Sat 14 Mar 2026, 13:00:00 CET"
    assert write_exactly(NOON, "no/such/zone") == "Sat 14 Mar 2026, 12:00:00 UTC"
    assert str(zone_of(None)) == "UTC"


def test_sentences_use_whole_words() -> None:
    """One minute and several differ, and nothing is in the future."""
    assert speak_age(NOON - timedelta(minutes=1), NOON) == "1 minute ago"
    assert speak_age(NOON - timedelta(hours=5), NOON) == "5 hours ago"
    assert speak_age(NOON + timedelta(hours=5), NOON) == "less than a minute ago"
    assert span(59) == "59 s"
    assert span(9 * 86400) == "9 d"
