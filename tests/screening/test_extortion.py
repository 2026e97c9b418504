"""Letters that claim to hold a film of their reader, in ten languages."""

import pytest

from data.records.mail.screening import Verdict
from tests.screening.letters import rules_hit, screened

WALLET = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh"
THREATS = {
    "en": "I recorded you while you were watching films. Send 900 dollars in bitcoin to",
    "de": "Ich habe Sie gefilmt. Überweisen Sie 900 Euro in Bitcoin an",
    "fr": "Je vous ai filmé. Envoyez 900 euros en bitcoin à",
    "es": "Te he grabado. Envía 900 euros en bitcoin a",
    "it": "Ti ho filmato. Invia 900 euro in bitcoin a",
    "pt": "Eu gravei você. Envie 900 euros em bitcoin para",
    "pl": "Nagrałem cię. Wyślij 900 euro w bitcoinach na",
    "ru": "Я записал вас. Переведите 900 евро в биткоинах на",
    "zh": "我录下了你。请支付900欧元的比特币到",
    "nl": "Ik heb je gefilmd. Stuur 900 euro in bitcoin naar",
}


@pytest.mark.parametrize("language", THREATS)
def test_letters_that_extort_are_flagged(language: str) -> None:
    """A film of the reader, and untraceable money for it."""
    screening = screened(f"Did you see my first letter? {THREATS[language]} {WALLET}")
    assert screening.verdict is not Verdict.CLEAN
    assert "urgent_transfer" in rules_hit(screening)


@pytest.mark.parametrize(
    "text",
    [
        "I recorded you at the concert on Sunday; the film is in the shared folder.",
        "We cannot pay in bitcoin; please send us an invoice in euros.",
        "Ihre Webcam ist angekommen. Die Rechnung liegt bei.",
        "I got a letter that says somebody filmed me and wants bitcoin. It is a scam, is it not?",
    ],
)
def test_films_and_coins_by_themselves_are_clean(text: str) -> None:
    """A concert, an invoice, a parcel, and somebody who tells of such a letter."""
    assert screened(text).verdict is Verdict.CLEAN
