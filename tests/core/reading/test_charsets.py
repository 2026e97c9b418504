"""Octets become text: declared, missing and wrong charsets, and transfer encodings."""

import pytest

from tasks.core.parse.parsing import parse


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("iso-8859-1", "cp1252"),
        ("koi8-r", "koi8-r"),
        ("gb2312", "gb18030"),
        ("UTF-8", "utf-8"),
        ("x-mac-roman", "mac-roman"),
        ("utf-16", "utf-16-be"),
        ("utf-16", "utf-16-le"),
        ("unicode", "utf-16-le"),
    ],
)
def test_declared_charset_is_used(charset: str, codec: str) -> None:
    """The body is decoded as its charset is meant."""
    words = {"koi8-r": "Привет, мир", "gb2312": "你好世界"}.get(charset, "Grüße – „hier“")
    raw = f"Content-Type: text/plain; charset={charset}\n\n".encode() + words.encode(codec)
    assert parse(raw).text == words


@pytest.mark.parametrize(
    "charset", ["", "; charset=us-ascii", "; charset=klingon", "; charset=hex"]
)
def test_missing_or_wrong_charset_is_guessed(charset: str) -> None:
    """Text in UTF-8 is read whatever is declared, and a wrong declaration is noted."""
    read = parse(f"Content-Type: text/plain{charset}\n\nGrüße aus Köln".encode())
    assert read.text == "Grüße aus Köln"
    assert any("charset" in one for one in read.defects) is bool(
        charset not in ("", "; charset=us-ascii")
    )


def test_charset_that_does_not_fit_is_guessed_by_its_letters() -> None:
    """Latin-1 under the name of UTF-8 is read as what it is."""
    body = "Die Bestellung für Herrn Müller wurde schön verpackt. Viele Grüße, Jörg Schäfer"
    raw = b"Content-Type: text/plain; charset=utf-8\n\n" + body.encode("latin-1")
    read = parse(raw)
    assert read.text == body
    assert any("does not fit" in one for one in read.defects)


@pytest.mark.parametrize(
    ("encoding", "body", "text"),
    [
        ("quoted-printable", "a=\nb =3D =C3=BC", "ab = ü"),
        ("base64", "SGVsbG8sIHdvcmxk", "Hello, world"),
        ("base64", "SGVs*bG8s IHdv\ncmxk", "Hello, world"),
        ("base64", "SGVsbG8sIHdvcmxkX", "Hello, world"),
        ("base64", "SGVsbG8=\nLCB3\nb3JsZA==", "Hello, world"),
        (
            "base64",
            "SGVsbG8=\n\n____\ntalk mailing list\nb@x.example",
            "Hello\n\n____\ntalk mailing list\nb@x.example",
        ),
        ("base64", "SGVsbG8=\n\nLCB3b3JsZA==", "Hello, world"),
        ("base64 (as ever)", "SGVsbG8=", "Hello"),
        ("quoted-printable", "one= \ntwo=\t\r\nthree=\rfour\nfive= ", "onetwothreefour\nfive"),
        ("base64", "Hello,\n\nhow long is it?\n\nWim", "Hello,\n\nhow long is it?\n\nWim"),
        ("x-uuencode", "begin 644 x\n%:&5L;&\\\nend", "hello"),
        ("7bit", "plain", "plain"),
        ("nonsense", "plain", "plain"),
    ],
)
def test_transfer_encodings(encoding: str, body: str, text: str) -> None:
    """Each transfer encoding is undone, broken ones as far as possible."""
    read = parse(f"Content-Transfer-Encoding: {encoding}\n\n{body}".encode())
    assert read.text == text


@pytest.mark.parametrize(
    ("codec", "body"),
    [
        (
            "cp1252",
            "It’s fast, fun and free for our users. Copyright © by the makers of it.",
        ),
        (
            "cp1252",
            "Rien n’a été livré depuis lundi, dites-nous où est la commande.",
        ),
        (
            "cp1252",
            "Box 393 in Örnsköldsvik is where the parcels for the workshop have to go.",
        ),
        (
            "cp1250",
            "Proszę o pilny kontakt, paczka nie dotarła, choć minął już tydzień.",
        ),
        (
            "cp1251",
            "Здравствуйте, заказ до сих пор не пришёл.",
        ),
        (
            "cp1254",
            "Merhaba, siparişim hâlâ gelmedi, ne zaman geleceğini öğrenebilir miyim? Işıl",
        ),
        ("cp932", "注文した商品はいつ届きますか。"),
        ("gb18030", "请问我的订单什么时候到货？"),
    ],
    ids=[
        "quotation marks",
        "french",
        "swedish",
        "polish",
        "russian",
        "turkish",
        "japanese",
        "chinese",
    ],
)
def test_undeclared_text_is_guessed_by_region(codec: str, body: str) -> None:
    """A few letters of Western Europe are taken for it; other regions are told by statistics."""
    assert parse(b"Content-Type: text/plain\n\n" + body.encode(codec)).text == body


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\u2028", "\u2029"])
def test_what_ends_a_line_does_not_run_words_together(mark: str) -> None:
    """A new page or another end of a line parts words as a line feed does; other controls go."""
    raw = b"Content-Type: text/plain; charset=utf-8\n\n" + f"one page{mark}an\x00other".encode()
    assert parse(raw).text == "one page\nanother"


