"""Danger in everyday things: what melts, what falls on somebody, what a child swallows."""

import pytest

from tasks.mail.classify.urgent import is_urgent

DANGERS = [
    "My daughter burned her fingers on the lamp, the metal gets red hot within minutes.",
    "The heater tripped the breaker and now there is a black mark around the socket.",
    "The shelf came off the wall and nearly hit my toddler.",
    "There are pieces of glass in the jam that I bought from you.",
    "Der Stecker wird beim Laden so heiß, dass das Plastik weich wird.",
    "Mein Sohn hat eine Knopfzelle aus Ihrem Spielzeug verschluckt.",
    "La prise a fait un arc électrique quand j'ai branché le chargeur.",
    "Mon fils a avalé un aimant de votre jouet !",
    "Mi hija se ha tragado una pieza del juguete.",
    "La spina si è fusa nella presa mentre caricavo.",
    "Mio figlio ha ingoiato la pila a bottone del telecomando.",
    "De broodrooster gaf een vlam en nu is de muur zwart.",
    "O meu filho engoliu uma pilha do comando.",
    "Moje dziecko połknęło baterię z zabawki.",
    "Зарядное устройство дымится и пахнет горелым.",
    "Priz kıvılcım çıkarıyor ve yanık kokuyor.",
    "充電器から煙が出ています。",
    "手机充电时冒烟了。",
]
NONE = [
    "I swallowed hard when I saw the price of the repair.",
    "Is the red-hot offer still on?",
    "My dog ate the instructions, can you send a PDF?",
    "The black mark on the table is from my cup, not from your lamp.",
    "I work in a hospital and need 20 lamps for patients.",
    "I ate a piece of your cake and it was wonderful.",
    "Das Spielzeug gefällt meinem Sohn, gibt es noch ein Teil dazu?",
    "Est-ce que la bouilloire peut fondre si elle est vide ?",
    "La lámpara tiene una llama decorativa preciosa, gracias.",
    "El perro se llama Bruno y la lámpara es para su caseta.",
    "Il cliente ha comprato la presa e la spina.",
    "Mijn zoon heeft de batterijen vervangen, maar de lamp blijft zwart.",
    "Lampa w kształcie płomienia jest piękna, czy jest większa?",
    "Лампочка не горит, можно обменять?",
    "充電器から煙は出ていません。",
]


@pytest.mark.parametrize("danger", DANGERS)
def test_danger_at_home_is_urgent(danger: str) -> None:
    """Whatever the thing is: what it does, or what happens to somebody, says so."""
    assert is_urgent(danger, "Your product")


@pytest.mark.parametrize("harmless", NONE)
def test_words_of_danger_where_nothing_is_in_danger_are_not(harmless: str) -> None:
    """Figures of speech, questions, denials and names of things."""
    assert is_urgent(harmless, "A question") is None


@pytest.mark.parametrize(
    "near",
    [
        "Our flight leaves in three hours and the booking code does not work.",
        "Ślub jest jutro, a krzesła nie dotarły.",
        "The funeral is tomorrow and the chairs are missing.",
        "Morgen ist die Beerdigung, und die Stühle fehlen.",
    ],
)
def test_what_is_missing_for_a_day_that_is_near_is_urgent(near: str) -> None:
    """A feast or a farewell of tomorrow; one that lies far ahead, or a mere visit, is not."""
    assert is_urgent(near, "A question")
    assert is_urgent("The funeral is in June; which chairs are missing here?", "Chairs") is None
