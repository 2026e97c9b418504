"""What to do in a case: told to who says that it has happened, and to nobody else."""

from pathlib import Path
from typing import Any

import pytest

from data.lexicons.drafting import LANGUAGES
from data.records.core.briefing import Snippet, SourceKind
from data.word_lists import word_list
from tasks.core.answering.answer import answer
from tasks.core.answering.situations import condition_of, settles, situations
from tasks.core.words.questions import AskedQuestion, questions


def snippet(title: str, text: str, language: str = "en") -> Snippet:
    """Return an entry of the knowledge."""
    return Snippet(
        source=SourceKind.KNOWLEDGE,
        ref=f"knowledge:{title}",
        title=title,
        text=text,
        trusted=True,
        language=language,
    )


FILE: dict[str, Any] = word_list(Path(__file__).with_name("situations.yaml"))
KNOWN = [snippet(title, text) for title, text in FILE["entries"]]
OPENINGS: dict[str, str] = FILE["openings"]


def told(letter: str) -> list[str]:
    """Return the sentences that help in the situation of a letter's writer."""
    return [one.sentence for one in situations(letter, KNOWN, "en")]


@pytest.mark.parametrize(("letter", "piece"), FILE["letters"])
def test_who_says_the_condition_is_told_what_follows(letter: str, piece: str | None) -> None:
    """Without a question, too; neither a shared word nor the condition's opposite is enough."""
    if piece is None:
        assert told(letter) == []
    else:
        (sentence,) = told(letter)
        assert piece in sentence


def test_an_answer_has_no_case_beside_it_that_is_not_the_writers() -> None:
    """The price is told to who asks for it, and not what a lost paddle costs."""
    found = answer(AskedQuestion(text="What does a boat cost for an hour?"), KNOWN)
    assert found is not None
    assert [one.sentence for one in found.citations] == ["A boat costs 20 dollars an hour."]


def test_entries_that_say_as_much_tell_nothing() -> None:
    """Nobody knows which of two is meant."""
    other = snippet("Canoes", "If a boat has a leak, leave it where it is.")
    assert situations("Our boat has a leak.", [*KNOWN, other], "en") == []


def test_a_question_about_it_is_settled_and_others_stay_open() -> None:
    """What to do is answered by it; what the letter asks besides is not."""
    letter = "Our boat has a leak. Shall we row to the bank? Do you refund the hour?"
    helped = situations(letter, KNOWN, "en")
    row, refund = questions(letter)
    assert settles(row, helped, "en")
    assert not settles(refund, helped, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_opens_conditions(language: str) -> None:
    """The clause before the comma is the condition; a plain sentence has none."""
    found = condition_of(OPENINGS[language], language)
    assert found is not None
    assert not found.denied
    assert OPENINGS[language].endswith(found.then)
    assert condition_of(found.then, language) is None


def test_spans_of_time_and_numbers_are_no_part_of_it() -> None:
    """Nobody writes *after eight working days*."""
    found = condition_of("If a parcel has not come within 8 working days, tell us.", "en")
    assert found is not None
    assert [one.word for one in found.terms] == ["parcel"]
    assert found.denied
