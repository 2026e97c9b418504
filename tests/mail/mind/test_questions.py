from pathlib import Path
from typing import Any

import pytest

from data.word_lists import word_list
from tasks.core.answering.answer import answer, citable
from tasks.core.words.questions import asks, questions, wants_number
from tests.core.mind.entries import entry
from tests.mail.mind.examples import briefing

TEXTS: dict[str, list[Any]] = word_list(Path(__file__).with_name("texts_read.yaml"))


@pytest.mark.parametrize(("text", "found"), TEXTS["questions"])
def test_questions_of_a_message(text: str, found: list[str]) -> None:
    """Questions and requests with a topic are found, joined ones one by one, as written."""
    assert [question.text for question in questions(text)] == found


def test_a_question_knows_what_stands_before_it() -> None:
    """The sentences before a question come along as its context."""
    assert questions("We are ten. We have dogs. Is the price lower?")[0].context == (
        "We are ten. We have dogs."
    )


@pytest.mark.parametrize("sentence", TEXTS["asking"])
def test_opening_words_ask_without_a_mark(sentence: str) -> None:
    """A question is known by its first words in every language."""
    assert asks(sentence)


def test_some_questions_want_a_number() -> None:
    """How much, how many and how long ask for a number; what and why do not."""
    assert wants_number("Und wie lange dauert es?")
    assert not wants_number("Why is it closed?")


@pytest.mark.parametrize(("asked", "told"), TEXTS["answered"])
def test_the_fitting_sentence_or_none(asked: str, told: str | None) -> None:
    """The best answer begins with the fitting sentence; another subject gets no answer."""
    found = answer(questions(asked)[0], citable(briefing().snippets, "en"))
    assert (found.citations[0].sentence if found else None) == told


def test_a_number_in_the_question_picks_its_sentence() -> None:
    """A number that the knowledge holds tells two alike entries apart."""
    plans = "Plan 12 costs 13 euros per month. Plan 24 costs 11 euros per month."
    made = briefing(knowledge=[(entry("plans", "Plans", plans), 1.0)])
    found = answer(questions("What does plan 24 cost?")[0], citable(made.snippets, "en"))
    assert found is not None
    assert [c.sentence for c in found.citations] == ["Plan 24 costs 11 euros per month."]
