"""Good wishes and thanks are courtesies in each language, whatever time of the year is wished."""

import pytest

from tests.mind.accounts import ASKED, left, looked_at


@pytest.mark.parametrize(
    "wish",
    [
        "Hope you had a lovely weekend.",
        "Thanks ever so much and have a great start to the week!",
        "Many thanks for your kind and prompt attention.",
        "Vielen lieben Dank vorab und einen schönen Start in die Woche!",
        "Danke für Ihre schnelle Hilfe und eine schöne Restwoche!",
        "J'espère que vous avez passé de bonnes fêtes.",
        "Merci par avance pour votre précieuse aide.",
        "Espero que hayan tenido un feliz año.",
        "Gracias de antemano por su amabilidad.",
        "Spero stiate bene.",
        "Vi ringrazio in anticipo per la disponibilità.",
        "Ik wens u een fijn weekend.",
        "Alvast bedankt voor de moeite.",
        "Espero que esteja tudo bem convosco.",
        "Muito obrigada desde já pela vossa atenção.",
        "Życzę miłego dnia i dziękuję z góry za pomoc.",
        "I hope you don't mind me asking. Enjoy your long weekend!",
        "Ich bedanke mich im Voraus für Ihre Mühe und wünsche Ihnen einen angenehmen Tag.",
        "Je vous remercie par avance de l'attention que vous porterez à ma demande.",
        "Quedo a su disposición. Reciban un cordial saludo.",
        "In attesa di un cortese riscontro, porgo distinti saluti.",
        "Fico a aguardar o vosso contacto.",
        "Będę wdzięczna za odpowiedź.",
    ],
)
def test_a_good_wish_beside_an_answered_question_is_not_left_open(wish: str) -> None:
    """What is wished, or thanked for, is one of few things, and wants nothing."""
    letter = f"Hello,\n\n{wish}\n\n{ASKED}\n\nBest regards\nWim Tulip"
    assert left(looked_at(letter)) == []


@pytest.mark.parametrize(
    "wanted",
    [
        "Thanks for your refund of the second kayak.",
        "Have a look at my last message.",
        "Danke für Ihre Zusage, die Gebühr zu streichen.",
        "Einen guten Anwalt habe ich schon.",
        "Merci pour votre avoir de 40 euros.",
        "Gracias por el reembolso.",
        "Per la settimana di Pasqua siamo in otto.",
        "Een goed bod zie ik graag tegemoet.",
        "Obrigado pelo desconto.",
        "Dziękuję za rabat.",
        "Please do not hesitate to contact me on 0123 456 about the torn sail.",
        "Restant à votre disposition pour le remboursement.",
        "Für Rückfragen zur Stornierung stehe ich gern bereit.",
    ],
)
def test_what_only_begins_like_a_good_wish_stays_open(wanted: str) -> None:
    """Thanks for what is not on the list may be a claim, and wait for a person."""
    letter = f"Hello,\n\n{wanted}\n\n{ASKED}\n\nBest regards\nWim Tulip"
    assert left(looked_at(letter))
