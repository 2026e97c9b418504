"""What of an owner's answer is told: all but the letter to a colleague around it."""

import pytest

from tasks.mail.context.owner_words import answer_in

TOLD = "There are 12 lockers.\n\nI shall send the plan tomorrow."


@pytest.mark.parametrize(
    "before", ["", "Hi Maud,\n\n", "Hallo,\n", "Bonjour Maud,\n", "Hola Maud:\n\n"]
)
@pytest.mark.parametrize(
    "below",
    [
        "",
        "\n\nOle",
        "\n\nKind regards\nOle Reed",
        "\nViele Grüße\nOle",
        "\nBest, Ole",
        "\n\nSaludos",
    ],
)
def test_the_letter_around_it_is_left_out(before: str, below: str) -> None:
    """Its greeting is to somebody here, and its name is not the one that signs the reply."""
    assert answer_in(f"{before}{TOLD}{below}", {"ole", "reed"}) == TOLD


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, thanks.",
        "Thanks",
        "Ole Reed",
        "Your contact is:\n\nOle Reed",
        "Mondays\n\nTuesdays",
        "Yes.",
    ],
)
def test_nothing_else_is_cut(answer: str) -> None:
    """A name may be the answer, and so may a word."""
    assert answer_in(answer, {"ole", "reed"}) == answer
