"""Orders and times, as people say them in four languages; what is not plain is left open."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from tasks.agents.calling import call_of
from tasks.agents.figures import figures_in
from tasks.agents.free_time import free_spans
from tasks.agents.orders import order_in
from tasks.agents.periods import period_in, split_question
from tasks.agents.spoken_time import spoken_days, spoken_time

NOW = datetime(2026, 12, 2, 10, 0, tzinfo=ZoneInfo("Europe/Amsterdam"))
TIMES = (
    ("en", "on Friday at 9 to call Ana", "2026-12-04 09:00", True, "call Ana"),
    ("en", "at 4 pm to phone", "2026-12-02 16:00", True, "phone"),
    ("en", "in 2 hours to eat", "2026-12-02 12:00", True, "eat"),
    ("en", "in 3 days to pay the 14 bills", "2026-12-05 09:00", False, "pay the 14 bills"),
    ("en", "the day after tomorrow at noon to eat", "2026-12-04 12:00", True, "eat"),
    ("en", "at 9 to call", "2026-12-03 09:00", True, "call"),
    ("en", "today to call", "2026-12-02 17:00", False, "call"),
    ("en", "on 2027-02-03 to count", "2027-02-03 09:00", False, "count"),
    ("de", "morgen um 14 Uhr an den Rückruf", "2026-12-03 14:00", True, "Rückruf"),
    ("de", "am 15. Januar an die Inventur", "2027-01-15 09:00", False, "Inventur"),
    ("de", "übermorgen daran, Tee zu kaufen", "2026-12-04 09:00", False, "Tee zu kaufen"),
    ("fr", "lundi à 10h d'appeler Hélène", "2026-12-07 10:00", True, "appeler Hélène"),
    ("fr", "demain à 9h30 de payer", "2026-12-03 09:30", True, "payer"),
    ("es", "el viernes a las 9 llamar a Ana", "2026-12-04 09:00", True, "llamar a Ana"),
    ("en", "tomorrow at 3 in the afternoon to call", "2026-12-03 15:00", True, "call"),
    ("de", "morgen um 3 Uhr nachmittags an Ana", "2026-12-03 15:00", True, "Ana"),
    ("fr", "demain à 8h du soir d'appeler", "2026-12-03 20:00", True, "appeler"),
    ("es", "el jueves a las 3 de la tarde llamar", "2026-12-03 15:00", True, "llamar"),
    ("es", "pasado mañana pagar", "2026-12-04 09:00", False, "pagar"),
    ("en", "in half an hour to eat", "2026-12-02 10:30", True, "eat"),
    ("en", "in an hour to eat", "2026-12-02 11:00", True, "eat"),
    ("en", "in two weeks to pay", "2026-12-16 09:00", False, "pay"),
    ("en", "in a month to pay", "2027-01-02 09:00", False, "pay"),
    ("de", "in einer halben Stunde an Ana", "2026-12-02 10:30", True, "Ana"),
    ("de", "in zwei Tagen an Ana", "2026-12-04 09:00", False, "Ana"),
    ("fr", "dans une heure de sortir", "2026-12-02 11:00", True, "sortir"),
    ("es", "en media hora llamar", "2026-12-02 10:30", True, "llamar"),
)
WORKING_DAYS = (
    ("en", "in three working days to call Ana", "2026-12-08 09:00"),
    ("en", "in 2 business days at 10 to call", "2026-12-07 10:00"),
    ("de", "in drei Werktagen an Ana", "2026-12-08 09:00"),
    ("fr", "dans trois jours ouvrés d'appeler", "2026-12-08 09:00"),
    ("es", "en 3 días hábiles llamar", "2026-12-08 09:00"),
)
"""From a Wednesday, with a holiday on the Thursday."""
ORDERS = (
    ("Remind me on Friday to call", "remind", "on Friday to call"),
    ("Please remind me to call, please", "remind", "to call"),
    ("Erinnere mich an Ana", "remind", "an Ana"),
    ("Rappelle-moi d'appeler", "remind", "d'appeler"),
    ("Recuérdame llamar", "remind", "llamar"),
    ("put the tea on my list", "add_task", "the tea"),
    ("Mark order batteries as done", "finish_task", "order batteries"),
    ("I've done order batteries", "finish_task", "order batteries"),
    ("Qu'a écrit Hélène Garçon ?", "cases_of", "Hélène Garçon"),
    ("Who is waiting for a follow-up?", "follow_ups", ""),
    ("whos priya nair", "contact", "priya nair"),
    ("Who's Priya Nair?", "contact", "Priya Nair"),
    ("what's on tomorrow", "list_events", "tomorrow"),
    ("whats on my list", "list_tasks", ""),
    ("what's Priya's email?", "contact_mail", "Priya"),
    ("Telefonnummer von Nordlicht?", "contact_phone", "Nordlicht"),
    ("who works at Nordlicht?", "contacts_at", "Nordlicht"),
    ("what did we promise Jonas last week?", "promised_to", "Jonas last week"),
    ("Qu'avons-nous promis à Priya ?", "promised_to", "Priya"),
    ("who's waiting the longest?", "follow_ups", ""),
    ("Yes!", "agree", ""),
    ("nein danke", "refuse", ""),
    ("Yep", "agree", ""),
    ("nope", "refuse", ""),
    ("What is on my to-do list?", "list_tasks", ""),
    ("Put off call Ana until Monday", "move_task", "call Ana until Monday"),
    ("Sag den Termin mit Ines ab", "remove_event", "mit Ines"),
    ("Déplace la réunion avec Ines à demain", "move_event", "avec Ines à demain"),
    ("Quita la llamada de mi lista", "drop_task", "la llamada"),
)
NO_ORDERS = (
    "Did he remind me of Ana?",
    "yes, but not before Friday",
    "no idea",
    "maybe",
    "The case is waiting for a follow-up, tell Ana that we remind her",
    "",
    "???",
)


@pytest.mark.parametrize(("language", "text", "at", "timed", "rest"), TIMES)
def test_a_time_is_read_with_what_is_left(
    language: str, text: str, at: str, timed: bool, rest: str
) -> None:
    """The time where the organization is, whether it has an hour, and the words without it."""
    spoken = spoken_time(text, language, NOW)
    assert spoken.at is not None
    read = (f"{spoken.at:%Y-%m-%d %H:%M}", spoken.timed, spoken.past, spoken.rest)
    assert read == (at, timed, False, rest)


@pytest.mark.parametrize("text", ["call Ana", "order 14 batteries", "may I?", ""])
def test_words_without_a_time_have_none(text: str) -> None:
    """Nothing is guessed."""
    assert spoken_time(text, "en", NOW).at is None


@pytest.mark.parametrize(
    ("language", "text"), [("en", "yesterday to call"), ("de", "gestern an Ana"), ("es", "ayer")]
)
def test_a_time_that_is_over_is_over(language: str, text: str) -> None:
    """So that nothing is noted for it."""
    assert spoken_time(text, language, NOW).past


@pytest.mark.parametrize(("language", "text", "at"), WORKING_DAYS)
def test_working_days_are_those_on_which_people_work(language: str, text: str, at: str) -> None:
    """Saturday, Sunday and the organization's holidays do not count."""
    spoken = spoken_time(text, language, NOW, (date(2026, 12, 3),))
    assert spoken.at is not None
    assert f"{spoken.at:%Y-%m-%d %H:%M}" == at


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "tmrw 9am to call Ana"),
        ("en", "on 31 February to pay"),
        ("en", "at 25:00 to sleep"),
        ("en", "every Monday to count"),
        ("en", "meeting with Ida on 9 December from 2 to 4 pm"),
        ("en", "in a few days to eat"),
        ("en", "on 31 February at 9 to pay"),
        ("en", "next month"),
        ("de", "am Montag um halb neun an die Runde"),
        ("de", "heute Abend ans Gießen"),
        ("fr", "demain matin d'appeler"),
        ("fr", "dans quelques jours de sortir"),
        ("es", "mañana por la mañana llamar"),
        ("es", "a las 12 de la noche cenar"),
    ],
)
def test_a_time_that_is_not_understood_is_named_so(language: str, text: str) -> None:
    """Else a part of it would be taken for the whole, and something noted for another day."""
    assert spoken_time(text, language, NOW).unread


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "on Friday to check every box"),
        ("en", "on 2027-02-03 to send a few mugs"),
        ("de", "morgen an die Übergabe in zwei Lagern"),
        ("fr", "lundi d'appeler tous les clients"),
        ("es", "mañana llamar a todos los clientes"),
    ],
)
def test_words_that_only_look_like_a_time_hinder_none(language: str, text: str) -> None:
    """What is to be done may hold them."""
    spoken = spoken_time(text, language, NOW)
    assert (spoken.unread, spoken.at is None) == (False, False)


