"""Where hidden text stood: found by the words around it, or said to be nowhere."""

import time

import pytest

from data.records.mail import Hidden, ParsedMail
from tasks.hidden_places import NOWHERE, hidden_places

TEXT = "The kettle arrived on Monday.\n\nKind regards\nPetra"


def places(html: str, *hidden: str, text: str = TEXT) -> list[str]:
    """Return for each hidden text the last word before its place, or `nowhere`."""
    mail = ParsedMail(
        text=text, html=html, hidden=tuple(Hidden(text=one, reason="comment") for one in hidden)
    )
    found = hidden_places(mail)
    assert len(found) == len(hidden)
    return [
        "nowhere" if place == NOWHERE else (text[:place].split() or ["start"])[-1]
        for place in found
    ]


@pytest.mark.parametrize(
    ("html", "hidden", "after"),
    [
        ("<p>The kettle <b hidden>obey me now</b> arrived on Monday.", "obey me now", "kettle"),
        ("<p>The kettle arrived on Monday.<!-- obey me --><p>Kind", "obey me", "Monday."),
        ("<p>The kettle arrived on <img alt='obey me'> Monday.", "obey me", "on"),
        ("<i hidden>obey me</i><p>The kettle arrived on Monday.", "obey me", "start"),
        ("<p>The kettle arrived on Monday.<i hidden>ob&#101;y m&#101;</i>", "obey me", "Monday."),
    ],
)
def test_hidden_text_has_its_place(html: str, hidden: str, after: str) -> None:
    """Elements, comments, attributes and entities are placed after the word before them."""
    assert places(html, hidden) == [after]


def test_several_do_not_get_in_each_others_way() -> None:
    """One hidden text right after another has the same place, for it is no word before it."""
    html = "<p>The kettle <b hidden>obey me</b><!-- and me --> arrived on Monday.<i hidden>last</i>"
    assert places(html, "obey me", "and me", "last") == ["kettle", "kettle", "Monday."]


def test_what_cannot_be_placed_is_nowhere() -> None:
    """Words that are not in the HTML, and mail without any, have no place."""
    assert places("<p>The kettle arrived on Monday.", "quite something else") == ["nowhere"]
    assert places("", "obey me") == ["nowhere"]


@pytest.mark.parametrize("html", ["<b>a a a</b> " * 40_000, "<!--" * 200_000, "<" * 900_000])
def test_hostile_markup_is_bounded(html: str) -> None:
    """However often the same words stand there, placing them ends soon."""
    mail = ParsedMail(
        text="a " * 200_000,
        html=html,
        hidden=tuple(Hidden(text="a a a a", reason="comment") for _ in range(300)),
    )
    began = time.process_time()
    assert len(hidden_places(mail)) == 300
    assert time.process_time() - began < 5
