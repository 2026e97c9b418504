"""What somebody writes below dashes or below a signature is heard where it speaks to its reader."""

import pytest

from data.records.core.parsed_mail import ParsedMail, Segments
from tasks.core.segment.segmenting import segment


def cut(text: str) -> Segments:
    """Cut a body that answers nothing."""
    return segment(ParsedMail(text=text, subject="Two things"))


@pytest.mark.parametrize("dashes", ["--", "—", "–", "- -", "-- "])
@pytest.mark.parametrize(
    "wish",
    [
        "Please also cancel order 4410 and refund the price.",
        "And one more thing: we need it back by 12 March.",
        "Bitte stornieren Sie auch die Bestellung 4410.",
        "Merci d'annuler aussi la commande 4410.",
        "Can I go on charging it?",
        "P.S. the lid is broken",
    ],
)
def test_a_wish_below_dashes_is_new(dashes: str, wish: str) -> None:
    """Dashes between two matters are no delimiter of a signature."""
    found = cut(f"Hello,\n\nwhen are you open?\n{dashes}\n{wish}\n\nDirk")
    assert wish in found.new
    assert found.signature == ""


@pytest.mark.parametrize(
    "mark",
    ["P.S.", "PS:", "PS ", "P.P.S.", "NB:", "P.D.:", "P.-S. :", "Post-scriptum :", "Nachsatz:"],
)
@pytest.mark.parametrize(
    "card",
    [
        "-- \nDirk Hale\nLark Ltd.",
        "--\nDirk Hale\nTel. +49 30 1234567",
        "Best regards\nDirk Hale\nHead of Sales\nLark Ltd.\n+49 30 1234567",
    ],
)
def test_a_postscript_below_a_card_is_new(mark: str, card: str) -> None:
    """What follows the card is read, whatever the card itself counts as."""
    found = cut(f"Hello,\n\nwhen are you open?\n\n{card}\n\n{mark} please send the invoice.")
    assert "please send the invoice" in found.new


CARD = "Best regards\nDirk Hale\nLark Ltd.\nTel. +49 30 1234567"
LEGAL = (
    "Dirk\n\nThis message is confidential and intended only for the addressee. If you are not the "
    "addressee, delete it."
)


@pytest.mark.parametrize("above", [CARD, LEGAL], ids=["card", "notice"])
@pytest.mark.parametrize(
    "more",
    [
        "One more thing: call off H-9.",
        "Noch etwas: H-9 bitte streichen.",
        "H-9 entfällt übrigens.",
        "Edit: H-9 is off.",
        "And the invoice goes to accounts@lark.example.",
        "Außerdem ist Empfänger 12 kaputt.",
        "Le récepteur 12 ne marche plus.",
        "* H-9: cancel",
    ],
)
def test_a_line_that_leads_on_below_a_card_or_a_notice_is_new(above: str, more: str) -> None:
    """It announces something, tells trouble, or says something of a number."""
    assert more in cut(f"Hello,\n\nwhen are you open?\n\n{above}\n\n{more}").new


@pytest.mark.parametrize("above", [CARD, LEGAL], ids=["card", "notice"])
@pytest.mark.parametrize(
    "rest",
    [
        "Follow us on LinkedIn",
        "Sitz: Hamburg, HRB 1234, Geschäftsführer: Dirk Hale",
        "Think before you print.",
        '"Carpe diem"',
    ],
)
def test_what_stands_under_all_mail_of_a_company_stays_signature(above: str, rest: str) -> None:
    """Registration, mottos and invitations lead nothing on."""
    assert rest in cut(f"Hello,\n\nwhen are you open?\n\n{above}\n\n{rest}").signature


def test_a_notice_below_a_postscript_is_still_signature() -> None:
    """Below the postscript the ending is looked for again."""
    notice = (
        "This email and any attachments are confidential and intended solely for the addressee. "
        "If you received it in error please delete it and notify the sender."
    )
    found = cut(f"When?\n\n-- \nDirk Hale\nLark Ltd.\n\nPS: I need the invoice.\n\n{notice}")
    assert found.new == "When?\n\nPS: I need the invoice."
    assert "Lark Ltd." in found.signature
    assert "confidential" in found.signature


