"""What becomes of each sentence of a letter: nothing that is not recognized is dealt with."""

import pytest

from tasks.core.words.clauses import clauses
from tasks.mail.check.checking import check
from tests.mail.mind.accounts import answering, left, looked_at
from tests.mail.mind.examples import ORGANIZATION, POLICY, SENDER, briefing


@pytest.mark.parametrize(
    "beside",
    [
        "The invoice never reached us.",
        "We take the offer.",
        "Nobody is here on Monday.",
        "You charged us twice.",
    ],
)
def test_only_a_fault_is_the_reason_for_a_repair(beside: str) -> None:
    """What stands before a question about a repair or a return belongs to it as its fault alone."""
    made = answering("A repair of a canoe takes eight days.", cite="knowledge:repair")
    given = (
        briefing()
        .snippets[0]
        .model_copy(
            update={
                "ref": "knowledge:repair",
                "title": "Repair of a canoe",
                "text": "A repair of a canoe takes eight days.",
            }
        )
    )
    known = briefing().model_copy(update={"snippets": (given,)})

    def open_in(letter: str) -> list[str]:
        return left(
            check(made, known, new_text=letter, organization=ORGANIZATION, policy=POLICY,
                  sender=SENDER)
        )  # fmt: skip

    asked = "How long does a repair of a canoe take?"
    assert open_in(f"{beside} {asked}") == [beside]
    assert open_in(f"The seat is broken. {asked}") == []


def test_a_circumstance_without_an_answer_beside_it_is_open() -> None:
    """Who only tells something may want something; nobody knows."""
    assert left(looked_at("We bought two boats from you last year."))
    assert left(looked_at("My name is Wim Tulip. I am a teacher."))


def test_every_word_of_a_letter_stands_in_its_accounts() -> None:
    """Nothing is lost between sentences and clauses, however a letter is built."""
    letter = (
        "Hi Odile, we need three things: when are you open, what does a kayak cost, and a copy "
        f"of invoice 17 (the blue one) - also {'very ' * 100}urgent.\n"
        "1) bells\n2) whistles, and ropes\n--\nBye, Wim\n\nPS cancel it"
    )
    told = " ".join(one.text for one in looked_at(letter).accounts).split()
    wanted = {word.strip(".,:()-") for word in letter.split()} - {"", "1", "2", "and", "also"}
    assert wanted - {word.strip(".,:()-") for word in told} == set()


def test_a_question_below_a_greeting_is_one_with_any_blanks_between() -> None:
    """The greeting's line is apart from it, whether or not an empty line stands between."""
    for blanks in (" ", "\n", "\n\n"):
        greeting, asking = clauses(f"Hello,{blanks}How long does a repair take?")
        assert greeting.polite
        assert asking.question is not None
