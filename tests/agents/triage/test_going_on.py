"""A message is filled up from the one before it, or stays as it is."""

from datetime import date

import pytest

from data.records.core.tools import Source
from tasks.agents.days_named import write_days_in_full
from tasks.agents.going_on import (
    EarlierQuestion,
    is_correction,
    is_incomplete,
    understand_follow_up,
)
from tasks.agents.stating import has_statement
from tasks.core.words.typing_slips import is_slip
from tests.agents.conftest import Office

TASK = Source(kind="task", id="t1", title="ring Priya")
OTHER_TASK = Source(kind="task", id="t2", title="order pads")
EVENT = Source(kind="event", id="e1", title="call with Maud")
MOVED = EVENT.model_copy(update={"was": "2026-12-03 11:00"})
CASES = tuple(Source(kind="case", id=n, title=f"Subject {n}: it's -new") for n in "ab")
CIARA = Source(kind="contact", id="c@x.example", title="Ciara Murphy")
DECLAN = Source(kind="contact", id="d@x.example", title="Declan O'Brien")


@pytest.mark.parametrize(
    ("before", "about", "text", "kind", "rest"),
    [
        ("what did Declan want", (), "and Marta?", "cases_of", "Marta"),
        ("was hat Declan geschrieben", (), "und Frau Krüger?", "cases_of", "Frau Krüger"),
        ("who is Ciara", (CIARA,), "whats her mail", "contact_mail", "Ciara Murphy"),
        ("who is Ciara", (CIARA,), "and the plan?", "contact", "Ciara Murphy"),
        ("qui est Ciara", (CIARA,), "son mail", "contact", "Ciara Murphy"),
        ("quién es Ciara", (CIARA,), "y el teléfono?", "contact_phone", "Ciara Murphy"),
        ("what does Declan want", CASES[:1], "draft a reply", "draft_reply", "Declan"),
        ("am i free tomorrow", (), "and friday?", "free_time", "friday"),
        ("what is on friday", (), "no, monday", "list_events", "monday"),
        ("tengo hueco el viernes por la tarde", (), "y por la mañana?", "free_time",
         "el viernes por la mañana"),
        ("how many mails today", (), "and yesterday?", "figures", "mails yesterday"),
        ("how many mails today", (), "& how many yesterday", "figures", "mails yesterday"),
        ("what is urgent", CASES, "show me the second one", "wrote_about", "Subject b it s new"),
        ("what is urgent", CASES, "y que quiere el último", "wrote_about", "Subject b it s new"),
        ("remind me friday at 9 to ring Priya", (TASK,), "no i meant monday", "move_task",
         "ring Priya monday"),
        ("remind me friday at 9 to ring Priya", (TASK,), "make it 11", "move_task",
         "ring Priya at 11"),
        ("erinnere mich am 15. um 9 an X", (TASK,), "quatsch, am 16.", "move_task",
         "ring Priya am 16."),
        ("add a meeting friday 9:00", (EVENT,), "vendredi plutôt", "", ""),
        ("mets un rendez-vous vendredi à 9h", (EVENT,), "non, lundi plutôt", "move_event",
         "call with Maud lundi"),
        ("rappelle-moi le 20 à 16h X", (TASK,), "décale au 21", "move_task", "ring Priya au 21"),
        ("mails per day this week", (), "and per sender", "figures", "mails per sender this week"),
        ("l'adresse de Claire", (), "non pardon, d'Odile", "contact_mail", "Odile"),
        ("was will Declan", CASES[:1], "zeig mir die mail", "wrote_about", "Subject a it s new"),
        ("add a task: ring Priya", (TASK,), "forget that", "drop_task", "ring Priya"),
        ("add a task: ring Priya", (TASK,), "no wait, forget that", "drop_task", "ring Priya"),
        ("add a task: ring Priya", (TASK,), "cancel that, she called", "drop_task", "ring Priya"),
        ("neue aufgabe: ring Priya", (TASK,), "erledigt", "finish_task", "ring Priya"),
        ("move the call to friday", (MOVED,), "put it back", "move_event",
         "call with Maud 2026-12-03 11:00"),
        ("verschieb den termin mit Maud auf freitag", (MOVED,), "rückgängig", "move_event",
         "call with Maud 2026-12-03 11:00"),
        ("move the call to friday", (MOVED,), "cancel it", "remove_event", "call with Maud"),
        ("put lunch on friday at 12:30", (EVENT,), "cancel it", "remove_event", "call with Maud"),
        ("my tasks", (TASK, OTHER_TASK), "the second one is done", "finish_task", "order pads"),
        ("todo: ring Priya", (TASK,), "and: order pads", "add_task", "order pads"),
    ],
)  # fmt: skip
def test_a_message_goes_on_with_the_one_before(
    before: str, about: tuple[Source, ...], text: str, kind: str, rest: str
) -> None:
    """A question is asked of something else, and what was noted is changed or taken back."""
    meant = understand_follow_up(text, [EarlierQuestion(asked=before, about=about)])
    order = meant.order if meant is not None else None
    assert (order.kind, order.rest) == (kind, rest) if order is not None else kind == ""


