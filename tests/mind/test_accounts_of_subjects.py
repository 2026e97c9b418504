"""What a subject says above its letter: what it alone wants is open."""

import pytest

from tests.mind.accounts import ASKED, left, looked_at


@pytest.mark.parametrize(
    "subject",
    [
        "Cancel order 5521",
        "Please call me back at noon",
        "Stornierung Bestellung 5521",
        "Résiliation du contrat 33",
        "Anulación del pedido 5521",
        "Disdetta del contratto 33",
        "Opzegging contract 33",
        "Rezygnacja z zamówienia 5521",
    ],
)
def test_what_a_subject_alone_wants_is_open(subject: str) -> None:
    """Nobody answers a question and leaves the order above it unheard."""
    checked = looked_at(ASKED, subject=subject)
    assert left(checked) == [subject]
    assert checked.quality < 1


COURTEOUS = {
    "en": "Hello,\n\nThank you very much in advance.\n\nBest regards\nWim Tulip",
    "de": "Guten Tag,\n\nvielen Dank im Voraus.\n\nMit freundlichen Grüßen\nWim Tulip",
    "fr": "Bonjour,\n\nMerci d'avance.\n\nCordialement\nWim Tulip",
    "es": "Buenos días:\n\nMuchas gracias de antemano.\n\nUn saludo\nWim Tulip",
}


@pytest.mark.parametrize(
    ("language", "subject"),
    [
        ("en", "Invoice 17 paid twice"),
        ("en", "Invoice no. 17 paid twice"),
        ("en", "Order no. 5521 not arrived"),
        ("en", "Lid broken"),
        ("en", "My account is locked"),
        ("en", "Heating pump makes smoke"),
        ("de", "Rechnung 17 doppelt bezahlt"),
        ("de", "Deckel gebrochen"),
        ("de", "Paket nicht angekommen"),
        ("fr", "Facture 17 payée deux fois"),
        ("fr", "Colis non reçu"),
        ("es", "Factura 17 pagada dos veces"),
        ("es", "Tapa rota"),
    ],
)
def test_trouble_that_a_subject_alone_tells_is_open(language: str, subject: str) -> None:
    """Above courtesies, and above a question about something else, it waits for a person."""
    for letter in (COURTEOUS[language], f"{ASKED}\n\n{COURTEOUS[language]}"):
        checked = looked_at(letter, subject=subject)
        assert left(checked) == [subject]
        assert checked.quality <= 0.5


def test_whatever_a_subject_says_above_courtesies_alone_is_open() -> None:
    """Nothing says what is wanted but the subject, so it is never taken for nothing."""
    for subject in ("Invoice 17", "The lamp in the boathouse", "Opening hours"):
        assert left(looked_at(COURTEOUS["en"], subject=subject)) == [subject]
        assert left(looked_at("", subject=subject)) == [subject]
    for subject in ("", "Many thanks for the nice trip", "Hello", "Good morning"):
        assert left(looked_at(COURTEOUS["en"], subject=subject)) == []


@pytest.mark.parametrize(
    ("subject", "letter"),
    [
        ("Opening hours", ASKED),
        ("Order 5521", ASKED),
        ("Order no. 5521", ASKED),
        ("No. 3", ASKED),
        ("Commande no 12", ASKED),
        ("Question about boats", ASKED),
        ("Cancel order 5521", f"{ASKED} Please cancel my order 5521."),
        ("How do I cancel?", ASKED),
        ("Lid broken", f"{ASKED} The lid of our box is broken."),
        ("Paket nicht angekommen", f"{ASKED} Mein Paket ist noch nicht angekommen."),
        ("Problem with a boat", "When is the boat open in April?"),
        ("Boat repaired", "Thank you very much for the repaired boat."),
    ],
)
def test_a_subject_that_names_a_matter_is_none_of_its_own(subject: str, letter: str) -> None:
    """Nor is one that says what the letter says."""
    assert subject not in left(looked_at(letter, subject=subject))
