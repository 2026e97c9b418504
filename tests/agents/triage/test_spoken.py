"""Orders and times, as people say them in four languages; what is not plain is left open."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from tasks.agents.calling import find_call
from tasks.agents.figures import find_figures
from tasks.agents.hour_bounds import find_hour_bounds
from tasks.agents.orders import find_order
from tasks.agents.spoken_time import find_spoken_days, read_spoken_time
from tasks.core.calendar.free_time import WORKING_WEEK, free_spans
from tasks.core.calendar.periods import period_in, split_question
from tasks.core.calendar.week_words import week_words

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
CLOCKS = (
    ("en", "tomorrow at half past 8 to call", "2026-12-03 08:30", "call"),
    ("en", "on Friday at quarter to nine to call", "2026-12-04 08:45", "call"),
    ("en", "on Friday at ten past eleven to call", "2026-12-04 11:10", "call"),
    ("en", "on Friday at nine to call", "2026-12-04 09:00", "call"),
    ("en", "on Friday at half past 3 in the afternoon to call", "2026-12-04 15:30", "call"),
    ("en", "tomorrow morning at 8 to call", "2026-12-03 08:00", "call"),
    ("en", "tomorrow evening at 8 to call", "2026-12-03 20:00", "call"),
    ("de", "am Freitag um halb neun an Ana", "2026-12-04 08:30", "Ana"),
    ("de", "morgen um Viertel nach elf an Ana", "2026-12-03 11:15", "Ana"),
    ("de", "morgen um dreiviertel neun an Ana", "2026-12-03 08:45", "Ana"),
    ("de", "morgen Abend um halb acht an Ana", "2026-12-03 19:30", "Ana"),
    ("fr", "lundi à 8 heures et demie d'appeler", "2026-12-07 08:30", "appeler"),
    ("fr", "lundi à neuf heures moins le quart d'appeler", "2026-12-07 08:45", "appeler"),
    ("es", "el lunes a las ocho y media llamar", "2026-12-07 08:30", "llamar"),
    ("es", "el lunes a las nueve menos cuarto llamar", "2026-12-07 08:45", "llamar"),
    ("es", "el lunes a las tres y cuarto de la tarde llamar", "2026-12-07 15:15", "llamar"),
)
"""Clock times in words, and parts of a day that say which half is meant."""
ASSUMED = (
    ("en", "tomorrow morning to call", "2026-12-03 08:00", "call"),
    ("en", "on Friday afternoon to call", "2026-12-04 14:00", "call"),
    ("en", "this evening to call", "2026-12-02 16:00", "call"),
    ("en", "tomorrow at quarter past 3 to call", "2026-12-03 15:15", "call"),
    ("en", "tomorrow at 3 to call", "2026-12-03 15:00", "call"),
    ("de", "morgen früh an Ana", "2026-12-03 08:00", "Ana"),
    ("de", "heute Abend an Ana", "2026-12-02 16:00", "Ana"),
    ("de", "am Freitagnachmittag an Ana", "2026-12-04 14:00", "Ana"),
    ("fr", "demain matin d'appeler", "2026-12-03 08:00", "appeler"),
    ("fr", "ce soir d'appeler", "2026-12-02 16:00", "appeler"),
    ("es", "mañana por la mañana llamar", "2026-12-03 08:00", "llamar"),
    ("es", "mañana por la tarde llamar", "2026-12-03 14:00", "llamar"),
    ("es", "esta tarde llamar", "2026-12-02 14:00", "llamar"),
)
"""Hours that nobody said, with working hours from 8 to 16."""
SPANS = (
    ("en", "on Friday from 10 to 11:30 meeting", "2026-12-04 10:00", 90, False),
    ("en", "on Friday between 2 and 4 pm meeting", "2026-12-04 14:00", 120, False),
    ("en", "on Friday from 9 am to 1 pm meeting", "2026-12-04 09:00", 240, False),
    ("en", "on Friday 10:00-11:30 meeting", "2026-12-04 10:00", 90, False),
    ("en", "on Friday from 2 to 4 meeting", "2026-12-04 14:00", 120, True),
    ("en", "on Friday afternoon from 2 to 4 meeting", "2026-12-04 14:00", 120, False),
    ("en", "on Friday 2pm to 4pm meeting", "2026-12-04 14:00", 120, False),
    ("de", "am Freitag 10:00 bis 11:30 Runde", "2026-12-04 10:00", 90, False),
    ("de", "am Freitag von 10 bis 11:30 Runde", "2026-12-04 10:00", 90, False),
    ("de", "am Freitag zwischen 14 und 16 Uhr Runde", "2026-12-04 14:00", 120, False),
    ("fr", "vendredi de 10h à 11h30 réunion", "2026-12-04 10:00", 90, False),
    ("es", "el viernes de 10 a 11:30 reunión", "2026-12-04 10:00", 90, False),
)
REPEATED = (
    ("en", "stand-up every Monday at 9", "FREQ=WEEKLY;BYDAY=MO", "2026-12-07 09:00", "stand-up"),
    ("en", "stand-up on Mondays at 9", "FREQ=WEEKLY;BYDAY=MO", "2026-12-07 09:00", "stand-up"),
    ("en", "stand-up every day at 9", "FREQ=DAILY", "2026-12-03 09:00", "stand-up"),
    (
        "en",
        "stand-up every weekday at 8:30",
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "2026-12-03 08:30",
        "stand-up",
    ),
    ("de", "Runde jeden Montag um 9 Uhr", "FREQ=WEEKLY;BYDAY=MO", "2026-12-07 09:00", "Runde"),
    ("de", "Runde montags um halb neun", "FREQ=WEEKLY;BYDAY=MO", "2026-12-07 08:30", "Runde"),
    ("fr", "réunion tous les lundis à 9h", "FREQ=WEEKLY;BYDAY=MO", "2026-12-07 09:00", "réunion"),
    ("es", "reunión cada lunes a las 9", "FREQ=WEEKLY;BYDAY=MO", "2026-12-07 09:00", "reunión"),
)
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
    ("which case has waited longest?", "follow_ups", ""),
    ("Welcher Fall wartet am längsten?", "follow_ups", ""),
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
    spoken = read_spoken_time(text, language, NOW)
    assert spoken.at is not None
    read = (f"{spoken.at:%Y-%m-%d %H:%M}", spoken.timed, spoken.past, spoken.rest)
    assert read == (at, timed, False, rest)


@pytest.mark.parametrize(("language", "text", "at", "rest"), CLOCKS)
def test_clock_times_are_read_in_words(language: str, text: str, at: str, rest: str) -> None:
    """Halves and quarters, and which half of the day a part of it says."""
    spoken = read_spoken_time(text, language, NOW)
    assert spoken.at is not None
    read = (f"{spoken.at:%Y-%m-%d %H:%M}", spoken.timed, spoken.assumed, spoken.rest)
    assert read == (at, True, False, rest)


@pytest.mark.parametrize(("language", "text", "at", "rest"), ASSUMED)
def test_an_hour_that_nobody_said_is_assumed(language: str, text: str, at: str, rest: str) -> None:
    """One of the working hours; whoever makes something of it asks first."""
    spoken = read_spoken_time(text, language, NOW, working=(time(8), time(16)))
    assert spoken.at is not None
    read = (f"{spoken.at:%Y-%m-%d %H:%M}", spoken.assumed, spoken.unread, spoken.rest)
    assert read == (at, True, False, rest)


@pytest.mark.parametrize(("language", "text", "at", "minutes", "assumed"), SPANS)
def test_two_clock_times_are_a_beginning_and_an_end(
    language: str, text: str, at: str, minutes: int, assumed: bool
) -> None:
    """*pm* at the second counts for the first where that fits."""
    spoken = read_spoken_time(text, language, NOW)
    assert spoken.at is not None
    read = (f"{spoken.at:%Y-%m-%d %H:%M}", spoken.minutes, spoken.assumed, spoken.unread)
    assert read == (at, minutes, assumed, False)
    assert spoken.ranged


@pytest.mark.parametrize(("language", "text", "rule", "at", "rest"), REPEATED)
def test_what_repeats_has_a_rule_and_a_first_time(
    language: str, text: str, rule: str, at: str, rest: str
) -> None:
    """By weeks or days; with another end or step it is not understood."""
    spoken = read_spoken_time(text, language, NOW)
    assert spoken.at is not None
    read = (spoken.repeats, f"{spoken.at:%Y-%m-%d %H:%M}", spoken.unread, spoken.rest)
    assert read == (rule, at, False, rest)


@pytest.mark.parametrize("text", ["call Ana", "order 14 batteries", "may I?", ""])
def test_words_without_a_time_have_none(text: str) -> None:
    """Nothing is guessed."""
    assert read_spoken_time(text, "en", NOW).at is None


@pytest.mark.parametrize(
    ("language", "text"), [("en", "yesterday to call"), ("de", "gestern an Ana"), ("es", "ayer")]
)
def test_a_time_that_is_over_is_over(language: str, text: str) -> None:
    """So that nothing is noted for it."""
    assert read_spoken_time(text, language, NOW).past


@pytest.mark.parametrize(("language", "text", "at"), WORKING_DAYS)
def test_working_days_are_those_on_which_people_work(language: str, text: str, at: str) -> None:
    """Saturday, Sunday and the organization's holidays do not count."""
    spoken = read_spoken_time(text, language, NOW, (date(2026, 12, 3),))
    assert spoken.at is not None
    assert f"{spoken.at:%Y-%m-%d %H:%M}" == at


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "tmrw 9am to call Ana"),
        ("en", "on 31 February to pay"),
        ("en", "at 25:00 to sleep"),
        ("en", "every other Monday to count"),
        ("en", "every Monday at 9 until June to count"),
        ("en", "on 9 December at 9 from 2 to 4 pm to meet"),
        ("en", "tomorrow morning at 3 pm to call"),
        ("en", "from 4 pm to 2 pm on Friday meet"),
        ("en", "from 4 to 2 pm on Friday meet"),
        ("en", "tomorrow at half eight to call"),
        ("en", "in the morning to call"),
        ("de", "am Montag um viertel neun an die Runde"),
        ("de", "jeden zweiten Montag um 9 an die Runde"),
        ("es", "cada dos semanas llamar"),
        ("en", "in a few days to eat"),
        ("en", "on 31 February at 9 to pay"),
        ("en", "next month"),
        ("fr", "dans quelques jours de sortir"),
        ("es", "a las 12 de la noche cenar"),
    ],
)
def test_a_time_that_is_not_understood_is_named_so(language: str, text: str) -> None:
    """Else a part of it would be taken for the whole, and something noted for another day."""
    assert read_spoken_time(text, language, NOW).unread


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "on Friday to check every box"),
        ("en", "on 2027-02-03 to send a few mugs"),
        ("de", "morgen an die Übergabe in zwei Lagern"),
        ("fr", "lundi d'appeler tous les clients"),
        ("es", "mañana llamar a todos los clientes"),
        ("en", "on Friday at 9 to look at one of our shops"),
        ("de", "am Freitag halbe Kartons zählen"),
        ("fr", "lundi d'écrire à deux clients"),
    ],
)
def test_words_that_only_look_like_a_time_hinder_none(language: str, text: str) -> None:
    """What is to be done may hold them."""
    spoken = read_spoken_time(text, language, NOW)
    assert (spoken.unread, spoken.at is None) == (False, False)


