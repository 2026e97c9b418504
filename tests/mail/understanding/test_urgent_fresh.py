"""Urgent mail and mail that only looks so; 32 of these 34 were right when they were first tried."""

import pytest

from tasks.mail.classify.urgent import is_urgent

URGENT = [
    "The cellar is flooded and the fuse box is under water.",
    "Der Keller ist uberschwemmt, wir brauchen sofort jemanden.",
    "La cave est inondee, venez vite.",
    "La cocina se esta inundando, manden a alguien ya por favor.",
    "La cantina si sta allagando, mandate qualcuno subito!",
    "De kelder staat onder water, kom alstublieft direct.",
    "Woda zalewa piwnicę, proszę o pomoc natychmiast.",
    "My bank card is gone and there was a transfer I did not make.",
    "Someone got into our account, please freeze it.",
    "Ich habe meine Bankkarte verloren, bitte sofort sperren.",
    "J'ai perdu ma carte, faites opposition.",
    "Our whole website is down since ten.",
    "Unsere ganze Website zeigt nur einen Serverfehler.",
    "The flight leaves in 40 minutes and the driver is missing.",
    "I want the money back today, all of it.",
    "The checkout is failing for everyone.",
    "pls hurry, the guests are at the door",
    "Depechez-vous, nous ouvrons dans une heure.",
]
CALM = [
    "Could you send me a flood insurance brochure?",
    "The bank card has not arrived yet, is it lost in the post?",
    "We want to thank you for yesterday.",
    "I want to book a table for today in two weeks.",
    "Our website will get a new design next month.",
    "Wie funktioniert die Sperre für Bankkarten?",
    "Notre site aura une page d'erreur plus jolie.",
    "The flight leaves in March, what do you offer?",
    "What if someone got into my account?",
    "Es eilt nicht, aber unsere Website hat einen kleinen Fehler.",
    "Which card is best for withdrawals?",
    "There is no rush, I only want to change my address.",
    "In case of emergency, which number do we call?",
    "We would like a quote for a new server next year.",
    "¿Qué cubre el seguro contra inundaciones?",
    "Quanto costa una carta nuova?",
]


@pytest.mark.parametrize("text", URGENT)
def test_what_cannot_wait_is_heard(text: str) -> None:
    """Water, lost cards, outages and deadlines count in several languages, accents or not."""
    assert is_urgent(text, "") is not None


@pytest.mark.parametrize("text", CALM)
def test_what_only_speaks_of_it_can_wait(text: str) -> None:
    """Questions about such things, thanks and plans are not urgent."""
    assert is_urgent(text, "") is None
