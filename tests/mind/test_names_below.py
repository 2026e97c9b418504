"""What stands below a letter: a name, or a wish that looks like one."""

import pytest

from tests.mind.test_accounting import ASKED, left, looked_at


@pytest.mark.parametrize(
    "name",
    ["Mia", "Bill", "Will", "Hope Martin", "Herr Brand", "Frau Preis", "Mme Claire", "Pilar Sol"],
)
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_a_name_below_a_letter_wants_nothing(name: str, gap: str) -> None:
    """Also where it is a word of some language, and where no line parts it from the question."""
    assert left(looked_at(f"Hello,\n\n{ASKED}{gap}{name}\n")) == []


@pytest.mark.parametrize(
    "wish", ["Refund", "Storno", "Will pay", "Bitte anrufen", "Kaputt", "Cancel"]
)
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_what_looks_like_a_name_and_wants_something_is_open(wish: str, gap: str) -> None:
    """A word or two below a letter may be all that is said of a wish."""
    assert left(looked_at(f"Hello,\n\n{ASKED}{gap}{wish}\n")) == [wish]
