"""When a sentence of ours says that something is due: months, leap years, next week, or no day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from data.lexicons.drafting import LANGUAGES
from tasks.core.claims.due_dates import due_date
from tasks.core.claims.promises import promises

WEDNESDAY = "2026-03-04"
SAID = [
    ("en", "We will send it by 29 February.", "2027-12-01", "2028-02-29"),
    ("en", "We will send it by 29 February.", "2026-02-10", None),
    ("de", "We will send it by 29.2.", "2027-03-01", "2028-02-29"),
    ("en", "We will send it on Monday next week.", "", "2026-03-09"),
    ("en", "We will call you next Monday.", "", "2026-03-09"),
    ("de", "Wir rufen Sie nächste Woche Montag an.", "", "2026-03-09"),
    ("de", "Wir rufen Sie am Dienstag nächster Woche an.", "", "2026-03-10"),
    ("en", "We will send it in two months.", "2026-01-31", "2026-03-31"),
    ("en", "We will send it in one month.", "2026-01-31", "2026-02-28"),
    ("en", "We will send it in a week.", "", "2026-03-11"),
    ("en", "We will send it within a day.", "", "2026-03-05"),
    ("en", "We will be back in a month.", "", "2026-04-04"),
    ("de", "Wir melden uns in einer Woche.", "", "2026-03-11"),
    ("de", "Wir melden uns in einem Monat.", "", "2026-04-04"),
    ("fr", "Nous vous enverrons la clé dans une semaine.", "", "2026-03-11"),
    ("es", "Le enviaremos la llave en una semana.", "", "2026-03-11"),
    ("it", "Le invieremo la chiave entro una settimana.", "", "2026-03-11"),
    ("pt", "Enviaremos a chave dentro de uma semana.", "", "2026-03-11"),
    ("nl", "Wij zullen u binnen een week bellen.", "", "2026-03-11"),
    ("pl", "Zadzwonimy za tydzień.", "", "2026-03-11"),
    ("en", "We will send it by the 15th.", "", "2026-03-15"),
    ("en", "We will send it by the 2nd.", "", "2026-04-02"),
    ("de", "Wir senden es bis zum 15.", "", "2026-03-15"),
    ("en", "We will send it by 3/4.", "", "2026-04-03"),
    ("en", "We will send it on Wednesday, 11 March.", "", "2026-03-11"),
    ("en", "We will send it by Friday the 13th.", "", "2026-03-13"),
    ("en", "We will send it this afternoon.", "", "2026-03-04"),
    ("es", "Le llamaremos el viernes por la mañana.", "", "2026-03-06"),
    ("es", "Le llamaremos hoy por la mañana.", "", "2026-03-04"),
    ("de", "Wir rufen Sie heute Morgen an.", "", "2026-03-04"),
    ("en", "We will send it at the end of March.", "", "2026-03-31"),
    ("en", "We will send it by 31 December.", "2026-12-31", "2026-12-31"),
    ("en", "We will send it by 1 January.", "2026-12-31", "2027-01-01"),
    ("en", "We will send it within 2 business days.", "2026-03-06", "2026-03-10"),
    ("en", "We will send it by 2026-02-29.", "", None),
    ("en", "We will reply by 12.03.26.", "", "2026-03-12"),
    ("pt", "Ligamos-lhe na sexta-feira.", "", "2026-03-06"),
    ("pt", "Ligamos-lhe na sexta.", "", "2026-03-06"),
    ("it", "Le richiameremo sabato.", "", "2026-03-07"),
    ("pl", "Zadzwonimy w środę.", "", "2026-03-11"),
    ("de", "Wir liefern am 1. April.", "", "2026-04-01"),
    ("fr", "Nous livrons le 1er avril.", "", "2026-04-01"),
    ("nl", "Wij leveren op 1 april.", "", "2026-04-01"),
    ("pl", "Dostarczymy 1 kwietnia.", "", "2026-04-01"),
    ("it", "Consegneremo il 1° aprile.", "", "2026-04-01"),
    ("en", "We will send it before Easter.", "", None),
    ("en", "We will send it within 1 week.", "", "2026-03-11"),
    ("en", "We will send it by the end of next week.", "", "2026-03-13"),
    ("en", "We will send it next month.", "", "2026-04-30"),
]


@pytest.mark.parametrize(("language", "sentence", "today", "due"), SAID)
def test_the_day_that_is_meant(language: str, sentence: str, today: str, due: str | None) -> None:
    """Without a day beside it, it is a Wednesday; what leaves doubt names no day."""
    found = due_date(sentence, language, date.fromisoformat(today or WEDNESDAY))
    assert (str(found) if found else None) == due


WORDS = ["29", "31", "February", "Friday", "next week", "one", "month", "the 30th.", "30.2.", "400"]


@given(
    some.sampled_from(LANGUAGES),
    some.lists(some.sampled_from(WORDS), max_size=6),
    some.dates(date(1999, 1, 1), date(2101, 1, 1)),
)
def test_no_sentence_breaks_the_ledger(language: str, said: list[str], today: date) -> None:
    """Whatever is said on whatever day, a promise is due on a day that is not long past or far."""
    for one in promises(f"We will send it {' '.join(said)}", language, today, within=3):
        assert today <= one.due <= today + timedelta(days=366 * 40)


def test_a_holiday_is_no_working_day() -> None:
    """*Within 2 business days* on a Friday leaves the weekend out, and a holiday on Monday."""
    friday = date(2026, 3, 6)
    told = "We will send it within 2 business days."
    assert due_date(told, "en", friday) == date(2026, 3, 10)
    assert due_date(told, "en", friday, {date(2026, 3, 9)}) == date(2026, 3, 11)
    (promise,) = promises(told, "en", friday, within=3, days_off={date(2026, 3, 9)})
    assert promise.due == date(2026, 3, 11)
