"""What an answer states is held against what it names: sixty answers, fifteen of each standing."""

import pytest

from tasks.agents.claim_check import check_claims

SOURCES = {
    1: "Repairs\nA repair of a table loom takes 12 working days and costs 85 euros.",
    2: "Opening hours\nThe workshop is open from 9:00 to 17:30. Ask for Marta Quillfeather.",
    3: "Returns\nGoods come back within 30 days; the deposit is 20 percent.",
}
BESIDE = ("Ida asks: do 7 looms fit? 4 cases wait.",)
STATED = (
    ("A repair takes 12 working days", 1, "12 working days"),
    ("It costs 85 euros", 1, "85 euros"),
    ("Count on 12 working days for a loom", 1, "12 working days"),
    ("The price is €85", 1, "€85"),
    ("The workshop opens at 9:00", 2, "9:00"),
    ("It closes at 17:30", 2, "17:30"),
    ("Ask for Marta Quillfeather", 2, "Marta Quillfeather"),
    ("Come before 17:30", 2, "17:30"),
    ("You can speak to Marta Quillfeather", 2, "Marta Quillfeather"),
    ("Send it back within 30 days", 3, "30 days"),
    ("The deposit is 20 percent", 3, "20 percent"),
    ("They pay 20 % first", 3, "20 %"),
    ("Within 30 days it comes back", 3, "30 days"),
    ("Leave 20 percent", 3, "20 percent"),
    ("There are 30 days for that", 3, "30 days"),
)
"""A sentence, the source that holds it, and what it states."""
FALSE = ("13 working days", "95 euros", "11 working days", "€58", "8:00", "18:30", "Marta Vole",
         "18:15", "Martin Feather", "40 days", "25 percent", "35 %", "31 days", "2 percent",
         "60 days")  # fmt: skip
"""Another of the kind that no source holds, for each of these."""


def _standings(text: str) -> dict[str, str]:
    return {claim.excerpt: claim.standing for claim in check_claims(text, SOURCES, BESIDE)}


@pytest.mark.parametrize("place", range(len(STATED)))
def test_each_thing_stands_somewhere_or_nowhere(place: int) -> None:
    """In what it names, in something else, in several that are put together, or in nothing."""
    sentence, number, words = STATED[place]
    another = number % 3 + 1
    beside, _, joined = next(one for one in STATED if one[1] == another)[0:3]
    assert set(_standings(f"{sentence} [{number}].").values()) == {"supported"}
    assert set(_standings(f"{sentence}. [{number}] Fine.").values()) == {"supported"}
    assert set(_standings(f"{sentence} [{another}].").values()) == {"misattributed"}
    lowered = beside[0].lower() + beside[1:]
    both = _standings(f"{sentence}, and {lowered} [{number}][{another}].")
    assert set(both.values()) == {"stitched"}, joined
    wrong = _standings(f"{sentence.replace(words, FALSE[place])} [{number}].")
    assert "none" in wrong.values()


def test_what_was_asked_or_counted_needs_no_number() -> None:
    """Nor does what a list is numbered with; a figure that nobody told is none even then."""
    assert set(_standings("1. You have 7 looms.\n2. There are 4 cases.").values()) == {"supported"}
    assert _standings("There are 9 cases.") == {"9": "none"}
    assert _standings("I am glad to help.") == {}
