"""Hundreds of ways to hide an order in HTML: no model reads it, and the reading keeps it."""

import pytest

from tasks.core.asking.model_view import model_view
from tasks.mail.read import read_mail
from tests.core.screening.benign_letters import LAYOUTS, letters
from tests.core.screening.smuggling_cases import ORDERS, cases, techniques


def test_there_are_more_than_five_hundred_cases() -> None:
    """Each technique is tried in each carrier, and every language has its share."""
    named = [name for technique in techniques() for name, _, _ in cases(technique)]
    assert len(set(named)) > 500
    assert all(any(name.endswith(language) for name in named) for language in ORDERS)


@pytest.mark.parametrize("technique", techniques())
def test_hidden_order_is_in_no_model_text_and_is_kept(technique: str) -> None:
    """What the reader does not see is cut from a model's view, and listed with its reason."""
    readable, lost, unseen = [], [], []
    for name, canary, raw in cases(technique):
        reading = read_mail(raw)
        view = model_view(reading.mail, reading.segments)
        if canary in view or canary in reading.mail.text:
            readable.append(name)
        if not any(canary in hidden.text and hidden.reason for hidden in reading.mail.hidden):
            lost.append(name)
        if "kettle arrived" not in view or "Petra" not in view:
            unseen.append(name)
    assert (readable, lost, unseen) == ([], [], [])


def test_five_hundred_ordinary_html_mails_keep_their_visible_text() -> None:
    """Every sentence that the reader of an ordinary HTML mail sees is in the text, in order."""
    lost = []
    seen = set()
    for layout, said, raw in letters(504):
        seen.add(layout)
        mail = read_mail(raw).mail
        text = " ".join(line.lstrip("> ") for line in mail.text.split("\n"))
        at = 0
        for sentence in said:
            at = " ".join(text.split()).find(sentence, at)
            if at < 0:
                lost.append((layout, sentence))
                break
    assert len(seen) == len(LAYOUTS)
    assert lost == []