@pytest.mark.parametrize(("text", "kind", "rest"), ORDERS)
def test_plain_orders_are_recognized(text: str, kind: str, rest: str) -> None:
    """With what was filled in, as written."""
    order = find_order(text)
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
    order = find_order(text)
    assert order is not None
    assert find_call(order, text) is None


@pytest.mark.parametrize("text", NO_ORDERS)
def test_what_only_looks_like_an_order_is_none(text: str) -> None:
    """A yes with a condition is no yes."""
    assert find_order(text) is None


def test_days_that_are_asked_for() -> None:
    """One day, this week from today on, and the next."""
    spans = [
        find_spoken_days(text, "en", NOW.date())
        for text in ("8 December", "this week", "next week")
    ]
    assert [span and (span.first.day, span.last.day) for span in spans] == [(8, 8), (2, 6), (7, 13)]
    german = find_spoken_days("am Donnerstagnachmittag", "de", NOW.date())
    assert german == find_spoken_days("am Donnerstag", "de", NOW.date())
    assert german is not None
    assert find_spoken_days("soon", "en", NOW.date()) is None


def test_free_time_is_what_the_calendar_leaves() -> None:
    """Overlapping events, one that begins before the day, a weekend, and hours that are over."""

    def at(day: int, hour: int, minute: int = 0) -> datetime:
        return datetime(2026, 12, day, hour, minute, tzinfo=NOW.tzinfo)

    busy = [(at(2, 12), at(2, 14)), (at(2, 13), at(2, 15)), (at(3, 1), at(4, 10))]
    free = free_spans(NOW.date(), at(6, 0).date(), busy, NOW)
    assert free == [(at(2, 10), at(2, 12)), (at(2, 15), at(2, 17)), (at(4, 10), at(4, 17))]
    off = {at(4, 0).date()}
    assert free_spans(NOW.date(), at(6, 0).date(), busy, NOW, days_off=off) == free[:2]
    short_friday = {**WORKING_WEEK, 5: (time(9), time(13))}
    assert free_spans(NOW.date(), at(6, 0).date(), busy, NOW, short_friday) == [
        *free[:2],
        (at(4, 10), at(4, 13)),
    ]


