"""Marks of a text: shared concepts and how it is written."""

import pytest

from data.concepts import (
    ASKS,
    CAPITAL,
    GREETED,
    LOUD,
    MONEY,
    NUMBERED,
    SHOUTED,
    concepts_named_in,
    marks,
    signs,
)


@pytest.mark.parametrize(
    "text",
    [
        "Please refund me",
        "Bitte um Erstattung",
        "remboursement",
        "un reembolso",
        "il rimborso",
        "terugbetaling",
        "zwrot",
    ],
)
def test_languages_share_a_concept(text: str) -> None:
    """A refund is the same concept in every language."""
    assert "refund" in concepts_named_in(text)


def test_phrases_are_concepts() -> None:
    """Words that mean something only together are found together."""
    assert "login" in concepts_named_in("I cannot log in")
    assert "login" not in concepts_named_in("the log of the ship")


def test_signs_of_writing() -> None:
    """Greeting, question, shouting, money and reference numbers are noticed."""
    assert GREETED in signs("Hello, who is there", 0)
    assert {ASKS, MONEY, NUMBERED} <= set(signs("Why 40 € for order 12345?", 0))
    assert {LOUD, SHOUTED} <= set(signs("WHAT IS THIS!!", 0))
    assert CAPITAL in signs("please send it to ACME in the usual way, thank you all", 0)
    assert signs("a plain word", 0) == []


def test_marks_are_distinct_and_ordered() -> None:
    """Marks of any text are a sorted set of numbers."""
    found = marks("refund, refund! I paid twice and want my money back", 0)
    assert found == sorted(set(found))
    assert marks("", 0) == []
