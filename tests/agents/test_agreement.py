"""Two answers agree where the model's has what the other one says."""

import pytest

from tasks.agents.agreement import agrees


@pytest.mark.parametrize(
    ("without_model", "of_model", "same"),
    [
        ("One case is urgent: Smoke, from Tom.", "Tom's case about smoke is urgent (1).", True),
        ("Two of 5 cases are urgent.", "Of the 5 cases that wait, two are urgent.", True),
        ("Two of 5 cases are urgent.", "Of the 4 cases that wait, two are urgent.", False),
        ("Nothing that waits is urgent.", "I cannot look into the queue.", False),
        ("Nothing that waits is urgent.", "", False),
    ],
)
def test_numbers_have_to_be_the_same_and_half_of_the_words(
    without_model: str, of_model: str, *, same: bool
) -> None:
    """A model may say more, in other words; it may not say another number."""
    assert agrees(without_model, of_model) is same
