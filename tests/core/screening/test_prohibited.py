"""Content that a policy does not take: built-in categories, own ones, thresholds."""

import pytest

from data.lexicons.screen import read
from data.records.core.organization import Policy
from data.records.core.screening import Verdict
from tests.core.screening.letters import rules_hit, screened
from tests.counting import calls_of

ALL = Policy(prohibited=tuple(read("prohibited")))


def test_an_organization_has_categories_of_its_own() -> None:
    """One word of an own category suffices, written with or without accents, and names it."""
    own = Policy(prohibited=("raffles",), prohibited_terms={"raffles": ("Tombola", "grand tirage")})
    for text in ("Our TOMBOLA is on!", "Le grand  tirage", "tómbola"):
        assert "prohibited_content" in rules_hit(screened(text, policy=own)), text
    assert "prohibited_content" not in rules_hit(screened("Tombolas are round.", policy=own))
    (hit,) = screened("Tombola", policy=own).hits
    assert hit.excerpt == "raffles: Tombola"


@pytest.mark.parametrize("unit", ["casino ", "казино", "赌", "a ", "ransom-"])
def test_a_megabyte_costs_every_category_twice_what_half_of_it_does(unit: str) -> None:
    """All categories together read a megabyte of their own words within the screen's time."""

    def calls(size: int) -> int:
        text = (unit * size)[:size]
        return calls_of(lambda: errors.extend(screened(text, policy=ALL).errors))

    errors: list[str] = []
    screened(unit, policy=ALL)  # what is made once
    assert calls(1 << 20) < 2.2 * calls(1 << 19) + 50_000
    assert errors == []


def test_thresholds_are_the_organizations_own() -> None:
    """The same message is clean, flagged or stopped as the policy's thresholds say."""
    doubtful = "Verify your account within 24 hours or it will be suspended."
    score = screened(doubtful).score
    strict = Policy(flag_threshold=0.1, quarantine_threshold=score - 0.01)
    usual = Policy(flag_threshold=score - 0.01, quarantine_threshold=score + 0.01)
    lenient = Policy(flag_threshold=score + 0.01, quarantine_threshold=0.99)
    assert screened(doubtful, policy=strict).verdict is Verdict.QUARANTINE
    assert screened(doubtful, policy=usual).verdict is Verdict.FLAGGED
    assert screened(doubtful, policy=lenient).verdict is Verdict.CLEAN
