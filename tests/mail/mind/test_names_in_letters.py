"""Lines of names in letters: who is greeted and who signs, and what only looks like one."""

import pytest

from tasks.core.words.clauses import clauses
from tasks.core.words.sentence_signs import (
    is_courtesy_with_names,
    is_good_news,
    looks_like_names,
)


@pytest.mark.parametrize("line", ["the set is off", "we are out", "so do it", "bed wet", "van der"])
def test_small_words_alone_are_no_names(line: str) -> None:
    """A fault that is told in small words is neither taken for a name nor for courtesy."""
    assert not looks_like_names(line)
    letter = f"Dear team,\n\nThe new router arrived.\n\n{line}"
    assert not clauses(letter)[-1].polite
    assert not is_good_news(f"It works now, {line}")


@pytest.mark.parametrize("line", ["Nora", "Nora Wilde", "Jan van der Wilde", "M. de la Cruz"])
def test_names_may_have_small_words_between_them(line: str) -> None:
    """As they stand under a letter."""
    assert looks_like_names(line)


@pytest.mark.parametrize(
    "greeting",
    [
        "Hello Nora",
        "Good morning Nora",
        "Guten Tag Frau Wilde,",
        "Good afternoon Mr Wilde",
        "Buenos días Marta",
        "Dear Nora Wilde,",
    ],
)
def test_a_greeting_of_two_words_is_one(greeting: str) -> None:
    """The name behind it names nothing that is wished."""
    assert is_courtesy_with_names(greeting)


@pytest.mark.parametrize("sentence", ["Good morning the set is off", "Good Set", "Nora"])
def test_what_is_no_greeting_stays_none(sentence: str) -> None:
    """Neither is what follows one and is no name."""
    assert not is_courtesy_with_names(sentence)
