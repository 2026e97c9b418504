"""A word that billing shares with batteries: charging a thing is a matter of support."""

import pytest

from data.records.core.understanding import Category
from tasks.mail.classify.charging import is_about_power
from tasks.mail.classify.classifying import LocalClassifier

POWER = [
    "How long does it take to charge a receiver?",
    "Can I charge the headset overnight?",
    "My transmitter does not charge any more.",
    "How many charging slots does the case have?",
    "Does one charge last a whole day?",
    "Can the bodypack be charged while it is on?",
    "How many hours until fully charged?",
    "Does the case charge ten at once?",
    "Can I run it off a power bank for a whole day?",
    "Quel est le temps de charge d'un récepteur ?",
    "Combien d'heures de charge faut-il avant une visite ?",
    "Le voyant de charge reste rouge.",
    "¿Cuál es el tiempo de carga del receptor?",
    "Qual è il tempo di ricarica del ricevitore?",
]
MONEY = [
    "You charged me twice for May.",
    "Why was I charged 20 euros for the receiver?",
    "Is there a charge for delivery?",
    "When do you charge my card?",
    "How do you charge for a lost receiver?",
    "Do you charge VAT on the headset?",
    "Is the charger in the price?",
    "Will I be charged when I cancel?",
    "Can the order be charged after delivery?",
    "Can the damage be charged to our account?",
    "How many hours do you charge?",
    "How long do you charge for storage?",
    "Quelles sont les charges de location ?",
    "Combien facturez-vous la prise en charge ?",
]


@pytest.mark.parametrize("text", POWER)
def test_charging_a_thing_is_not_billing(classifier: LocalClassifier, text: str) -> None:
    """Whoever asks how to charge a device is not filed under money."""
    assert is_about_power(text)
    assert classifier.classify(text).category is not Category.BILLING


@pytest.mark.parametrize("text", MONEY)
def test_charging_somebody_stays_what_it_is(text: str) -> None:
    """What names money, a card or who is charged is left to the classifier."""
    assert not is_about_power(text)
