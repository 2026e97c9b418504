"""Answers without shared words, and none where none is known."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.answers import judge_answer, read
from data.records.core.briefing import Snippet, SourceKind
from data.word_lists import word_list
from tasks.core.answering.answer import answer, citable, covers, suggested
from tasks.core.language.alike_table import WordTable
from tasks.core.language.comparable_words import topics
from tasks.core.words.questions import AskedQuestion


def snippet(name: str, title: str, text: str, language: str = "en") -> Snippet:
    """Return a piece of knowledge that may be told."""
    return Snippet(
        source=SourceKind.KNOWLEDGE,
        ref=f"knowledge:{name}",
        title=title,
        text=text,
        trusted=True,
        language=language,
    )


HOUSE: dict[str, Any] = word_list(Path(__file__).with_name("answers_told.yaml"))["library"]
LIBRARY = tuple(
    snippet(name, title, text)
    for name, (_, title, text) in zip(
        ("hours", "loan", "fine", "room"), HOUSE["entries"], strict=True
    )
)


def told(text: str) -> str:
    """Return what the library tells to a question; empty when it stays open."""
    found = answer(AskedQuestion(text=text), LIBRARY)
    return " ".join(citation.sentence for citation in found.citations) if found else ""


@pytest.mark.parametrize(("asked", "piece"), [(asked, piece) for _, asked, piece in HOUSE["asked"]])
def test_the_right_sentence_or_none(asked: str, piece: str | None) -> None:
    """Other words and typing errors find the sentence; what is only near finds nothing."""
    assert told(asked) == "" if piece is None else piece in told(asked)


def test_almost_nothing_wrong_is_told() -> None:
    """Of the questions of the benchmark at most one in fifty is answered wrongly, half rightly."""
    ends = [
        (piece, judge_answer(answer(AskedQuestion(text=text), citable(known, language)), piece))
        for _, text, piece, language, known in read()
    ]
    answerable = [end for piece, end in ends if piece is not None]
    assert sum(end == "wrong" for _, end in ends) <= len(ends) / 50
    assert sum(end == "right" for end in answerable) >= len(answerable) / 2


def test_a_question_of_two_parts_is_answered_by_two_entries() -> None:
    """An entry that says what the best one leaves out is told as well, each with its source."""
    known = (
        snippet("price", "Boat hire", "A boat costs 30 euros per hour."),
        snippet("deposit", "Deposit", "The deposit is 100 euros."),
        snippet("place", "Where we are", "The landing stage is behind the mill."),
    )
    found = answer(AskedQuestion(text="What does a boat cost with the deposit?"), known)
    assert found is not None
    assert {citation.ref for citation in found.citations} == {
        "knowledge:price",
        "knowledge:deposit",
    }


def test_equal_entries_do_not_stand_in_each_others_way() -> None:
    """A fact that is known twice is answered, once."""
    twice = (*LIBRARY, snippet("again", "Opening hours", "The library is open from 9:00 to 18:00."))
    assert answer(AskedQuestion(text="When is the library open?"), twice) is not None


def test_another_language_is_suggested_and_not_told() -> None:
    """Knowledge in another language is no answer, but is offered to a person with its language."""
    asked = AskedQuestion(text="Wann ist die Bibliothek geöffnet?")
    assert answer(asked, citable(LIBRARY, "de")) is None
    found = suggested(asked, LIBRARY, "de")
    assert found is not None
    assert (found.ref, found.language) == ("knowledge:hours", "en")
    assert suggested(AskedQuestion(text="Verkaufen Sie Kaffee?"), LIBRARY, "de") is None


def test_the_check_measures_by_the_same_rule() -> None:
    """What the drafter tells covers its question; another sentence of the same house does not."""
    asked = AskedQuestion(text="How long can books be borrowed?")
    assert covers(asked, ["Books can be borrowed for four weeks."], LIBRARY) > 0.7
    assert covers(asked, ["The library is open from 9:00 to 18:00."], LIBRARY) < 0.7


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("deposit", "deposit", 1, 1),
        ("bike", "bicycle", 0.5, 1),
        ("deposti", "deposit", 0.8, 1),
        ("purchase", "buy", 0.8, 1),
        ("12", "13", 0, 0),
        ("tent", "kayak", 0, 0.2),
    ],
)
def test_how_alike_words_are(one: str, other: str, least: float, most: float) -> None:
    """The same, a synonym and a misspelled word are alike; numbers and other things are not."""
    (first,), (second,) = topics(one, "en"), topics(other, "en")
    table = WordTable()
    there = table.compare([first], table.numbers([second]))[0, 0]
    back = table.compare([second], table.numbers([first]))[0, 0]
    assert least <= there <= most
    assert there == pytest.approx(back)
