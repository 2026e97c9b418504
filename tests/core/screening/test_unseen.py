"""What is not seen in over 1,200 generated mails, and what is in 500 ordinary ones."""

from random import Random

import pytest

from data.records.core.parsed_mail import ParsedMail
from tasks.core.asking.model_view import model_view
from tasks.core.markup.text_places import NOWHERE
from tasks.mail.read import read_mail
from tests.core.screening.desk_letters import desk_letters, layouts, running
from tests.core.screening.unseen_mail import AFTER, BEFORE, hidden_cases, letter, smuggled, ways

KINDS = ("style", "sheet", "nest", "markup", "page", "letters")


def told(mail: ParsedMail, canary: str) -> list[tuple[str, int]]:
    """Return reason and place of each hidden text that holds a word."""
    return [(one.reason, one.at) for one in mail.hidden if canary in one.text]


def test_there_are_more_than_six_hundred_ways() -> None:
    """Each way stands there once."""
    assert len(set(ways())) == len(list(ways())) > 600


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_seen_reaches_no_model_and_is_told_with_way_and_place(kind: str) -> None:
    """Every hidden order is cut, kept with reason and place, and the sentences around it stay."""
    wrong = []
    for case, raw in smuggled(seed=1):
        if case.kind != kind:
            continue
        reading = read_mail(raw)
        view = model_view(reading.mail, reading.segments)
        found = told(reading.mail, case.canary)
        words = " ".join(view.split())
        if case.canary in view or case.canary in reading.mail.text:
            wrong.append(("readable", case.way))
        if not found:
            wrong.append(("not kept", case.way))
        elif case.reasons and not any(reason in case.reasons for reason, _ in found):
            wrong.append((f"kept as {found}", case.way))
        elif all(at == NOWHERE for _, at in found):
            wrong.append(("without a place", case.way))
        if BEFORE not in words or AFTER not in words:
            wrong.append(("cut too much", case.way))
    assert wrong == []


def test_the_place_of_what_is_hidden_lies_between_the_sentences_around_it() -> None:
    """For elements that hide by their style the place is behind the first sentence."""
    for case, raw in smuggled(seed=2):
        if case.kind != "style":
            continue
        mail = read_mail(raw).mail
        places = [at for _, at in told(mail, case.canary)]
        assert mail.text[: places[0]].strip().endswith(BEFORE), case.way
        assert mail.text[places[0] :].strip().startswith(AFTER), case.way


def test_an_order_hidden_in_an_ordinary_mail_is_found_there() -> None:
    """Under newsletters, answers and receipts the same ways hide nothing more."""
    wrong = []
    rng = Random(3)
    hidden = [case for case in hidden_cases(seed=3) if case.kind in ("style", "nest", "markup")]
    for ordinary, case in zip(desk_letters(3, len(hidden)), hidden, strict=True):
        end = f'<div style="background:#fff;color:#000"><p>{AFTER}</p>{case.snippet}</div>'
        mail = read_mail(letter(ordinary.html + end, rng)).mail
        if case.canary in mail.text or not told(mail, case.canary):
            wrong.append((ordinary.layout, case.way))
        if AFTER not in running(mail.text) or ordinary.lost(mail.text):
            wrong.append((ordinary.layout, f"loses words beside {case.way}"))
    assert wrong == []


def test_ordinary_mail_keeps_every_sentence_that_is_seen() -> None:
    """Each sentence of 510 mails in fifty layouts is in the text, in order; nothing unseen is."""
    wrong = []
    for ordinary in desk_letters(1, 510):
        mail = read_mail(ordinary.raw).mail
        if lost := ordinary.lost(mail.text):
            wrong.append((ordinary.layout, lost))
        if ordinary.unseen in mail.text:
            wrong.append((ordinary.layout, "shows what is not seen"))
    assert wrong == []
    assert len(layouts()) >= 50
