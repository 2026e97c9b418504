"""What a question wants, and what is only near: prices, times, codes, compounds, other entries."""

from pathlib import Path
from typing import Any

import pytest

from data.records.core.briefing import Snippet, SourceKind
from data.word_lists import word_list
from tasks.core.answering.answer import answer
from tasks.core.words.questions import questions

HOUSES: dict[str, dict[str, Any]] = word_list(Path(__file__).with_name("answers_told.yaml"))


def tell_answer(house: str, language: str, asked: str) -> str:
    """Return what is told to a question from the entries of a language, or nothing."""
    snippets = [
        Snippet(
            source=SourceKind.KNOWLEDGE,
            ref=f"knowledge:{title}",
            title=title,
            text=text,
            trusted=True,
            language=language,
        )
        for code, title, text in HOUSES[house]["entries"]
        if code == language
    ]
    answers = [answer(question, snippets) for question in questions(asked)]
    return " ".join(cited.sentence for own in answers if own for cited in own.citations)


@pytest.mark.parametrize(
    ("house", "language", "asked", "piece", "never"),
    [
        (house, language, asked, piece, (*never, None)[0])
        for house, own in HOUSES.items()
        for language, asked, piece, *never in own["asked"]
    ],
)
def test_what_is_asked_for_is_told_and_what_is_near_stays_open(
    house: str, language: str, asked: str, piece: str | None, never: str | None
) -> None:
    """A price for a price, a code however it is written, and of another thing nothing at all."""
    sentences = tell_answer(house, language, asked)
    assert sentences == "" if piece is None else piece in sentences
    assert never is None or never not in sentences
