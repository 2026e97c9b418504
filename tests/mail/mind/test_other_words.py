"""Questions to the knowledge in words that its sentences have not, and others nearly answered."""

from pathlib import Path
from typing import Any

import pytest

from data.records.core.briefing import Snippet, SourceKind
from data.word_lists import word_list
from tasks.mail.draft.knowledge_lookups import look_up

HOUSES: dict[str, dict[str, Any]] = word_list(Path(__file__).with_name("other_words.yaml"))
OPEN = 22
"""Of the questions with an answer those that may stay open: unknown is no."""
WEIGHED = 8


def _told(house: str, language: str, question: str) -> str:
    """Return what the entries of an organization in a language say to a question."""
    snippets = [
        Snippet(
            source=SourceKind.KNOWLEDGE,
            ref=f"knowledge:{number}",
            title=title,
            text=text,
            trusted=True,
            language=code,
        )
        for number, (code, title, text) in enumerate(HOUSES[house]["entries"])
        if code == language
    ]
    answers = look_up(question, snippets[:WEIGHED], language, further=snippets[WEIGHED:])
    return " ".join(cited.sentence for answer in answers for cited in answer.citations)


def test_what_is_asked_in_other_words_is_answered_and_never_wrongly() -> None:
    """Two thirds have an answer at least; what is told holds it."""
    answered = left = 0
    for house, listed in HOUSES.items():
        for language, question, piece in listed["asked"]:
            answer_text = _told(house, language, question)
            if piece is not None:
                answered, left = answered + bool(answer_text), left + (not answer_text)
                assert not answer_text or piece in answer_text, (question, answer_text)
    assert left <= OPEN
    assert answered > 2 * left


@pytest.mark.parametrize(
    ("house", "language", "question"),
    [
        (house, language, question)
        for house, listed in HOUSES.items()
        for language, question, piece in listed["asked"]
        if piece is None
    ],
)
def test_what_is_nearly_answered_stays_open(house: str, language: str, question: str) -> None:
    """Another thing, another person or no statement: nothing is told."""
    assert _told(house, language, question) == ""


def test_one_name_is_no_answer_in_another_language() -> None:
    """An entry that only shares the name is not told; with a second word of the question it is."""
    entry = Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="knowledge:fraud",
        title="Fraud",
        text="Suspected fraud goes to Femke Aerts on the same day.",
        trusted=True,
        language="en",
    )
    assert look_up("¿Cuándo no está Femke?", [entry], "es") == []
    assert look_up("¿Fraud Femke?", [entry], "es") != []
