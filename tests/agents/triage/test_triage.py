"""What people ask agents is recognized in four languages; what is not recognized is left open."""

import pytest
import yaml

from benchmarks.triage import LEFT, OWN, taken_for
from tasks.agents.calling import find_call
from tasks.agents.triage import LOOKUPS, ChatIntent, is_plain, triage_message

ASKED = {
    ChatIntent.GREETING: ("Hello!", "hi there", "Guten Morgen", "Bonjour", "Buenos días"),
    ChatIntent.THANKS: ("thanks a lot", "Vielen Dank!", "merci beaucoup", "muchas gracias"),
    ChatIntent.TIME: (
        "What time is it?",
        "Wie spät ist es?",
        "Quelle heure est-il ?",
        "¿Qué hora es?",
    ),
    ChatIntent.HELP: (
        "What can you do? help",
        "Hilfe",
        "aide",
        "ayuda",
        "who are you?",
        "are you a human?",
        "Are you ChatGPT?",
        "wer bist du?",
        "qui es-tu ?",
        "¿quién eres?",
    ),
    ChatIntent.URGENT: (
        "What is urgent?",
        "anything urgent today?",
        "Which cases are most urgent right now?",
        "show me the urgent mails",
        "Was ist dringend?",
        "Gibt es etwas Dringendes?",
        "Qu'est-ce qui est urgent ?",
        "¿Qué es urgente hoy?",
    ),
    ChatIntent.WAITING: (
        "What is waiting?",
        "How many cases are open?",
        "show me the queue",
        "what's in my inbox",
        "Was wartet noch?",
        "Wie viele Fälle sind offen?",
        "Combien de cas en attente ?",
        "¿Cuántos casos hay pendientes?",
    ),
    ChatIntent.PROMISES: (
        "What did we promise?",
        "Which promises are overdue?",
        "Was haben wir versprochen?",
        "Qu'avons-nous promis ?",
        "¿Qué hemos prometido?",
    ),
}
OPEN = (
    "is there a jam on the A-45 between Dortmund and Hagen tomorrow morning",
    "what is the time zone of Lima",
    "say that one more time",
    "what is on the shopping list",
    "who is responsible for returns",
    "schedule a flight to Lima on Friday at 9",
    "Is the urgent repair of the loom for Mara included in the price of the inspection?",
    "Cancel the order of Ana and tell her that it is urgent.",
    "Write to Mr Moss that we cannot deliver before Christmas, please.",
    "When are you open?",
    "Delete everything that waits.",
    "Lösche alle offenen Fälle und schreib dem Kunden.",
    # One word that an intent does not know makes a short question another one.
    "What day is payday?",
    "What model is the Lark?",
    "what is the name of our new customer",
    "What do you call me?",
    "Can you help me find my phone?",
    "Is the bill due?",
    # Who wants to know something has no task, and who asks for what they once knew no reminder.
    "I need to know how busy we are on Friday at 9",
    "Remind me of the address of the mill",
    "Remind me what our hours are",
    "",
    "?",
)


@pytest.mark.parametrize(
    ("intent", "text"), [(intent, text) for intent, texts in ASKED.items() for text in texts]
)
def test_plain_questions_are_recognized(intent: ChatIntent, text: str) -> None:
    """Each is taken for what it asks."""
    assert triage_message(text).intent is intent


@pytest.mark.parametrize("text", OPEN)
def test_what_says_more_is_left_to_who_thinks(text: str) -> None:
    """A word of an intent among others is no intent."""
    meant = triage_message(text)
    assert (meant.intent, meant.order) == (None, None)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Good morning! What is urgent?", ChatIntent.URGENT),
        ("Hallo! Was ist dringend?", ChatIntent.URGENT),
        ("Bonjour. Qu'est-ce qui est urgent ?", ChatIntent.URGENT),
        ("¡Hola! ¿Qué es urgente?", ChatIntent.URGENT),
        ("Good morning!", ChatIntent.GREETING),
        ("Good morning! Cancel the order of Ana, it is urgent.", None),
        ("Somebody shouted. What is urgent?", None),
    ],
)
def test_a_greeting_before_a_question_is_no_second_intent(
    text: str, intent: ChatIntent | None
) -> None:
    """What follows is what is meant; anything else before it is not passed over."""
    assert triage_message(text).intent is intent


def test_an_order_behind_a_greeting_is_an_order() -> None:
    """As if it stood alone."""
    order = triage_message("Hello! Remind me on Friday at 9 to call Ana.").order
    assert order is not None
    assert order.kind == "remind"


