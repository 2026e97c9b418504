"""The dictionary from other languages to English."""

import pytest

from data.lexicons.bridge import CODES, columns
from tasks.core.language.bridge import bridge, gloss


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wo finde ich meine Rechnung vom letzten Monat?", {"invoice", "month"}),
        ("Je voudrais annuler ma réservation, c'est urgent", {"want", "cancel", "urgent"}),
        ("¿Cuándo llega mi pedido? Necesito la factura", {"when", "order", "need", "bill"}),
        ("Vorrei restituire il prodotto che ho comprato", {"want", "return", "product", "buy"}),
        ("Preciso de ajuda com a minha encomenda", {"need", "help", "parcel"}),
        ("Kunt u mij helpen met de verzending van mijn pakket?", {"help", "parcel"}),
        ("Proszę o zwrot pieniędzy za zamówienie", {"please", "money", "order"}),
    ],
)
def test_known_words_come_out_in_english(text: str, expected: set[str]) -> None:
    """A sentence gives the English words for what the dictionary knows of it."""
    assert expected <= set(bridge([text])[0].split())


def test_english_and_unknown_languages_stay_as_they_are() -> None:
    """Nothing is done to a text that needs no bridge, or has none."""
    texts = ["Please send the list to the man at the gate.", "Где мой заказ?", "", "?!"]
    assert bridge(texts) == texts


def test_compounds_are_known_by_their_last_part() -> None:
    """German and Dutch compounds mean what their end means; numbers mean themselves."""
    assert gloss("lieferadresse", "de") in {"address", "delivery"}
    assert gloss("kinderfiets", "nl") in {"child", "bicycle"}
    assert gloss("4711", "pl") == "4711"
    assert gloss("xyzzy", "de") is None


def test_every_line_fills_every_column() -> None:
    """Each language knows hundreds of words, and none is empty."""
    for code in CODES:
        column = columns()[code]
        assert len(column.whole) + len(column.begin) > 400
        assert "" not in column.whole
        assert "" not in column.begin
