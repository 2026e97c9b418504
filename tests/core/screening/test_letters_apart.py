"""A word with its letters apart is put together, and the words beside it stay whole."""

from pathlib import Path

import pytest

from data.word_lists import word_list
from tasks.core.screen.disguises.masked_words import MASKED, unmask
from tasks.core.screen.words.pattern_gate import GATE

TEXTS: dict[str, list[list[str | None]]] = word_list(
    Path(__file__).with_name("texts_unmasked.yaml")
)


@pytest.mark.parametrize(("text", "plain"), TEXTS["letters apart"])
def test_letters_of_the_words_beside_a_spaced_one_stay_with_them(text: str, plain: str) -> None:
    """The last letter of a word and the first of the next stand one space off as well."""
    assert unmask(text) == plain


@pytest.mark.parametrize(("text", "plain"), TEXTS["masked words"])
def test_disguises_are_where_their_sign_is(text: str, plain: str | None) -> None:
    """A text has the sign whenever something in it can be undone; addresses alone have none."""
    assert unmask(text) == plain
    assert plain is None or GATE.signs(text) & MASKED
