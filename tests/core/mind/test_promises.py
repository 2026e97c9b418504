"""Promises in what is sent, and the day by which."""

from datetime import date

import pytest

from tasks.core.claims.promises import promises

TODAY = date(2026, 3, 4)  # a Wednesday


def found(body: str, language: str = "en", **more: object) -> list[tuple[str, str, bool]]:
    """Return the promises of a body with their days."""
    return [
        (one.sentence, str(one.due), one.dated)
        for one in promises(body, language, TODAY, within=3, **more)  # type: ignore[arg-type]
    ]


def test_promises_are_found_and_facts_are_not() -> None:
    """A promise with a day, one without, and neither a fact nor what cannot be promised."""
    body = (
        "Hello,\n\nThe shop is open. We will send the ring by Friday. We will look into it. "
        "We cannot promise more. We will replace worn parts.\n\nKind regards"
    )
    assert found(body, facts=["We will replace worn parts."]) == [
        ("We will send the ring by Friday.", "2026-03-06", True),
        ("We will look into it.", "2026-03-07", False),
    ]


def test_a_present_tense_binds_only_with_a_day() -> None:
    """`Wir liefern` is how we work; with a day it is a promise."""
    assert found("Wir liefern im ganzen Land.", "de") == []
    assert found("Wir liefern am Montag.", "de") == [("Wir liefern am Montag.", "2026-03-09", True)]


def test_quoted_words_promise_nothing() -> None:
    """What the sender wrote stays the sender's."""
    body = "Thank you.\n\nOn 2026-03-03, Ada wrote:\n> We will sue you by Friday.\n> Bye"
    assert found(body) == []


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("We do not have a reliable answer to this yet; we will check it.", True),
        ("We will not repair it; we cannot send a new one either.", False),
    ],
)
def test_a_denial_in_one_half_leaves_the_promise_of_the_other(sentence: str, kept: bool) -> None:
    """Each half of a sentence, before and after a semicolon, promises for itself."""
    assert bool(found(sentence)) is kept
