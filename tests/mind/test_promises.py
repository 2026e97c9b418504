"""Promises in what is sent, and the day by which."""

from datetime import date

import pytest

from tasks.core.claims.due_dates import due_date
from tasks.core.claims.promises import promises

TODAY = date(2026, 3, 4)  # a Wednesday


def found(body: str, language: str = "en", **more: object) -> list[tuple[str, str, bool]]:
    """Return the promises of a body with their days."""
    return [
        (one.sentence, str(one.due), one.dated)
        for one in promises(body, language, TODAY, within=3, **more)  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize(
    ("sentence", "language", "due"),
    [
        ("We will send it by Friday.", "en", "2026-03-06"),
        ("We will send it on Wednesday.", "en", "2026-03-11"),
        ("It comes on 9 March, at the latest on March 11th.", "en", "2026-03-11"),
        ("You will hear from us on 2026-04-01.", "en", "2026-04-01"),
        ("We call within 24 hours.", "en", "2026-03-05"),
        ("We will reply within three working days.", "en", "2026-03-09"),
        ("We will reply in January.", "en", None),
        ("Das Paket kommt am 2.1.", "de", "2027-01-02"),
        ("Wir melden uns nächste Woche.", "de", "2026-03-13"),
        ("Nous vous enverrons le colis dans deux semaines.", "fr", "2026-03-18"),
        ("Le enviaremos la factura mañana.", "es", "2026-03-05"),
        ("Spediremo la merce entro 5 giorni.", "it", "2026-03-09"),
        ("Enviaremos a fatura até 12 de março.", "pt", "2026-03-12"),
        ("U ontvangt het pakket vandaag.", "nl", "2026-03-04"),
        ("Wyślemy fakturę do piątku.", "pl", "2026-03-06"),
        ("The room has 12 chairs and 31.13. is no day.", "en", None),
    ],
)
def test_the_day_that_a_sentence_names(sentence: str, language: str, due: str | None) -> None:
    """Days are read in every drafting language; what is no day gives none."""
    day = due_date(sentence, language, TODAY)
    assert (str(day) if day else None) == due


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
