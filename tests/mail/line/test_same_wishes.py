"""When a wish that comes again is the one that has a ticket already."""

import pytest

from flows.mail.line.plan_execution import share_wording


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Please cancel my order 12", "please cancel my order 123"),
        ("Call me on 5", "call me on 55"),
        ("art", "part of it"),
        ("", "Please cancel"),
        ("…", "Please cancel"),
    ],
)
def test_what_shares_no_whole_words_is_another_wish(before: str, now: str) -> None:
    """The ticket of one order is not taken for that of another."""
    assert not share_wording(before, now)
    assert not share_wording(now, before)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Please cancel my order 12.", "please  cancel my order 12"),
        ("Cancel my order 12", "Hello, please cancel my order 12 today"),
    ],
)
def test_a_wish_within_another_is_the_same(before: str, now: str) -> None:
    """Case, spaces and what ends a sentence do not matter."""
    assert share_wording(before, now)
    assert share_wording(now, before)
