"""The dictionary from other languages to English."""

from pathlib import Path

import pytest

from data.lexicons.bridge import CODES, columns
from data.word_lists import word_list
from tasks.core.language.english_bridge import bridge, gloss

BRIDGED: list[tuple[str, list[str]]] = word_list(Path(__file__).with_name("texts_read.yaml"))[
    "bridged"
]


@pytest.mark.parametrize(("text", "expected"), BRIDGED)
def test_known_words_come_out_in_english(text: str, expected: list[str]) -> None:
    """A sentence gives the English words for what the dictionary knows of it."""
    assert set(expected) <= set(bridge([text])[0].split())


def test_english_and_unknown_languages_stay_as_they_are() -> None:
    """Nothing is done to a text that needs no bridge, or has none."""
    texts = ["Please send the list to the man at the gate.", "Где мой заказ?", "", "?!"]
    assert bridge(texts) == texts


def test_compounds_are_known_by_their_last_part() -> None:
    """German and Dutch compounds mean what their end means; numbers mean themselves."""
    assert gloss("lieferadresse", "de") in {"address", "delivery"}
    assert gloss("kinderfiets", "nl") in {"child", "bicycle"}
    assert gloss("4711", "pl") == "4711"
    assert gloss("xyzzy", "de") is None


def test_every_line_fills_every_column() -> None:
    """Each language knows hundreds of words, and none is empty."""
    for code in CODES:
        column = columns()[code]
        assert len(column.whole) + len(column.begin) > 400
        assert "" not in column.whole
        assert "" not in column.begin
