"""Absence notes in their short form: until a day, and away, in eight languages."""

from datetime import UTC, date, datetime

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tasks.mail.automated.absence import away_until, is_short_note, says_away
from tests.mail.reading.test_automated import detect

SENT = datetime(2026, 5, 20, tzinfo=UTC)
NOTES = [
    "Tot 5 juni afwezig",
    "Afwezig t/m 5 juni",
    "bis 5. Juni abwesend",
    "Bis zum 5.6. im Urlaub",
    "abwesend bis 05.06.2026",
    "Absent jusqu'au 5 juin",
    "Jusqu’au vendredi 5 juin en congés",
    "ausente hasta el 5 de junio",
    "Hasta el 5 de junio de 2026 de vacaciones",
    "Assente fino al 5 giugno",
    "in ferie fino al 5/6",
    "nieobecny do 5 czerwca",
    "do 5.06.2026 na urlopie",
    "ausente até 5 de junho",
    "De férias até ao dia 5/6",
    "Out of office until June 5th",
    "away till 5 June",
    "on leave until 2026-06-05",
]


@pytest.mark.parametrize("note", NOTES)
def test_the_short_form_is_known_as_an_absence(note: str) -> None:
    """It bars sending from people, is an absence in answers and under its subject, and is dated."""
    assert detect(body=f"Hallo Ada,\n\n{note}.\n\nJan").bars_sending == (
        "reads like an absence note",
    )
    answer = detect("In-Reply-To: <a@y.example>\n", body=f"{note}.\n\nJan")
    assert answer.kind is AutomatedKind.OUT_OF_OFFICE
    assert detect(subject=note, body=note).kind is AutomatedKind.OUT_OF_OFFICE
    marked = detect("Auto-Submitted: auto-generated\n", subject=note)
    assert marked.kind is AutomatedKind.OUT_OF_OFFICE
    assert away_until(note, SENT) == date(2026, 6, 5)


@pytest.mark.parametrize(
    "text",
    [
        "Can you store the boat until 5 June? We are away.",
        "Die Heizung ist bis 5. Juni kaputt, im Urlaub waren wir nie.",
        "Jusqu'au 5 juin vous étiez fermés.",
        "Wir sind bis Freitag abwesend.",
        "A discount until 5 Junk away",
        "until 99",
    ],
)
def test_a_day_without_the_word_beside_it_is_none(text: str) -> None:
    """What names a day, or an absence, but not the one until the other, stays ordinary mail."""
    assert not says_away(text)
    assert not detect("In-Reply-To: <a@y.example>\n", body=text).automated


def test_who_says_more_is_a_person() -> None:
    """A question, or many other words, beside the short form: a person wrote, and waits."""
    asked = "I was away until 5 June, could you resend the invoice?"
    told = "Tot 5 juni afwezig. " + "Stuur de bestelling daarom naar de buren op nummer twaalf."
    wished = "Ik ben tot 10 september met vakantie, lever daarna."
    ordered = "Jestem nieobecny do 10 września, proszę dostarczyć później."
    for text in (asked, told, wished, ordered):
        assert says_away(text)
        assert not is_short_note(text)
        assert not detect("In-Reply-To: <a@y.example>\n", body=text).automated


def test_a_customer_who_begins_a_conversation_is_no_machine() -> None:
    """The short note alone, to nobody's question and under another subject, only bars sending."""
    found = detect(body="Tot 5 juni afwezig.")
    assert not found.automated
    assert found.bars_sending == ("reads like an absence note",)
