"""Vietnamese, Japanese by escapes, and Latin letters that look like those of another region."""

from unicodedata import normalize

import pytest

from tasks.core.parse.charsets import decode_bytes
from tasks.core.parse.parsing import parse

VIETNAMESE = "Chào anh, đơn hàng của tôi đã được gửi chưa? Tôi vẫn chưa nhận được."
WESTERN = {
    "it": "Perché però così più giù? La città è bella; così però non va più. Martedì o venerdì.",
    "da": "Hvornår får jeg mine sko? Jeg købte dem på nettet og må have dem på lørdag. Åge Møller",
    "pt": "Não, são três cães e nós não temos razões: as ações põem questões. Órgão, irmão.",
    "is": "Ég pantaði ýmislegt í síðustu viku en það hefur ekki borist. Þakka þér fyrir, Þórður",
    "de": "Wir bräuchten 3 m³/h, also etwa 72 m³ am Tag, und 40 m² Fläche ±5%. Grüße, Jörg",
    "fr": "Où est passé le colis ? Là-bas, à côté, après l'été. Ça m'énerve très fort, à Noël.",
}


def in_windows_vietnamese(text: str) -> bytes:
    """Return text as programs of that code page write it: the tone's mark behind its letter."""
    octets = b""
    for letter in text:
        base, *marks = normalize("NFD", letter)
        tones = [mark for mark in marks if mark in "\u0300\u0301\u0303\u0309\u0323"]
        body = normalize("NFC", "".join([base, *(mark for mark in marks if mark not in tones)]))
        octets += "".join([body, *tones]).encode("cp1258")
    return octets


@pytest.mark.parametrize("charset", ["", "iso-8859-1", "windows-1252", "windows-1258", "x-viet"])
def test_vietnamese_is_told_by_its_letters_and_tones(charset: str) -> None:
    """Under no name, under the name of Western Europe, and under its own."""
    text = decode_bytes(in_windows_vietnamese(VIETNAMESE), charset, [], "body")
    assert normalize("NFC", text) == VIETNAMESE


@pytest.mark.parametrize("charset", ["", "iso-8859-1"])
@pytest.mark.parametrize("text", WESTERN.values(), ids=WESTERN)
def test_texts_of_western_europe_stay_what_they_are(text: str, charset: str) -> None:
    """Many accents make no Czech and no Vietnamese, nor do measures and fractions Polish."""
    assert decode_bytes(text.encode("cp1252"), charset, [], "body") == text


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252"])
def test_polish_under_the_name_of_western_europe_is_polish(charset: str) -> None:
    """Signs within and before words are letters of another charset."""
    text = "Źle wypełniłem formularz, proszę o odpowiedź. Łączę pozdrowienia"
    assert decode_bytes(text.encode("iso8859-2"), charset, [], "body") == text


@pytest.mark.parametrize("charset", ["", "; charset=us-ascii", "; charset=utf-8"])
@pytest.mark.parametrize(
    ("text", "codec"), [("商品の件", "iso2022_jp"), ("주문한 상품", "iso2022_kr")], ids=["ja", "ko"]
)
def test_letters_by_escapes_are_read_though_nothing_states_them(
    text: str, codec: str, charset: str
) -> None:
    """In the subject without encoded words as well; other escapes switch no letters."""
    octets = text.encode(codec)
    head = f"From: a@x.example\nContent-Type: text/plain{charset}\nSubject: ".encode()
    mail = parse(head + octets + b"\n\n" + octets + b"\n")
    assert (mail.subject, mail.text.strip()) == (text, text)
    assert "$5" in parse(head + b"a\n\nOnly \x1b[1m$5\x1b[0m today\n").text