@pytest.mark.parametrize(
    ("language", "text", "begin", "end"),
    [
        ("en", "friday after 3", 15, None), ("en", "friday before 11", None, 11),
        ("en", "tomorrow from 2pm to 4pm", 14, 16), ("en", "friday after three", 15, None),
        ("de", "freitag ab 15 uhr", 15, None), ("de", "morgen zwischen 10 und 12 uhr", 10, 12),
        ("fr", "vendredi à partir de 15h", 15, None), ("fr", "demain avant 11h", None, 11),
        ("es", "el viernes después de las 15", 15, None),
    ],
)  # fmt: skip
def test_hours_that_are_asked_for(
    language: str, text: str, begin: int | None, end: int | None
) -> None:
    """From one on, until one, or between two; what is left of working hours is looked at."""
    bounds = find_hour_bounds(text, language, NOW)
    assert bounds is not None
    hours = (bounds.begin and bounds.begin.hour, bounds.end and bounds.end.hour)
    assert hours == (begin, end)


@pytest.mark.parametrize(
    "text", ["friday", "after lunch", "a week from friday", "from monday to friday", "at 3"]
)
def test_days_alone_are_no_hours(text: str) -> None:
    """Nor is what is not read."""
    assert find_hour_bounds(text, "en", NOW) is None


