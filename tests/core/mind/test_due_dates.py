"""When a sentence of ours says that something is due: months, leap years, next week, or no day."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from data.lexicons.drafting import LANGUAGES
from data.word_lists import word_list
from tasks.core.claims.due_dates import due_date
from tasks.core.claims.promises import promises

SAID = word_list(Path(__file__).with_name("promises.yaml"))["due"]


@pytest.mark.parametrize(("language", "sentence", "today", "due"), SAID)
def test_the_day_that_is_meant(language: str, sentence: str, today: str, due: str | None) -> None:
    """In every drafting language; what leaves doubt, or is no day, names none."""
    found = due_date(sentence, language, date.fromisoformat(today))
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
