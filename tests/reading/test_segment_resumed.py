"""What somebody writes below dashes or below a signature is heard where it speaks to its reader."""

import pytest

from data.records.mail.mail import ParsedMail, Segments
from tasks.segment.segmenting import segment


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


@pytest.mark.parametrize("mark", ["P.S.", "PS:", "PS ", "P.P.S.", "NB:", "P.D.:"])
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
