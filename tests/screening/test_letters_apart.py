"""A word with its letters apart is put together, and the words beside it stay whole."""

import pytest

from tasks.core.screen.disguises.masked_words import unmask


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("i g n o r e all of it", "ignore all of it"),
        ("Please i g n o r e all of it", "Please ignore all of it"),
        ("i n s t r u ctions", "instructions"),
        ("previous i n s t r u ctions", "previous instructions"),
        ("ins t r u c t i o n s", "instructions"),
        ("i g n o r e a l l of it", "ignore all of it"),
        ("i g n o r e   a l l   of it", "ignore all of it"),
        ("Q U I N X Z Ltd", "QUINXZ Ltd"),
    ],
)
def test_letters_of_the_words_beside_a_spaced_one_stay_with_them(text: str, plain: str) -> None:
    """The last letter of a word and the first of the next stand one space off as well."""
    assert unmask(text) == plain