@pytest.mark.parametrize(
    ("charset", "octets", "text"),
    [
        (
            "gb2312",
            "我们的订单什么时候到？价格".encode("gb18030") + b"\x80 5\xff",
            "我们的订单什么时候到？价格€ 5�",
        ),
        ("gbk", "请问发票 ".encode("gbk") + b"\xff" + "谢谢".encode("gbk"), "请问发票 �谢谢"),
        (
            "big5",
            "請問何時出貨".encode("big5") + b"\xff" + "謝謝".encode("big5"),
            "請問何時出貨�謝謝",
        ),
        ("euc-kr", "주문한 것은 언제".encode("cp949") + b"\xff", "주문한 것은 언제�"),
        (
            "shift_jis",
            "注文はいつ届きますか".encode("cp932") + b"\xfd",
            "注文はいつ届きますか\uf8f1",
        ),
        (
            "utf-8",
            "Wann öffnen Sie für Müller? ".encode() + b"\xe4",
            "Wann öffnen Sie für Müller? �",
        ),
        (
            "windows-1252",
            "Où est la facture ? ".encode("cp1252") + b"\x81",
            "Où est la facture ? �",
        ),
    ],
)
def test_odd_octet_costs_one_letter(charset: str, octets: bytes, text: str) -> None:
    """The stated charset or its superset is kept, with a mark for the odd octet."""
    read = parse(f"Content-Type: text/plain; charset={charset}\n\n".encode() + octets)
    assert read.text == text
    assert any("does not fit" in one for one in read.defects) is ("�" in text)


@pytest.mark.parametrize(
    ("charset", "octets", "text"),
    [
        ("iso-2022-jp", b"\x1b$B\x2d\x6a\x7c\x62\x1b(B no \x1b$B\x2d\x21\x1b(B", "㈱髙 no ①"),
        ("iso-2022-jp", b"\x1b(I\x31\x32\x1b(B ok", "ｱｲ ok"),
        ("euc-jp", b"\xad\xea\xc6\xfc\xcb\xdc \x8e\xb1", "㈱日本 ｱ"),
        ("shift_jis", "㈱髙①".encode("cp932"), "㈱髙①"),
        ("big5", "咁嘅".encode("big5hkscs"), "咁嘅"),
        ("iso-8859-2", "Łączę prośbę, źle".encode("cp1250"), "Łączę prośbę, źle"),
        ("iso-8859-7", "Άνοιξη – τώρα".encode("cp1253"), "Άνοιξη – τώρα"),
        ("iso-8859-2", b"\x84Zam\xf3wienie\x94 \x96 pilne", "„Zamówienie” – pilne"),
    ],
)
def test_letters_of_vendors_are_read(charset: str, octets: bytes, text: str) -> None:
    """Letters that only the superset of a stated charset has are read, and are no defect."""
    read = parse(f"Content-Type: text/plain; charset={charset}\n\n".encode() + octets)
    assert read.text == text
    assert not [one for one in read.defects if "charset" in one]


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("iso-8859-1", "Où est ma commande ? Reçu : 40 €"),
        ("iso-8859-2", "Kiedy dotrze zamówienie? • dziękuję"),
        ("windows-1251", "Когда придёт заказ?"),
        ("iso-8859-7", "Πότε θα έρθει η παραγγελία;"),
        ("gb2312", "订单什么时候到货"),
        ("windows-874", "สินค้าจะมาถึงเมื่อไร"),
    ],
)
def test_utf8_under_another_name_is_utf8(charset: str, text: str) -> None:
    """Text that is valid UTF-8 is read as such, and that something else was stated is noted."""
    read = parse(f"Content-Type: text/plain; charset={charset}\n\n{text}".encode())
    assert read.text == text
    assert any("does not fit" in one for one in read.defects)