@pytest.mark.parametrize(
    ("before", "about", "text"),
    [
        # A question of its own, an order of its own, something told.
        ("what did Declan want", (), "and what is urgent?"),
        ("what did Declan want", (), "and call Marta"),
        ("remind me friday at 9 to ring Priya", (TASK,), "no thanks"),
        ("remind me friday at 9 to ring Priya", (TASK,), "no, the depot is closed on monday"),
        # Nothing was noted, or it is not sure which of several is meant.
        ("what is urgent", CASES, "forget that"),
        ("my tasks", (TASK, OTHER_TASK), "delete it"),
        ("my tasks", (TASK,), "forget that"),
        ("who is at Liffey", (CIARA, DECLAN), "whats her mail"),
        ("what is urgent", CASES, "the third one"),
        # Of one that was just noted, *the first one* is another.
        ("add a task: ring Priya", (TASK,), "the first one is done"),
        # A move is not taken back by dropping what was moved.
        ("move the task ring Priya to friday", (TASK,), "forget that"),
        # What stands beside it orders something else.
        ("add a task: ring Priya", (TASK,), "cancel that, and remind me at 10 to call Ana"),
        # A word that stands there twice says not which is meant.
        ("what does it cost for us and for them", (), "and for Ana?"),
    ],
)
def test_what_is_not_made_whole_stays(before: str, about: tuple[Source, ...], text: str) -> None:
    """Nothing is guessed."""
    assert understand_follow_up(text, [EarlierQuestion(asked=before, about=about)]) is None


def test_it_goes_on_with_what_went_on() -> None:
    """The question before may have been filled up itself."""
    before = [EarlierQuestion(asked="what did Declan want"), EarlierQuestion(asked="and Marta?")]
    meant = understand_follow_up("and Priya?", before)
    assert meant is not None
    assert meant.asked == "what did Priya want"
    assert understand_follow_up("and Priya?", []) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("and the transmitter?", True),
        ("y el expres?", True),
        ("and what is urgent?", False),
        ("also my bike is blue", False),
        ("and call Priya", False),
        ("the transmitter?", False),
    ],
)
def test_a_few_words_behind_a_joint_lean_on_what_was_before(text: str, expected: bool) -> None:
    """They are not looked up alone."""
    assert is_incomplete(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "no i meant wednesday",
        "nee, lieber donnerstag um 9",
        "customers who are not on a plan",
        "la garantie ça dure combien",
        "brauch ich dafür eine lizenz",
        "can customers pay cash",
        "qu'a écrit m. brévart",
    ],
)
def test_what_corrects_or_asks_tells_nothing(text: str) -> None:
    """Neither is remembered, with no mark and no capital letter."""
    assert is_correction(text) or not has_statement(text)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "next week tuesday at 9", "2026-12-08 at 9"),
        ("en", "on tuesday next week", "on 2026-12-08"),
        ("de", "nächste woche dienstag", "2026-12-08"),
        ("fr", "mardi de la semaine prochaine", "2026-12-08"),
        ("es", "el martes de la próxima semana", "el 2026-12-08"),
        ("fr", "jeudi prochain à 9h", "jeudi à 9h"),
        ("es", "el martes que viene", "el martes"),
        ("en", "on the 15th at 9", "on the 2026-12-15 at 9"),
        ("en", "on the 1st, then", "on the 2026-12-01, then"),
        ("en", "on the 30th", "on the 2026-11-30"),
        ("en", "on the 15th of January", "on the 15th of January"),
        ("en", "on the 3rd floor", "on the 3rd floor"),
        ("de", "am 3. Advent", "am 3. Advent"),
        ("de", "am 15. um 9", "am 2026-12-15 um 9"),
        ("fr", "le 15 décembre", "le 15 décembre"),
        ("fr", "le 15 à 9h", "le 2026-12-15 à 9h"),
        ("es", "el 31 a las 9", "el 2026-11-31 a las 9"),
        ("en", "tuesday 9 to ring Ana", "tuesday at 9 to ring Ana"),
        ("en", "tuesday 90 to go", "tuesday 90 to go"),
    ],
)
def test_days_of_several_words_are_dates(language: str, text: str, expected: str) -> None:
    """Counted from the last day of November, which is a Monday; what is no date stays none."""
    assert write_days_in_full(text, language, date(2026, 11, 30)) == expected


def test_a_slip_is_one_letter() -> None:
    """What goes on, or is two letters away, is another word."""
    assert is_slip("custumer", "customer")
    assert is_slip("recievers", "receivers")
    assert not is_slip("receivers", "receiver")
    assert not is_slip("costumier", "customer")


async def test_what_was_proposed_is_proposed_with_another_time(office: Office) -> None:
    """A yes means the newest time that was told, and no other."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    await ida.ask(chat, "I have to call Femke on 8 December 2099 at 11")
    again = await ida.ask(chat, "no, 9 December 2099")
    assert "Shall I put" in again["text"]
    noted = await ida.ask(chat, "yes")
    assert "9 December 2099, 11" in noted["text"].replace("\\", "")
    assert [task["title"] for task in (await ida.get("/tasks")).json()["items"]] == ["call Femke"]


async def test_nobody_goes_on_with_what_another_said(office: Office) -> None:
    """In a chat of several, a message is filled up from its author's own words alone."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    created = await ida.post(
        "/chats", {"agent": "analyst", "kind": "group", "people": [tom.user_id]}
    )
    chat = created.json()["id"]
    own = await ida.ask(chat, "@analyst how many mails today")
    assert own["text"].startswith("Mails")
    alien = await tom.ask(chat, "@analyst and yesterday?")
    assert "nothing that I can look up" in alien["text"]
    cut_off = await ida.ask(chat, "@analyst and yesterday?")
    assert "nothing that I can look up" in cut_off["text"]
