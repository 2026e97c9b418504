"""Orders that documents give to the programs that read them, and ordinary sentences like them."""

from pathlib import Path

import pytest

from data.records.core.screening import FilterLayer
from data.word_lists import word_list
from tests.core.screening.letters import screened

SENTENCES = word_list(Path(__file__).with_name("document_orders.yaml"))
FLAGGED, QUIET = 0.3, 0.1
"""What an order scores at least by rules alone, and an ordinary sentence at most."""


def by_rules(text: str) -> float:
    """Return the strongest hit of a rule that looks for orders; the classifier is left out."""
    letter = f"Good morning,\n\n{text}\n\nBest wishes\nHanna Vogt"
    found = [
        hit.score
        for hit in screened(text=letter).hits
        if hit.layer is FilterLayer.INJECTION and hit.rule != "classifier"
    ]
    return max(found, default=0.0)


@pytest.mark.parametrize("order", SENTENCES["orders"])
def test_order_to_a_reading_program_is_found(order: str) -> None:
    """An order in a document is found by the rules, in every language that they know."""
    assert by_rules(order) >= FLAGGED


@pytest.mark.parametrize("sentence", SENTENCES["ordinary"])
def test_ordinary_sentence_with_the_same_words_is_not(sentence: str) -> None:
    """What people write with the same words says nothing to the rules."""
    assert by_rules(sentence) <= QUIET