@pytest.mark.parametrize(
    ("charset", "text"),
    [("gb2312", "模"), ("windows-874", "รก"), ("windows-1251", "Січень"), ("big5", "小")],
)
def test_few_letters_that_are_utf8_by_chance_are_not(charset: str, text: str) -> None:
    """One letter in a charset of its own is no UTF-8 because its octets would be valid."""
    codec = {"windows-874": "cp874", "gb2312": "gbk"}.get(charset, charset)
    read = parse(f"Content-Type: text/plain; charset={charset}\n\n".encode() + text.encode(codec))
    assert read.text == text


def test_page_states_its_charset_itself() -> None:
    """A page may state its charset where its part does not; a byte order mark comes first."""
    page = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>Добрый день</p>'
    assert parse(b"Content-Type: text/html\n\n" + page.encode("koi8-r")).text == "Добрый день"
    marked = b"Content-Type: text/plain; charset=koi8-r\n\n\xef\xbb\xbf" + "Grüße".encode()
    assert parse(marked).text == "Grüße"


@pytest.mark.parametrize(
    ("stated", "codec", "text"),
    [
        ("koi8-r", "cp1251", "Здравствуйте, когда будет отправлен мой заказ? Анна"),
        ("koi8-r", "cp1251", "Добрый день"),
        ("windows-1251", "koi8-r", "Здравствуйте, когда будет отправлен мой заказ?"),
        ("windows-1251", "iso-8859-5", "Здравствуйте, когда будет отправлен мой заказ?"),
        ("iso-8859-5", "cp1251", "Заказ до сих пор не пришёл"),
        ("koi8-r", "cp866", "Заказ до сих пор не пришёл"),
        ("iso-8859-1", "cp1251", "Заказ до сих пор не пришёл"),
        ("windows-1252", "koi8-u", "Доброго дня, коли буде відправлено замовлення?"),
        ("iso-8859-1", "cp1253", "Πότε θα έρθει η παραγγελία;"),
        ("iso-8859-1", "gb18030", "请问我的订单什么时候到货？谢谢"),
        ("gb2312", "big5", "請問我的訂單什麼時候到貨？謝謝"),
        ("big5", "gbk", "请问我的订单什么时候到货？谢谢"),
        ("shift_jis", "euc_jp", "注文した商品はいつ届きますか。"),
        ("euc-jp", "cp932", "注文した商品はいつ届きますか。"),
        ("gb2312", "euc-kr", "주문한 상품은 언제 도착하나요?"),
        ("iso-8859-1", "euc-kr", "주문한 상품은 언제 도착하나요?"),
    ],
)
def test_text_that_plainly_is_in_another_charset_is_read_in_it(
    stated: str, codec: str, text: str
) -> None:
    """A stated charset that makes no words gives way to the one that does, and that is noted."""
    read = parse(f"Content-Type: text/plain; charset={stated}\n\n".encode() + text.encode(codec))
    assert read.text == text
    assert any("does not fit" in defect for defect in read.defects)


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("koi8-r", "НЕ РАБОТАЕТ УСТРОЙСТВО"),
        ("koi8-r", "Заказ 77, ждём"),
        ("windows-1251", "ок"),
        ("windows-1251", "Поштовани, када ће стићи моја наруџбина? Хвала"),
        ("iso-8859-5", "Order § 5 and § 7 and § 9 and § 11"),
        ("koi8-r", "The word щука is one that I did not know"),
        ("iso-8859-1", "Où est ma commande ? Reçu n° 5 « été » à Noël"),
        ("windows-1252", "summary … and more … «so» … •••• 4242 – 5 € ¼ ½"),
        ("iso-8859-1", "¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯ total ¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯"),
        ("iso-8859-1", "ÜBERGRÖSSE: GRÖSSE Ä, MAẞE".replace("ẞ", "ß")),
        ("windows-1256", "Bonjour, où est la commande passée à Noël ?"),
        ("gb2312", "王鑫垚 陈赟 李犇 张淼"),
        ("gb2312", "Заказ до сих пор не пришел"),
        ("big5", "黃鈺婷 蘇奕儒"),
        ("euc-kr", "金東旭 대리"),
        ("shift_jis", "齋藤　渚"),
    ],
)
def test_text_in_the_charset_that_it_states_stays_as_it_is(charset: str, text: str) -> None:
    """Capitals, signs, names and foreign words do not make a stated charset implausible."""
    codec = {"gb2312": "gb18030", "big5": "big5hkscs", "iso-8859-1": "cp1252"}.get(charset, charset)
    read = parse(f"Content-Type: text/plain; charset={charset}\n\n".encode() + text.encode(codec))
    assert read.text == text
    assert not [defect for defect in read.defects if "charset" in defect]