@pytest.mark.parametrize(
    "card",
    [
        "--\nDirk Hale\nLark Ltd.\n+49 30 1234567",
        "—\nDirk Hale",
        "-- \nDirk\nthere is no spoon",
        '--\nDirk\n\n"Please do not feed the poets." - Ada',
        "--\ndirk",
        "-- \nHarbour Scouts, every Tuesday from six",
    ],
)
def test_cards_and_mottos_below_dashes_stay_signature(card: str) -> None:
    """What looks like a card or, below the delimiter of mail programs, speaks to nobody is cut."""
    assert cut(f"When are you open?\n\n{card}").new == "When are you open?"


def test_a_word_that_begins_like_a_postscript_is_none() -> None:
    """*Psychology* on a card begins no postscript."""
    found = cut("When?\n\n-- \nDirk Hale\nPsychology Department\nLark University")
    assert found.new == "When?"


@pytest.mark.parametrize(
    "card",
    [
        "-- \nDirk Hale",
        "--\nDirk Hale\nLark Ltd.",
        "Kind regards\nDirk Hale\nLark Ltd.",
        "Mit freundlichen Grüßen\nDirk Hale\nTel. +49 30 1234567",
        "Sent from my iPhone",
    ],
)
@pytest.mark.parametrize(
    "told",
    [
        "the deposit has not come back",
        "The left channel of set 4 hums.",
        "set 4 hums",
        "And two headsets are missing.",
        "Bestellung 4410 bitte stornieren",
        "Il manque deux récepteurs dans la valise.",
        "El receptor 4 no suena desde ayer.",
        "Paczka do dziś nie dotarła do nas.",
        "New invoice address: Quay Street 12, Westport",
        "Order 4711",
        "Serial number: 55-66-77-88",
        "Kundennummer: 4711\nRechnung Nr. 2024-55",
        "N° de commande : 4711",
        "Nr zamówienia: 4711",
    ],
)
def test_what_is_told_below_a_card_is_new(card: str, told: str) -> None:
    """A paragraph below the card that is no part of one is read, whatever it speaks of."""
    found = cut(f"Hello,\n\nwhen are you open?\n\n{card}\n\n{told}")
    assert told in found.new


@pytest.mark.parametrize(
    "line",
    [
        "cancel order 4410",
        "please send the invoice again",
        "New address from 1 May: Quay Street 12, Westport",
        "Neue Rechnungsadresse: Kaistraße 12, 24103 Kiel",
        "Nouvelle adresse : 12 rue du Quai, 44100 Nantes",
    ],
)
def test_a_line_within_a_card_that_wants_something_is_new(line: str) -> None:
    """Nobody hears it where it counts as a card."""
    found = cut(f"Hello,\n\nwhen are you open?\n\n-- \nDirk Hale\nLark Ltd.\n{line}")
    assert line in found.new


@pytest.mark.parametrize(
    "below",
    [
        "Head of Sales\nOrder Management",
        "Lark Ltd., Registered Office: Quay Street 12, Westport\nVAT GB 123 4567 89",
        "www.lark.example | sales@lark.example",
        "Please consider the environment before printing this e-mail.",
        "“Make it as simple as possible.”",
        "Follow us on LinkedIn",
        "New York Office",
        "HRB 4711, Amtsgericht Westport\nUSt-IdNr. DE 123456789",
    ],
)
def test_what_belongs_to_a_card_stays_with_it(below: str) -> None:
    """Titles, companies, places and remarks are no words to anybody."""
    card = "-- \nDirk Hale\nTel. +49 30 1234567"
    assert cut(f"Hello,\n\nwhen are you open?\n\n{card}\n\n{below}").new == (
        "Hello,\n\nwhen are you open?"
    )


def test_the_head_of_a_letter_is_no_signature() -> None:
    """Whom a letter goes to and what it is about stand above its greeting, and are its own."""
    head = (
        "Dirk Hale\nQuay 5\n\nLark GmbH\nHafen 1\n20457 Hamburg\n\nHamburg, 3.9.2024\n\nKündigung"
    )
    letter = f"{head}\n\nSehr geehrte Damen und Herren,\n\nhiermit kündige ich.\n\nDirk Hale"
    assert cut(letter).new == letter
