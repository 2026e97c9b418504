"""Where a sender begins another matter, and how often messages fork on whole sets of them."""

import pytest

from benchmarks.understanding_forks import HALVES, figures, written
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.topic_segments import Start, cut_sentences, sentences

SAID = [
    "Also, is there parking?",
    "Außerdem fehlt die Rechnung.",
    "Par ailleurs, la facture est fausse.",
    "Además quiero un presupuesto.",
    "Inoltre manca la fattura.",
    "Daarnaast klopt de factuur niet.",
    "Além disso falta a fatura.",
    "Poza tym brakuje faktury.",
]
TURNED = [
    "Another thing: is there parking?",
    "On a different note, the tap drips.",
    "Noch etwas anderes: der Hahn tropft.",
    "Zweitens: die Rechnung fehlt.",
    "Autre chose : le robinet fuit.",
    "Otra cosa: gotea el grifo.",
    "Un'altra cosa: il rubinetto perde.",
    "Nog iets: de kraan lekt.",
    "Outra coisa: a torneira pinga.",
    "Jeszcze jedno: kran cieknie.",
]


@pytest.mark.parametrize(("opening", "start"), [
    *((one, Start.SAID) for one in SAID), *((one, Start.TURNED) for one in TURNED),
])  # fmt: skip
def test_words_that_begin_another_matter_are_known(opening: str, start: Start) -> None:
    """In eight languages, at the start of a sentence, with what is around it told apart."""
    found = cut_sentences(f"The lamp does not work. {opening} Thanks.")
    assert [one for _, one in found] == [Start.SENTENCE, start, Start.SENTENCE]
    assert " ".join(piece for piece, _ in found) == f"The lamp does not work. {opening} Thanks."


def test_paragraphs_items_and_also_inside_are_hints() -> None:
    """A blank line, a list mark, "and" at the start, or "also" near it hint at another matter."""
    text = "The lamp flickers.\nIt hums.\n\nHow much is the red one?\n- two bulbs\n1) a socket"
    assert [int(start) for _, start in cut_sentences(text)] == [0, 0, 1, 1, 1]
    for one in ("And is it dry?", "We would also like a quote.", "Ich hätte auch gern eins."):
        assert cut_sentences(f"It works. {one}")[1][1] is Start.HINTED
    assert (
        cut_sentences("It works. We would like a quote, please, and that is also all.")[1][1] == 0
    )


def test_a_sentence_is_cut_where_another_matter_begins_inside() -> None:
    """Only after a pause or "and", so that "also" between words cuts nothing apart."""
    text = "The lamp is broken, by the way what does the red one cost?"
    assert sentences(text) == ["The lamp is broken", "by the way what does the red one cost?"]
    assert len(sentences("While I have you do you also sell blades for it?")) == 1


@pytest.mark.parametrize("half", HALVES)
def test_two_wishes_are_found_and_one_stays_one(half: str, classifier: LocalClassifier) -> None:
    """On messages that nothing was trained on: well over half are found, few fork for nothing."""
    items = written(half)
    said = classifier.classify_many([Incoming(text=item.text) for item in items])
    found = figures(items, said)
    assert found["both_right"] >= 0.55
    assert found["forked_wrongly"] <= 0.04


@pytest.mark.parametrize("half", HALVES)
def test_no_sentence_is_lost_or_told_twice(half: str, classifier: LocalClassifier) -> None:
    """Whatever forks, every sentence of the message is in exactly one intent."""
    for item in written(half):
        intents = classifier.classify(item.text).intents
        told = sorted(word for intent in intents for word in intent.text.split())
        assert told == sorted(" ".join(sentences(item.text)).split())