@pytest.mark.parametrize(("text", "kind", "rest"), ORDERS)
def test_plain_orders_are_recognized(text: str, kind: str, rest: str) -> None:
    """With what was filled in, as written."""
    order = order_in(text)
    assert order is not None
    assert (order.kind, order.rest) == (kind, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Ich muss nicht zum Zahnarzt morgen",
        "Ich muss morgen nicht zum Zahnarzt",
        "I should not call Femke tomorrow",
    ],
)
def test_what_somebody_does_not_have_to_do_is_not_proposed(text: str) -> None:
    """Though it names a time."""
    order = order_in(text)
    assert order is not None
    assert call_of(order, text) is None


@pytest.mark.parametrize("text", NO_ORDERS)
def test_what_only_looks_like_an_order_is_none(text: str) -> None:
    """A yes with a condition is no yes."""
    assert order_in(text) is None


def test_days_that_are_asked_for() -> None:
    """One day, this week from today on, and the next."""
    spans = [
        spoken_days(text, "en", NOW.date()) for text in ("8 December", "this week", "next week")
    ]
    assert [span and (span.first.day, span.last.day) for span in spans] == [(8, 8), (2, 6), (7, 13)]
    assert spoken_days("soon", "en", NOW.date()) is None


def test_free_time_is_what_the_calendar_leaves() -> None:
    """Overlapping events, one that begins before the day, a weekend, and hours that are over."""

    def at(day: int, hour: int, minute: int = 0) -> datetime:
        return datetime(2026, 12, day, hour, minute, tzinfo=NOW.tzinfo)

    busy = [(at(2, 12), at(2, 14)), (at(2, 13), at(2, 15)), (at(3, 1), at(4, 10))]
    free = free_spans(NOW.date(), at(6, 0).date(), busy, NOW)
    assert free == [(at(2, 10), at(2, 12)), (at(2, 15), at(2, 17)), (at(4, 10), at(4, 17))]
    off = {at(4, 0).date()}
    assert free_spans(NOW.date(), at(6, 0).date(), busy, NOW, days_off=off) == free[:2]


