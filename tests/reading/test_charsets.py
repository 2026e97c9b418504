"""Octets become text: declared, missing and wrong charsets, and transfer encodings."""

import pytest

from tasks.parse.parsing import parse


@pytest.mark.parametrize(
    ("charset", "codec"),
    [("iso-8859-1", "cp1252"), ("koi8-r", "koi8-r"), ("gb2312", "gb18030"), ("UTF-8", "utf-8")],
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
    ],
    ids=["quotation marks", "french", "swedish", "polish", "russian"],
)
def test_undeclared_text_is_guessed_by_region(codec: str, body: str) -> None:
    """A few letters of Western Europe are taken for it; other regions are told by statistics."""
    assert parse(b"Content-Type: text/plain\n\n" + body.encode(codec)).text == body


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\u2028", "\u2029"])
def test_what_ends_a_line_does_not_run_words_together(mark: str) -> None:
    """A new page or another end of a line parts words as a line feed does; other controls go."""
    raw = b"Content-Type: text/plain; charset=utf-8\n\n" + f"one page{mark}an\x00other".encode()
    assert parse(raw).text == "one page\nanother"
