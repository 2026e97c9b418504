"""What people type short is read as it is meant; what may be meant otherwise stays as it is."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tasks.agents.calling import find_call
from tasks.agents.parting import recognize_message
from tasks.agents.short_forms import write_out_short_forms
from tasks.agents.spoken_time import read_spoken_time
from tasks.agents.stating import has_statement


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pls remind me tmrw to ring Marta", "please remind me tomorrow to ring Marta"),
        ("am i free wed after 3", "am i free Wednesday after 3"),
        ("bring it thurs, or fri", "bring it Thursday, or Friday"),
        ("remind me on the 3rd of dec", "remind me on the 3rd of December"),
        ("on Dec 3 at 9", "on December 3 at 9"),
        ("am 3. Dez. um 9 anrufen", "am 3. Dezember um 9 anrufen"),
        ("le 3 déc à 9h", "le 3 décembre à 9h"),
        ("cita el 3 dic a las 9", "cita el 3 diciembre a las 9"),
        ("remind me in 2 hrs to ring", "remind me in 2 hours to ring"),
        ("are we open on sat?", "are we open on Saturday?"),
        ("erinner mich am do um 9", "erinner mich am Donnerstag um 9"),
        ("rdv le ven à 10h", "rendez-vous le vendredi à 10h"),
        ("free fri afternoon?", "free Friday afternoon?"),
        ("remind me thurs 3pm to ring", "remind me Thursday 3pm to ring"),
        ("remind me fri 9:30 to ring", "remind me Friday 9:30 to ring"),
        ("recuérdame el vie alas 8 llamar", "recuérdame el viernes a las 8 llamar"),
        ("rappel moi demin à 9h", "rappelle moi demain à 9h"),
        ("pls tmrw wk", "please tomorrow week"),
        ("how many cases r open n who waits", "how many cases are open and who waits"),
        ("a q hora abren?", "a que hora abren?"),
    ],
)
def test_short_forms_are_written_out(typed: str, meant: str) -> None:
    """In the language of the message, without the full stop that shortens."""
    assert write_out_short_forms(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "we sat on the sun-loungers",
        "Bist du eine KI?",
        "who works in HR?",
        "so do we",
        "may I ask what the jan team does",
        "SELECT sth, abt FROM cases",
        "Sat Nam called",
        "mi casa, tu casa",
        "we sat 3 hours",
        "alas, nobody came",
        "vitamin r helps",
        "what does R&D cost?",
    ],
)
def test_words_that_are_no_short_forms_stay(text: str) -> None:
    """A word of another language, a name, a query."""
    assert write_out_short_forms(text) == text


@pytest.mark.parametrize(
    ("typed", "tool", "about"),
    [
        ("what did fergus want", "cases_of", "fergus"),
        ("anything new from Fergus that I haven't seen", "cases_of", "Fergus"),
        ("apunta una tarea: pedir pilas", "add_task", "pedir pilas"),
        ("notiere eine Aufgabe: Batterien bestellen", "add_task", "Batterien bestellen"),
        ("hat Sabine was geschrieben?", "cases_of", "Sabine"),
        ("y a du nouveau de Claire Fontaine ?", "cases_of", "Claire Fontaine"),
        ("hay novedades de Lucía Marín?", "cases_of", "Lucía Marín"),
        ("which plan is Sabine Krüger on", "find_contacts", "Sabine Krüger"),
        ("welchen Vertrag hat das Museum Zinnhütte", "find_contacts", "Museum Zinnhütte"),
        ("c'est qui Mathieu Delacroix", "find_contacts", "Mathieu Delacroix"),
        ("que plan tiene Lucía Marín", "find_contacts", "Lucía Marín"),
        ("does Château de Valméric owe us money?", "find_contacts", "Château de Valméric"),
        ("did we promise smth to Declan?", "list_promises", "Declan"),
        ("whos been waiting longest", "follow_ups", ""),
        ("quien espera respuesta", "follow_ups", ""),
        ("hat Thomas Möllering schon geantwortet", "cases_of", "'Thomas Möllering'"),
        ("has Marta replied yet?", "cases_of", "'Marta'"),
        ("gimme the email of Gareth Pugh", "find_contacts", "'Gareth Pugh'"),
        ("when does Jürgen Weiß's contract end", "find_contacts", "'Jürgen Weiß'"),
        ("l'adresse mail de Yasmine Benali svp", "find_contacts", "'Yasmine Benali'"),
        ("hab ich morgen nachmittag zeit", "free_time", "morgen nachmittag"),
        ("Fasse mir den Fall von Helena zusammen", "cases_of", "Helena"),
        ("Résume-moi le dossier d'Helena", "cases_of", "Helena"),
        ("¿Qué quiere el señor Vogelaar?", "cases_of", "Vogelaar"),
        ("Has the museum been in touch?", "cases_of", "museum"),
        ("Wer hat uns heute geschrieben?", "cases_about", "heute"),
        ("Which customers haven't paid yet?", "find_contacts", ""),
        ("Habe ich am Freitag um 10 Zeit?", "free_time", "am Freitag um 10"),
        ("Trouve-moi une heure libre la semaine prochaine", "free_time", "semaine prochaine"),
        ("Búscame una hora libre la próxima semana", "free_time", "próxima semana"),
        ("Leg mir eine Aufgabe an: Frau Kern anrufen", "add_task", "Frau Kern anrufen"),
        ("Note dans mes tâches : rappeler madame Roy", "add_task", "rappeler madame Roy"),
        ("Créame una tarea: llamar a Paul", "add_task", "llamar a Paul"),
        ("Aufgabe Druckerpapier ist fertig", "finish_task", "Druckerpapier"),
        ("La tâche appeler Paul est terminée", "finish_task", "appeler Paul"),
        ("Efface la tâche étagères", "drop_task", "étagères"),
        ("Mueve la tarea inventario al lunes", "move_task", "inventario al lunes"),
        ("Mets-moi un rappel pour jeudi 14h : dentiste", "add_task", "dentiste"),
        ("Ponme un recordatorio para el jueves a las 14: dentista", "add_task", "dentista"),
        ("Plane eine Besprechung mit Ida am Montag von 10 bis 11", "add_event", "mit Ida"),
        ("Nueva cita: dentista el viernes a las 14", "add_event", "dentista"),
        ("Décale le dentiste à lundi 9h", "move_event", "dentiste"),
        ("put lunch with Ines on Thursday at 12:30", "add_event", "lunch with Ines"),
    ],
)
def test_everyday_wording_is_recognized(typed: str, tool: str, about: str) -> None:
    """With what is asked about, in four languages."""
    text = write_out_short_forms(typed)
    order = recognize_message(text).order
    call = find_call(order, text) if order is not None else None
    assert call is not None
    assert call.name == tool
    assert about in str(call.arguments)


@pytest.mark.parametrize(
    ("typed", "when"),
    [
        ("how many complaints did we get in november", "in november"),
        ("wieviele Beschwerden im November", "im november"),
        ("combien de mails en mai ?", "en mai"),
        ("¿cuántas quejas en diciembre?", "en diciembre"),
    ],
)
def test_months_are_spans_of_days(typed: str, when: str) -> None:
    """What is counted is counted of that month."""
    order = recognize_message(typed).order
    call = find_call(order, typed) if order is not None else None
    assert call is not None
    assert call.arguments["when"] == when


@pytest.mark.parametrize(
    "typed",
    [
        "who buys Lark from us",
        "avg time till we answer",
        "til when can i cancel for free",
        "whom do i call if dipper fails during an event",
        "can they pay with paypal",
        "wie koppel ich die Empfänger",
        "wer kauft bei uns Lark",
        "qui achète Lark chez nous",
        "quién nos compra Lark",
    ],
)
def test_a_question_without_its_mark_states_nothing(typed: str) -> None:
    """It is answered, and never remembered as something that was told."""
    assert not has_statement(typed)


@pytest.mark.parametrize(
    "told",
    [
        "On peut me joindre le matin au bureau",
        "Se puede aparcar delante de nuestro almacén",
        "My desk is on the third floor",
        "we lock the shed until we open",
        "Mein Büro ist Raum 214",
    ],
)
def test_a_statement_stays_one(told: str) -> None:
    """Words that a question may begin with begin statements as well."""
    assert has_statement(told)


@pytest.mark.parametrize(
    ("words", "language", "unread"),
    [
        ("in 2 fortnights to check the courier", "en", True),
        ("on the 3rd of dezember to check", "en", True),
        ("am 3. Advent an die Kerzen", "de", True),
        ("in 2 hours to check the courier", "en", False),
        ("order 5 batteries", "en", False),
        ("für 3 Kisten Platz machen", "de", False),
    ],
)
def test_what_begins_like_a_time_and_is_none_that_is_read_is_not_noted_without_one(
    words: str, language: str, unread: bool
) -> None:
    """Nothing is noted without a date that somebody has named in some way."""
    now = datetime(2026, 11, 29, 16, tzinfo=ZoneInfo("Europe/Amsterdam"))
    assert read_spoken_time(words, language, now).unread is unread
