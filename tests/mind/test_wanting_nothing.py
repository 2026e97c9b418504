"""What wants nothing, and what only looks like it: names below a letter, and good news."""

import pytest

from tasks.core.words.sentence_signs import is_good_news
from tests.mind.accounts import ASKED, left, looked_at


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


@pytest.mark.parametrize(
    ("said", "well"),
    [
        ("alles hat geklappt", True),
        ("All went well", True),
        ("tout s'est bien passé", True),
        ("todo salió bien", True),
        ("es hat nicht geklappt", False),
        ("everything worked until Monday", False),
        ("tout a fonctionné jusqu'à lundi", False),
        ("alles hat geklappt außer dem Deckel", False),
        ("it works now only at night", False),
    ],
)
def test_news_that_all_is_well_have_no_exception(said: str, well: bool) -> None:
    """Whoever thanks and says so wants nothing; what holds only in part is no good news."""
    assert is_good_news(said) is well
