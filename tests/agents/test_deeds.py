"""What is to be done, told apart from what somebody looks up, in four languages."""

import pytest

from tasks.agents.deeds import deed_language
from tasks.agents.triage import asks_or_orders, triage, wants_deed

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
    "",
)


@pytest.mark.parametrize(("text", "language"), ORDERED)
def test_what_is_to_be_done_is_an_order(text: str, language: str) -> None:
    """It is looked up nowhere, and is no fact to remember."""
    assert deed_language(text) == language
    assert wants_deed(triage(text))
    assert asks_or_orders(text)


@pytest.mark.parametrize("text", NOT_ORDERED)
def test_what_is_looked_up_is_no_order(text: str) -> None:
    """Though it begins with a word that orders elsewhere."""
    assert deed_language(text) == ""


def test_a_plain_order_of_ours_stays_what_it_is() -> None:
    """There is a tool for it."""
    assert not wants_deed(triage("Add a task: order lanterns"))
    assert not wants_deed(triage("Cancel the meeting with Jonas"))