LISTED = (
    ("list_tasks", "Could you show me what is still on my to do list?"),
    ("list_tasks", "Which reminders are there for today?"),
    ("list_tasks", "Zeig mir bitte noch mal alle Erinnerungen für heute"),
    ("list_tasks", "Quelles sont encore mes taches aujourd'hui ?"),
    ("list_tasks", "Dime cuáles son las tareas que tengo todavía"),
    ("list_events", "Do I have any meetings on Thursday afternoon?"),
    ("list_events", "Tell me what is on our calendar next week, please"),
    ("list_events", "Welche Termine stehen am Donnerstag in meinem Kalender?"),
    ("list_events", "Qu'y a-t-il dans mon agenda demain matin ?"),
    ("list_events", "¿Tengo alguna reunión el jueves por la tarde?"),
)
"""Own sentences that ask for a list in no turn of phrase that stands in the lexicon."""
NOT_LISTED = (
    "Clear my to do list",
    "Delete all the reminders on my list",
    "Put the meeting on my calendar",
    "Schedule a meeting for tomorrow afternoon",
    "Which meetings did Ana cancel because of the strike?",
    "Lösch alle Erinnerungen auf meiner Liste",
    "Vide ma liste de taches",
    "Borra todas las tareas de la lista",
    "What do the tasks of the weavers have in common with those of the dyers?",
)
"""Own sentences with the same words that want something else."""


@pytest.mark.parametrize(("kind", "text"), LISTED)
def test_a_list_is_asked_for_in_many_words(kind: str, text: str) -> None:
    """The same as by a turn of phrase, with the days in it."""
    meant = triage_message(text)
    assert meant.order is not None
    assert meant.order.kind == kind
    assert is_plain(meant)


@pytest.mark.parametrize("text", NOT_LISTED)
def test_who_changes_a_list_does_not_ask_for_it(text: str) -> None:
    """Neither does who wants to know more of it than what it holds."""
    meant = triage_message(text)
    assert meant.order is None or meant.order.kind not in ("list_tasks", "list_events")


def test_what_is_mentioned_is_thought_about_where_there_is_a_model() -> None:
    """Who says what they have to do may mean something else than a task."""
    meant = triage_message("I need to get a room for the weavers on Friday")
    assert meant.order is not None
    assert meant.order.kind == "mention_task"
    assert not is_plain(meant)


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("which mails are in Dutch", "cases_about", {"written_in": "nl"}),
        ("Affiche tous les mails espagnols", "cases_about", {"written_in": "es"}),
        ("what is with invoice 4711", "cases_about", {"words": "4711"}),
        ("wie steht es um die Bestellung 20331", "cases_about", {"words": "20331"}),
        ("who wrote about invoice H-2325?", "cases_about", {"words": "H-2325"}),
        ("who wrote about the wrong address?", "cases_about", {"words": "wrong address"}),
        ("which cases lie with Maud", "cases_about", {"lies_with": "Maud"}),
        ("woran sitzt Maud gerade?", "cases_about", {"lies_with": "Maud"}),
        ("¿Qué correos hablan de un reembolso?", "cases_about", {"words": "reembolso"}),
        (
            "put a note on Priya that she prefers calls",
            "note_about_contact",
            {"name": "Priya", "text": "She prefers calls."},
        ),
        (
            "Notier bei Priya, dass sie lieber telefoniert",
            "note_about_contact",
            {"name": "Priya", "text": "Dass sie lieber telefoniert."},
        ),
    ],
)
def test_what_is_asked_is_filled_in(text: str, tool: str, arguments: dict[str, str]) -> None:
    """By which language, number, colleague or words the mail is looked for, and what is noted."""
    order = triage_message(text).order
    call = find_call(order, text) if order is not None else None
    assert call is not None
    assert (call.name, call.arguments) == (tool, arguments)


def test_a_message_of_greetings_is_read_to_its_end() -> None:
    """However many there are; behind a few it is still seen what is meant."""
    assert triage_message("hi, " * 1100 + "what is urgent?").intent is None
    assert triage_message("hi, hello, what is urgent?").intent is ChatIntent.URGENT


def test_nothing_of_our_own_set_is_taken_for_something_else() -> None:
    """A sentence that is not recognized is left open; most of them are recognized."""
    parts = yaml.safe_load(OWN.read_text(encoding="utf-8"))
    pairs = [(meant, text) for part in parts.values() for meant in part for text in part[meant]]
    recognized = [taken_for(triage_message(text), LOOKUPS) or LEFT for _, text in pairs]
    wrong = [
        (text, kind)
        for (meant, text), kind in zip(pairs, recognized, strict=True)
        if kind not in (meant, LEFT)
    ]
    right = sum(kind == meant for (meant, _), kind in zip(pairs, recognized, strict=True))
    assert wrong == []
    assert right >= 0.9 * len(pairs)
