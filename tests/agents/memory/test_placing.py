"""Statements are placed in the layer that a person would choose, in four languages."""

from pathlib import Path

import pytest

from data.word_lists import word_list
from tasks.agents.remembering.layer_choice import StatementPlace, place_sentence
from tasks.agents.stating import has_statement
from tasks.agents.triage import is_question_or_order

SETS = {
    "statements.yaml": 0.95,
    "statements_second.yaml": 0.9,
    "statements_third.yaml": 0.9,
    "statements_fourth.yaml": 0.85,
}
"""Files of labelled statements, with the least share of each that is to be placed as it says."""


def _share(file: str) -> float:
    """Return which share of a file's statements is placed as it says."""
    table = word_list(Path(__file__).with_name(file))
    placed = [
        place_sentence(statement).place is StatementPlace(where)
        for layers in table.values()
        for where, statements in layers.items()
        for statement in statements
    ]
    return sum(placed) / len(placed)


@pytest.mark.parametrize(("file", "least"), SETS.items())
def test_statements_are_placed(file: str, least: float) -> None:
    """The sets that the lists were made with; what new statements make of it is in the docs."""
    assert _share(file) >= least


def test_nothing_of_one_person_is_placed_wider() -> None:
    """Of the four sets no statement about who says it would be known by more than that person."""
    for name in SETS:
        table = word_list(Path(__file__).with_name(name))
        for layers in table.values():
            for statement in layers["user"]:
                assert place_sentence(statement).place in (
                    StatementPlace.USER,
                    StatementPlace.DISCARD,
                ), statement


@pytest.mark.parametrize(
    "asked",
    [
        "how do i pair a dipper",
        "whats our wifi password",
        "has priya paid",
        "Please, who is on call tonight",
        "was haben wir Helena versprochen",
        "hat sich thomas gemeldet",
        "combien coûte la livraison",
        "qu'est-ce que nous avons promis",
        "cuánto cuesta el wren por día",
        "telefonnummer von sabine krüger",
        "do not cancel the meeting with Ida",
        "dont remember that i like tea",
        "Merk dir nicht, dass ich Tee mag",
        "lunch with maud tomorrow at 1",
    ],
)
def test_what_is_asked_or_ordered_without_a_mark_is_not_remembered(asked: str) -> None:
    """People type questions without a question mark; told later, they would look like facts."""
    assert place_sentence(asked).place is StatementPlace.DISCARD


@pytest.mark.parametrize(
    "left",
    [
        "i have not done the inventory yet",
        "i haven't called Ana",
        "I should have called Ana",
        "we should have sent the offer",
        "I forgot to write to Femke",
        "Ich habe die Inventur noch nicht gemacht",
        "Ich habe den Bericht nicht geschrieben",
        "Ich hätte Ana anrufen sollen",
        "je n'ai pas fait l'inventaire",
        "j'aurais dû appeler Ana",
        "no he hecho el inventario",
        "debería haber llamado a Ana",
    ],
)
def test_what_was_left_undone_is_not_remembered(left: str) -> None:
    """It is so until it is done; told later, it would be wrong."""
    assert place_sentence(left).place is StatementPlace.DISCARD


@pytest.mark.parametrize(
    "stated",
    [
        "I have not got a car",
        "I have never been to Paris",
        "I don't eat meat",
        "I should not eat nuts",
        "Ich habe kein Auto",
        "je n'ai pas de voiture",
        "no he estado nunca en París",
    ],
)
def test_what_somebody_has_or_is_not_is_remembered(stated: str) -> None:
    """A denial alone is no reason to forget."""
    assert place_sentence(stated).place is StatementPlace.USER


@pytest.mark.parametrize(
    "ordered", ["what are my tasks", "thx", "Anything urgent", "add tea to my list"]
)
def test_a_plain_order_states_nothing(ordered: str) -> None:
    """So nothing of it is remembered; what somebody has to do may be."""
    assert is_question_or_order(ordered)
    assert not is_question_or_order("I have to leave at five tomorrow")


@pytest.mark.parametrize(
    "stated",
    [
        "Don't call me before ten",
        "When customers call after five, Jonas takes them",
        "Was Kunden zahlen, ist netto",
        "Ne m'appelez jamais avant dix heures",
        "Como siempre, los lunes tenemos inventario",
    ],
)
def test_a_statement_that_begins_like_a_question_is_remembered(stated: str) -> None:
    """A word that may open a question is no question alone."""
    assert place_sentence(stated).place is not StatementPlace.DISCARD


@pytest.mark.parametrize(
    "asked",
    [
        "can i take wren on a plane",
        "dürfen wir mit dipper aufnehmen",
        "wie lang hält der akku und was wiegt er",
        "darf man das im Freien benutzen",
        "peut on enregistrer avec dipper",
        "where to send the broken receivers",
        "puede un cliente pagar en efectivo",
        "anyhting i shd answer before lunch",
        "rapelle moi jeudi 15h de rappeler Claire",
        "recuredame el lunes llamar a ana",
        "remnid me at 9 to call ana",
    ],
)
def test_a_question_or_an_order_that_is_not_recognized_is_never_kept(asked: str) -> None:
    """Without its mark, with a slip in its first word, in whatever language is guessed."""
    assert place_sentence(asked).place is StatementPlace.DISCARD or not has_statement(asked)


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("Wer absagt und nicht kommt, zahlt die Hälfte.", True),
        ("Wer hat heute Abend Dienst, wenn Marta fehlt.", False),
        ("Wer kommt morgen früh, Marta oder Tom?", False),
        ("Quien cancela con poco tiempo paga la mitad.", True),
        ("Quién cancela con poco tiempo y quién paga.", False),
        ("If the line is busy, the call goes to Omar.", True),
        ("If the line is busy, send the call to Omar.", False),
        ("Wenn besetzt ist, geht der Anruf zu Omar.", True),
    ],
)
def test_what_holds_for_anybody_is_told_from_a_question_and_an_order(
    text: str, is_kept: bool
) -> None:
    """A rule is kept, though it begins as a question does."""
    assert (place_sentence(text).place is not StatementPlace.DISCARD) is is_kept
