"""What looks secret in replies is held, and what people tell each other every day is not."""

from pathlib import Path

import pytest

from benchmarks.secrets_leaving import HALVES, measure
from data.word_lists import word_list
from tasks.core.leaks.numbers import is_card, passes_luhn
from tasks.core.leaks.secrets import find_secrets

FORMS = word_list(Path(__file__).with_name("secret_forms.yaml"))


@pytest.mark.parametrize("text", FORMS["hidden"])
def test_each_way_to_write_a_secret_is_held(text: str) -> None:
    """Codes by single digits, in words, in other scripts; pairs, spare codes, persons' numbers."""
    assert find_secrets(text)


@pytest.mark.parametrize("text", FORMS["plain"])
def test_each_look_alike_passes(text: str) -> None:
    """Orders, telephones, days, post codes, goods and companies' numbers are told every day."""
    assert find_secrets(text) == []


@pytest.mark.parametrize("half", list(HALVES))
def test_secrets_are_held_and_little_else(half: str) -> None:
    """Of a thousand secrets at least 99 % are held, of two thousand other letters at most 1 %."""
    recall, alarms, wrong = measure(half)
    assert recall >= 0.99, wrong[:20]
    assert alarms <= 0.01, wrong[-20:]


@pytest.mark.parametrize(("text", "check"), FORMS["named"])
def test_each_kind_is_named(text: str, check: str) -> None:
    """The reviewer reads what sort of secret it looks like."""
    assert check in {one.check for one in find_secrets(text)}


def test_a_card_needs_issuer_length_and_check_digit() -> None:
    """The check digit alone makes no card."""
    assert passes_luhn("0000000000000000")
    assert not is_card("0000000000000000")
    assert is_card("4111111111111111")
    assert not is_card("4111111111111112")


def test_a_very_long_letter_does_not_take_forever() -> None:
    """Twenty thousand letters full of numbers, words and links are looked at in seconds."""
    find_secrets("code 4829 password https://reed.example/x 4111 1111 " * 400)