def test_a_question_for_figures_says_nothing_else() -> None:
    """What is left over is a condition that would be forgotten."""
    by_category = figures_in("cases by category do we have", "en")
    assert by_category is not None
    assert (by_category.subject, by_category.by, by_category.unread) == ("cases", "category", "")
    by_day = figures_in("Mails pro Tag", "de")
    assert by_day is not None
    assert (by_day.subject, by_day.by, by_day.unread) == ("mails", "day", "")
    elsewhere = figures_in("complaints from Berlin this month", "en")
    assert elsewhere is not None
    assert (elsewhere.where, elsewhere.when) == ({"category": "complaint"}, "this month")
    assert elsewhere.unread == "from berlin"
    assert figures_in("mails and cases", "en") is None


@pytest.mark.parametrize(
    ("text", "language", "where", "when"),
    [
        ("complaints last week", "en", {"category": "complaint"}, "last week"),
        ("urgent cases", "en", {"priority": "urgent"}, ""),
        ("Fälle auf Deutsch", "de", {"language": "de"}, ""),
        ("cas de facturation cette semaine", "fr", {"category": "billing"}, "cette semaine"),
        ("quejas este mes", "es", {"category": "complaint"}, "este mes"),
    ],
)
def test_figures_may_have_a_condition(
    text: str, language: str, where: dict[str, str], when: str
) -> None:
    """What has to hold, and of which days."""
    figures = figures_in(text, language)
    assert figures is not None
    assert (figures.subject, figures.where, figures.when) == ("cases", where, when)
    assert figures.unread == ""


@pytest.mark.parametrize(
    ("text", "language", "first", "last"),
    [
        ("today", "en", "2026-12-02", "2026-12-02"),
        ("yesterday", "en", "2026-12-01", "2026-12-01"),
        ("in the last 7 days", "en", "2026-11-26", "2026-12-02"),
        ("letzte Woche", "de", "2026-11-23", "2026-11-29"),
        ("le mois dernier", "fr", "2026-11-01", "2026-11-30"),
        ("el año pasado", "es", "2025-01-01", "2025-12-31"),
    ],
)
def test_spans_of_days_are_read(text: str, language: str, first: str, last: str) -> None:
    """Both days included."""
    period = period_in(text, language, NOW.date())
    assert period is not None
    assert (period.first.isoformat(), period.last.isoformat()) == (first, last)


def test_no_span_is_read_where_there_is_none() -> None:
    """Nor one that is longer than anybody counts."""
    assert period_in("soon", "en", NOW.date()) is None
    assert period_in("in the last 99999 days", "en", NOW.date()) is None
    assert split_question("Ana Lind last week", "en") == (("ana", "lind"), "last week")
