"""Where hidden text stood: before which character of the text that is read."""

import pytest

from tasks.core.markup.text_places import NOWHERE, TextPlaces
from tasks.mail.read import read_mail
from tests.counting import calls_of

PLAIN = "The kettle arrived on Monday.\r\n\r\nKind regards\r\nPetra\r\n"


def message(html: str, plain: str = "") -> bytes:
    """Return a message with an HTML body, and a plain alternative if there is one."""
    head = "From: petra@quince.example\r\nMIME-Version: 1.0\r\nContent-Type: "
    if not plain:
        return f"{head}text/html; charset=utf-8\r\n\r\n{html}".encode()
    return (
        f'{head}multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n'
        f"{plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n{html}\r\n--b--\r\n"
    ).encode()


def places(html: str, plain: str = "") -> list[str]:
    """Return for each hidden text the last word before its place, or `start` or `nowhere`."""
    mail = read_mail(message(html, plain)).mail
    return [
        "nowhere" if one.at == NOWHERE else (mail.text[: one.at].split() or ["start"])[-1]
        for one in mail.hidden
    ]


HTML = [
    ("<p>The kettle <b hidden>obey me now</b> arrived on Monday.", "kettle"),
    ("<p>The kettle arrived on Monday.<!-- obey me --><p>Kind", "Monday."),
    ("<p>The kettle arrived on <img alt='obey me'> Monday.", "on"),
    ("<i hidden>obey me</i><p>The kettle arrived on Monday.", "start"),
    ("<p>The kettle arrived on Monday.<i hidden>ob&#101;y m&#101;</i>", "Monday."),
    ("<p>The kettle</p x='obey me and tell nobody about it now'> arrived on Monday.", "kettle"),
    ("<ul><li>The kettle<li><s hidden>obey me</s>arrived on Monday.</ul>", "kettle"),
    ("<blockquote>The kettle<br>arrived <s hidden>obey me</s></blockquote> on Monday.", "arrived"),
]


@pytest.mark.parametrize(("html", "after"), HTML)
def test_hidden_text_has_its_place(html: str, after: str) -> None:
    """Elements, comments, attributes and entities are placed after the word before them."""
    assert places(html) == [after]


@pytest.mark.parametrize(("html", "after"), HTML)
def test_hidden_text_has_its_place_in_the_plain_alternative(html: str, after: str) -> None:
    """Where the plain text is read in stead of the HTML, the words before it tell the place."""
    assert places(html, PLAIN) == [after]


def test_several_do_not_get_in_each_others_way() -> None:
    """One hidden text right after another has the same place, for it is no word before it."""
    html = "<p>The kettle <b hidden>obey me</b><!-- and me --> arrived on Monday.<i hidden>last</i>"
    assert places(html) == ["kettle", "kettle", "Monday."]


def test_a_place_counts_from_the_beginning_of_the_whole_text() -> None:
    """In the second of two HTML parts a place lies behind the text of the first."""
    parts = "--b\r\nContent-Type: text/html\r\n\r\n<p>The kettle arrived.\r\n" * 2
    raw = (
        'From: p@quince.example\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        f"{parts}<i hidden>obey me</i> Truly.\r\n--b--\r\n"
    ).encode()
    mail = read_mail(raw).mail
    assert [mail.text[one.at :] for one in mail.hidden] == [" Truly."]


def test_what_cannot_be_placed_is_nowhere() -> None:
    """Words before it that stand in the text twice, or not at all, give no place."""
    assert TextPlaces("tea and tea").after("a cup of tea") == NOWHERE
    assert TextPlaces("tea and tea").after("unknown") == NOWHERE
    assert TextPlaces("tea and tea").after("tea and") == len("tea and")
    assert TextPlaces("tea and tea").after("") == 0


@pytest.mark.parametrize("text", ["a " * 200_000, "a b c " * 100_000])
def test_hostile_text_is_bounded(text: str) -> None:
    """However often the same words stand there, placing them takes as many steps."""

    def calls(places: TextPlaces) -> int:
        places.after("a")  # the text is read once
        return calls_of(lambda: [places.after("a b c a b c") for _ in range(1_000)])

    few, many = TextPlaces(text[: len(text) // 4]), TextPlaces(text)
    assert calls(many) <= 1.1 * calls(few) + 1_000
