"""What is to be done, told apart from what somebody looks up, in four languages."""

from datetime import UTC, datetime

import pytest

from data.records.core.briefing import Snippet, SourceKind
from data.records.core.tools import Item, ToolResult
from flows.mail.tools.knowledge import KNOWLEDGE_TOOLS
from tasks.agents.action_requests import find_deed_language
from tasks.agents.conversing import choose_call, tell_result
from tasks.agents.triage import has_deed, is_question_or_order, triage_message
from tasks.mail.draft.knowledge_lookups import look_up

ORDERED = (
    ("call Jonas", "en"),
    ("order 12 lanterns", "en"),
    ("can you order lanterns?", "en"),
    ("please email Jonas about the lanterns", "en"),
    ("The lamp is dead. Buy a new one.", "en"),
    ("give Jonas a discount", "en"),
    ("Ruf Jonas an", "de"),
    ("12 Laternen bestellen", "de"),
    ("könntest du Jonas anrufen?", "de"),
    ("réserve une table", "fr"),
    ("pourriez-vous annuler la livraison ?", "fr"),
    ("compra tres faroles", "es"),
    ("por favor, envía un catálogo a Jonas", "es"),
    # Some verb in the form that orders, right before what it is to be done to.
    ("track my hours this week", "en"),
    ("Poliere den Tisch", "de"),
    ("tell Jonas the meeting is off", "en"),
    ("Sag Jonas, dass das Treffen ausfällt", "de"),
    ("Range les cartons de la cave", "fr"),
    ("Registra mis horas", "es"),
    # A verb of two languages orders in that of the sentence.
    ("Imprime la facture de Jonas", "fr"),
    ("Imprime la factura de Jonas", "es"),
)
NOT_ORDERED = (
    "order number",
    "return label missing",
    "email address",
    "give me the address",
    "let me know the opening hours",
    "how do I cancel a hire?",
    "can I cancel a hire?",
    "Call charges, what are they?",
    "open on Sunday?",
    "Miete stornieren",
    "Wie kann ich Laternen bestellen?",
    "Schick mir die Öffnungszeiten",
    "commande minimum",
    "donne-moi l'adresse",
    "reserva mínima",
    "¿cómo puedo cancelar?",
    "dime el horario",
    "Livrez-vous en Norvège et combien ça coûte",
    "explain the deposit",
    "tell me the opening hours",
    "Sag mir, was eine Miete kostet",
    "Sag mal, habt ihr offen",
    "Fixed the printer yesterday",
    "s the day",
    "Sunday the mill stays shut",
    "Freitag die Rechnung schicken",
    "Chefin ist die Frau Weber",
    "Réunion le mardi à 9h",
    "Accès la nuit par la cour",
    "",
)


@pytest.mark.parametrize(("text", "language"), ORDERED)
def test_what_is_to_be_done_is_an_order(text: str, language: str) -> None:
    """It is looked up nowhere, and is no fact to remember."""
    assert find_deed_language(text) == language
    assert has_deed(triage_message(text))
    assert is_question_or_order(text)


@pytest.mark.parametrize("text", NOT_ORDERED)
def test_what_is_looked_up_is_no_order(text: str) -> None:
    """Though it begins with a word that orders elsewhere."""
    assert find_deed_language(text) == ""


def test_a_plain_order_of_ours_stays_what_it_is() -> None:
    """There is a tool for it."""
    assert not has_deed(triage_message("Add a task: order lanterns"))
    assert not has_deed(triage_message("Cancel the meeting with Jonas"))


TITLES = (
    ("en", "Cancelling a loan", "cancel a loan", "I did nothing"),
    ("de", "Stornierung einer Miete", "storniere meine Miete", "Ich habe nichts getan"),
    ("fr", "Annuler une location", "annule la location", "Je n'ai rien fait"),
    ("es", "Cancelar un alquiler", "cancela el alquiler", "No hice nada"),
)


@pytest.mark.parametrize(("language", "title", "ordered", "expected"), TITLES)
def test_an_entry_whose_title_says_what_is_ordered_is_told(
    language: str, title: str, ordered: str, expected: str
) -> None:
    """With the sentence that nothing was done; one that only shares words with it is not."""
    meant = triage_message(ordered)
    assert has_deed(meant)
    call = choose_call(meant, ordered, [KNOWLEDGE_TOOLS[0].declaration])
    assert call is not None
    assert call.arguments["titles_alone"] is True
    entry, other = _entry(language, "loan", title), _entry(language, "other", f"42 {title[:4]}")
    (drafted,) = look_up(ordered, [other, entry], language, titles_alone=True)
    assert drafted.citations[0].ref == "knowledge:loan"
    assert look_up(ordered, [other], language, titles_alone=True) == []
    item = Item(title=ordered, text=drafted.citations[0].sentence)
    said = tell_result(meant, ToolResult(items=(item,)), "Help.", datetime.now(UTC), language)
    assert said.pieces[0].startswith(expected)
    assert said.pieces[1].startswith("Seven days")
    nothing = tell_result(meant, ToolResult(), "Help.", datetime.now(UTC), language)
    assert nothing.pieces[-1] == "Help."


def _entry(language: str, name: str, title: str) -> Snippet:
    return Snippet(
        source=SourceKind.KNOWLEDGE,
        ref=f"knowledge:{name}",
        title=title,
        text="Seven days before it begins that is free.",
        trusted=True,
        language=language,
        score=0.5,
    )


def test_a_topic_further_down_an_entry_is_told_first() -> None:
    """The title says all that was asked, the beginning of the entry does not."""
    text = "It is in Elm Street. It is open on Mondays. It has two doors. You park behind the gate."
    entry = _entry("en", "depot", "Depot address and parking").model_copy(update={"text": text})
    (drafted,) = look_up("parking at the depot", [entry], "en")
    assert [citation.sentence for citation in drafted.citations] == [
        "You park behind the gate.",
        "It is in Elm Street.",
        "It is open on Mondays.",
    ]