@pytest.mark.parametrize(
    "text",
    [
        "termin mit ines morgen 14 uhr", "meeting with maud tomorrow at 2pm",
        "rendez-vous avec ines demain à 14h", "cita con ines mañana a las 14",
    ],
)  # fmt: skip
def test_a_bare_appointment_is_an_order(text: str) -> None:
    """With its day and its hour at the end; a question or a story about it is none."""
    order = find_order(text)
    assert order is not None
    call = find_call(order, text)
    assert call is not None
    assert call.name == "add_event"
    assert find_call(order, f"{text}?") is None
    told = find_order(f"{text} war gut")
    assert told is None or find_call(told, f"{text} war gut") is None


def test_a_week_of_hours_is_told_in_words() -> None:
    """Days with the same hours stand together, and three in a row as one run."""
    assert week_words(WORKING_WEEK, "fr") == "de 09:00 à 17:00, du lundi au vendredi"
    week = {**WORKING_WEEK, 3: (time(9), time(13)), 5: (time(9), time(13))}
    assert week_words(week, "en") == (
        "09:00 to 17:00, Monday, Tuesday, Thursday; 09:00 to 13:00, Wednesday, Friday"
    )


def test_a_question_for_figures_says_nothing_else() -> None:
    """What is left over is a condition that would be forgotten."""
    by_category = find_figures("cases by category do we have", "en")
    assert by_category is not None
    assert (by_category.subject, by_category.by, by_category.unread) == ("cases", "category", "")
    by_day = find_figures("Mails pro Tag", "de")
    assert by_day is not None
    assert (by_day.subject, by_day.by, by_day.unread) == ("mails", "day", "")
    elsewhere = find_figures("complaints from Berlin this month", "en")
    assert elsewhere is not None
    assert (elsewhere.where, elsewhere.when) == ({"category": "complaint"}, "this month")
    assert elsewhere.unread == "from berlin"
    assert find_figures("mails and cases", "en") is None


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
    figures = find_figures(text, language)
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


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_what_is_counted_from_now_is_as_long_when_clocks_change(day: date) -> None:
    """Three hours are three hours, in spring and in autumn."""
    begin = datetime.combine(day, time(0, 30), tzinfo=ZoneInfo("Europe/Amsterdam"))
    at = read_spoken_time("in 3 hours", "en", begin).at
    assert at is not None
    assert at.astimezone(UTC) - begin.astimezone(UTC) == timedelta(hours=3)
    assert at.tzinfo is begin.tzinfo
