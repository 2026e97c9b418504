"""Which language a short text is in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.language.language_identification import LanguageTeller

SAID = [
    ("en", "Where can I change my address?"),
    ("en", "please call me back"),
    ("de", "Wann kommt der Techniker?"),
    ("de", "Ich habe eine Frage zu meinem Vertrag."),
    ("fr", "Je n'ai pas reçu ma commande."),
    ("fr", "Merci pour votre aide"),
    ("es", "No me ha llegado el pedido."),
    ("es", "¿Cuánto cuesta el envío?"),
    ("it", "Non ho ancora ricevuto il pacco."),
    ("it", "Grazie per l'aiuto"),
    ("pt", "Ainda não recebi a encomenda."),
    ("pt", "Quero cancelar a minha conta"),
    ("nl", "Ik heb mijn bestelling nog niet ontvangen."),
    ("nl", "Hoe kan ik betalen?"),
    ("pl", "Nie dostałem jeszcze mojej paczki."),
    ("pl", "Proszę o pomoc"),
    ("ru", "Где мой заказ?"),
    ("uk", "Де моє замовлення, скажіть, будь ласка? Її немає"),
    ("ja", "注文はどこですか"),
    ("zh", "我的订单在哪里"),
    ("ko", "주문이 어디에 있나요"),
    ("ar", "أين طلبي؟"),
    ("el", "Πού είναι η παραγγελία μου;"),
    ("he", "איפה ההזמנה שלי"),
    ("und", ""),
    ("und", "12345 !!!"),
    ("und", "https://example.com/a?b=1"),
]


@pytest.fixture(scope="module")
def teller() -> LanguageTeller:
    """The shipped language model."""
    return LanguageTeller()


@pytest.mark.parametrize(("want", "text"), SAID)
def test_short_texts(teller: LanguageTeller, want: str, text: str) -> None:
    """A short sentence is told by its words, or by its script; nothing to read is `und`."""
    assert teller.tell(text) == want


def test_at_least_eight_languages(teller: LanguageTeller) -> None:
    """The model knows the eight languages that Postern answers in."""
    assert {"en", "de", "fr", "es", "it", "pt", "nl", "pl"} <= set(teller.codes)


def test_name_in_another_script_does_not_decide(teller: LanguageTeller) -> None:
    """A few foreign letters in an English sentence leave it English."""
    assert teller.tell("Please send the parcel to my friend Дмитрий in Leeds") == "en"


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200))
def test_never_fails(text: str) -> None:
    """Any text gets a code of two or three letters."""
    assert len(SHARED.tell(text)) in (2, 3)


SHARED = LanguageTeller()


def test_the_text_tells_before_the_subject() -> None:
    """Who answers under somebody else's subject is answered in their own language."""
    mails = [
        ("Your question about the delivery", "Si può cancellare gratis?"),
        ("Question", "Quando arriva?"),
        ("Ihre Frage zur Lieferung", "ok"),
        ("", "ok"),
    ]
    told = LanguageTeller().tell_mails(mails)
    assert told[:3] == ["it", "it", "de"]
    assert LanguageTeller().tell_mails([]) == []


@pytest.mark.parametrize("subject", ["Question", "Information", "Document"])
def test_a_single_word_of_several_languages_tells_none(
    teller: LanguageTeller, subject: str
) -> None:
    """A mail without a text is answered in the house's own language, not in that of the model."""
    assert teller.tell_mails([(subject, "")]) == ["und"]
    assert teller.tell_mails([("Rechnung", ""), ("Presupuesto", "")]) == ["de", "es"]
