"""Orders with letters too few, too many or wrong, and with spaces shifted by a letter."""

import random
from collections.abc import Callable

import pytest

from data.records.core.screening import Verdict
from tasks.core.screen.disguises.misspelt import respelled
from tasks.core.screen.words.near_words import NearWords, squeeze_words
from tasks.core.screen.words.spotting import spot
from tests.core.screening import sentences
from tests.core.screening.letters import classified

ORDERS = sentences.ORDERS["misspelt"]
LETTER = "Dear colleagues,\n\nthe minutes of Tuesday are attached.\n\n{}\n\nPetra Alder"


def lacking(word: str, dice: random.Random) -> str:
    """Return a word without one of its inner letters."""
    at = dice.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1 :]


def wrong(word: str, dice: random.Random) -> str:
    """Return a word with another letter in place of an inner one."""
    at = dice.randrange(1, len(word) - 1)
    return f"{word[:at]}{'x' if word[at] != 'x' else 'w'}{word[at + 1 :]}"


def doubled(word: str, dice: random.Random) -> str:
    """Return a word with two letters doubled."""
    for _ in range(2):
        at = dice.randrange(1, len(word) - 1)
        word = word[:at] + word[at] + word[at:]
    return word


_AS_LETTERS = str.maketrans("0123456789", "bcdfghjklm")
SLIPS = (lacking, wrong, doubled)


def slipped(text: str, slip: Callable[[str, random.Random], str], seed: int) -> str:
    """Return a text with a slip in each word of six letters or more."""
    dice = random.Random(seed)
    return " ".join(
        slip(word, dice) if len(word) > 5 and word.isalpha() else word for word in text.split()
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("seed", range(2))
def test_misspelt_orders_do_not_pass(
    order: str, slip: Callable[[str, random.Random], str], seed: int
) -> None:
    """Alone and in a letter, an order is not clean for its slips."""
    shown = slipped(order, slip, seed)
    for text in (shown, LETTER.format(shown)):
        assert classified(text).verdict is not Verdict.CLEAN, text


def test_one_slip_and_slips_far_apart_are_left_alone() -> None:
    """Two words of orders that stand near each other are looked for."""
    assert respelled("the instrctions", spot("the instrctions").words) is None
    apart = f"the instrctions {'and so on ' * 20}of last year's pasword"
    assert respelled(apart, spot(apart).words) is None
    near = "the instrctions\nfor the\npasword (secrit)"
    found = respelled(near, spot(near).words)
    assert found is not None
    assert found.split("\n")[0] == "the instructions"


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("instruction", "instruction"),
        ("instrction", "instruction"),
        ("instruxction", "instruction"),
        ("instruxtion", "instruction"),
        ("instrcution", "instruction"),
        ("sinstructio", "instruction"),
        ("nstructions", "instruction"),
        ("instrtn", ""),
        ("construction", ""),
        ("in", ""),
        ("", ""),
    ],
)
def test_near_words(word: str, given: str) -> None:
    """A letter too few, too many or wrong, neighbours exchanged, and moved from end to end."""
    near = NearWords(["instruction", "secret", "pass"], 6)
    assert near.find(word) == given


def test_what_was_met_is_forgotten_and_found_again() -> None:
    """However many words come by, those of an order are found."""
    text = "the instrctions for the pasword"
    for begin in range(0, 120_000, 10_000):
        numbers = (f"{number:06}" for number in range(begin, begin + 9_990))
        many = [number.translate(_AS_LETTERS) for number in numbers]
        assert respelled(text, [*many, *text.split()]) == "the instructions for the password"


def test_doubled_letters_are_taken_once() -> None:
    """However many there are, and in every alphabet."""
    assert squeeze_words(["passsword", "ааб", "", "ab"]) == ["pasword", "аб", "", "ab"]
    assert squeeze_words([]) == []
