"""Texts of many regions in single octets: undeclared, under another name, and all in capitals."""

import pytest

from tasks.core.parse.charsets import decode_bytes

RUSSIAN = "Добрый день! Когда придёт наш заказ? Мы ждём уже неделю."
GREEK = "Στείλτε μου το τιμολόγιο παρακαλώ, περιμένουμε μια εβδομάδα."
TEXTS = {
    "cp1251": RUSSIAN,
    "koi8-r": "Здравствуйте, пришлите счёт за октябрь, пожалуйста.",
    "cp1253": GREEK,
    "iso8859-7": "Καλημέρα, πότε θα έρθει το δέμα;",
    "cp1250": "Dzień dobry, kiedy dotrze nasza paczka? Czekamy już tydzień, proszę o odpowiedź.",
    "iso8859-2": "Dobrý den, kdy dorazí naše objednávka? Čekáme už týden, prosíme o odpověď.",
    "cp1254": "Siparişimiz gelmedi, faturayı gönderir misiniz? Ürün için çok teşekkürler, İzmir.",
    "cp1257": "Laba diena, kada atvyks mūsų užsakymas? Laukiame jau savaitę, prašome atsakyti.",
    "iso8859-13": "Labdien, kad pienāks mūsu pasūtījums? Mēs gaidām jau nedēļu, lūdzu atbildiet.",
    "cp1255": "שלום, מתי תגיע ההזמנה שלנו? אנחנו מחכים כבר שבוע.",
    "cp1256": "مرحبا، متى سيصل طلبنا؟ نحن ننتظر منذ أسبوع.",
    "cp874": "สวัสดีค่ะ คำสั่งซื้อของเราจะมาถึงเมื่อไร เรารอมาหนึ่งสัปดาห์แล้ว",
    "cp1252": "Góðan daginn, hvenær kemur pöntunin okkar? Við höfum beðið í viku, þakka þér fyrir.",
}
WESTERN = [
    "Não sei quando a encomenda chegará, à espera de informações. São João, amanhã.",
    "Señor Núñez, ¿cuándo llegará el envío? Mañana está cerrado, según el catálogo.",
    "Où êtes-vous ? Noël, çà et là, maïs, naïf, août, île, forêt",
    "Größe, Straße, Übung, Äpfel, Öl, süß",
    "På øen så vi æbler, blåbær og rødgrød med fløde",
    "Hyvää päivää, mistä löydän tämän työpöydän?",
    "Færøerne, København Ø, Århus",
    "AÇÃO, INFORMAÇÃO, NÃO, ÜBER GRÖSSE",
    "£20 or ½ price ± 5 % ® © ™ § 5 °C µm",
    "François, Zoë, Anaïs, Loïc",
]


@pytest.mark.parametrize("codec", TEXTS)
@pytest.mark.parametrize("charset", ["", "utf-8", "us-ascii"])
def test_text_of_no_true_charset_is_read_by_its_letters(codec: str, charset: str) -> None:
    """Where nothing is stated, or UTF-8 that it is not, its letters tell the region."""
    text = TEXTS[codec]
    assert decode_bytes(text.encode(codec), charset, [], "a text") == text


@pytest.mark.parametrize("codec", TEXTS)
@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1"])
def test_text_under_the_name_of_western_europe_is_read_by_its_letters(
    codec: str, charset: str
) -> None:
    """What programs state by default is not believed against the letters, and noted."""
    text, defects = TEXTS[codec], []
    assert decode_bytes(text.encode(codec), charset, defects, "a text") == text
    assert bool(defects) is (codec != "cp1252")


@pytest.mark.parametrize("codec", TEXTS)
@pytest.mark.parametrize("upper", [False, True])
def test_text_in_the_charset_that_it_states_stays(codec: str, upper: bool) -> None:
    """In capitals too, which are rarer."""
    text = TEXTS[codec].upper() if upper else TEXTS[codec]
    text = text.encode(codec, "ignore").decode(codec)
    defects: list[str] = []
    assert decode_bytes(text.encode(codec), codec, defects, "a text") == text
    assert defects == []


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("iso8859-5", RUSSIAN),
        ("cp1251", "СРОЧНО НУЖЕН ОТВЕТ ПО ЗАКАЗУ"),
        ("koi8-r", "СРОЧНО НУЖЕН ОТВЕТ ПО ЗАКАЗУ"),
        ("cp1253", GREEK),
        ("iso8859-7", "ΘΕΛΟΥΜΕ ΤΗΝ ΠΡΟΣΦΟΡΑ ΣΑΣ ΣΗΜΕΡΑ"),
    ],
)
@pytest.mark.parametrize("charset", ["", "utf-8", "us-ascii", "windows-1252", "iso-8859-1"])
def test_capitals_alone_are_read_as_capitals(codec: str, text: str, charset: str) -> None:
    """Which letters stand beside each other tells KOI8-R, Windows-1251 and Greek apart."""
    text = text.upper()
    assert decode_bytes(text.encode(codec), charset, [], "a text") == text


@pytest.mark.parametrize("text", WESTERN)
@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1"])
def test_texts_of_western_europe_stay_as_stated(text: str, charset: str) -> None:
    """No rarer letter makes them Turkish, Baltic or Central European."""
    octets = text.encode("cp1252")
    assert decode_bytes(octets, charset, [], "a text") == text


ARABIC = [
    "مرحبا، متى سيصل طلبنا؟ نحن ننتظر منذ أسبوع.",
    "لدي سؤال عن الفاتورة",
    "السلام عليكم ورحمة الله، هل يمكنكم إرسال الفاتورة مرة أخرى؟",
]


@pytest.mark.parametrize("text", ARABIC)
@pytest.mark.parametrize(
    ("codec", "charset"), [("iso8859-6", "windows-1256"), ("cp1256", "iso-8859-6")]
)
def test_arabic_under_the_name_of_its_other_charset_is_read(
    text: str, codec: str, charset: str
) -> None:
    """The two share half of their letters, and read each other's texts nearly as words."""
    defects: list[str] = []
    assert decode_bytes(text.encode(codec), charset, defects, "a text") == text
    assert defects
    assert decode_bytes(text.encode(codec), codec, [], "a text") == text


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1256", "سلام، سفارش ما چه زماني ميرسد؟ پيگيري کنيد، گزارش دهيد، ژانويه."),
        ("cp1256", "Où est la commande passée à Noël ? مرحبا"),
        ("cp1256", "شكرا"),
        ("iso8859-6", "مُحَمَّد كَتَبَ رِسَالَةً"),
    ],
    ids=["Persian", "French beside Arabic", "one word", "with vowel marks"],
)
def test_text_in_an_arabic_charset_that_it_states_stays(codec: str, text: str) -> None:
    """Persian, French, one word and vowel marks make neither charset implausible."""
    assert decode_bytes(text.encode(codec), codec, [], "a text") == text


def test_one_odd_octet_makes_no_text_another_of_its_alphabet() -> None:
    """Windows-1251 lacks one octet, which the codec of another system has."""
    read = decode_bytes(RUSSIAN.encode("cp1251") + b" \x98", "windows-1251", [], "a text")
    assert read == f"{RUSSIAN} \ufffd"
