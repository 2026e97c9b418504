"""Danger that two words of a clause tell, trouble where people wait, and the words of neither."""

import pytest

from tasks.mail.classify.urgent import could_be_urgent, is_urgent

HAZARDS = [
    "The transmitter case is hot enough to burn my hand.",
    "One receiver popped and there is black soot inside.",
    "There is a hissing noise and a white vapour from the battery pack.",
    "Acid is oozing out of the cells.",
    "The cable is live and bare, a child touched it.",
    "I got a rash and my ear is swollen after wearing the ear hook.",
    "The charger trips the fuse and there was a bang.",
    "He collapsed after touching the cable.",
    "There's soot on the plug and the outlet is charred.",
    "Aus dem Akku tritt Flüssigkeit aus.",
    "Es hat geknallt und jetzt stinkt es nach verschmortem Plastik.",
    "Aus dem Ladekoffer kommt Qualm.",
    "Mein Ohr ist nach dem Tragen geschwollen und blutet.",
    "Beim Einstecken der Ladestation fliegt die Sicherung raus und es hat geknallt.",
    "Du liquide coule de la batterie.",
    "Un boîtier s'est enflammé cette nuit.",
    "Il y a de la suie sur la prise.",
    "Elle a fait un malaise après avoir touché le câble.",
    "Gotea líquido de la batería.",
    "De la pila sale un líquido amarillo.",
    "Hay hollín en el enchufe.",
    "Se desmayó un visitante al tocar el cable.",
    "C'è fuliggine sulla presa.",
    "Un ospite sanguina.",
    "Er komt vloeistof uit de batterij.",
    "Een bezoeker is flauwgevallen.",
    "Há fuligem na tomada.",
    "Um visitante desmaiou.",
    "Z baterii cieknie płyn.",
    "Gość został porażony prądem.",
    "An invoice of another company was attached to our mail.",
    "In Ihrer Mail hing die Kundenliste einer anderen Firma.",
]
PEOPLE_WAIT = [
    "200 people are sitting in the hall and nothing works.",
    "Guests are waiting and the main transmitter is dead.",
    "The show begins in forty minutes and all the receivers are silent.",
    "300 Leute sitzen im Saal und nichts funktioniert.",
    "Die Veranstaltung läuft schon und der Sender ist tot.",
    "Les invités attendent et l'émetteur est muet.",
    "El público espera y el emisor está mudo.",
]
NOTHING = [
    "We visit a liquid gas plant, will the receivers work in the noise?",
    "There is a hiss in the receiver when I walk past the lift.",
    "The transmitter is live on channel 4.",
    "Is the case waterproof against liquids?",
    "Do you ship batteries with acid?",
    "The microphone pops on the letter P.",
    "A guide with a broken arm needs a lighter set.",
    "The receiver is dead, what can I do?",
    "The audience is waiting for your new catalogue.",
    "How do I keep the receivers from overheating?",
    "What happens if a battery swells?",
    "There is no liquid in the battery compartment.",
    "Der Empfänger rauscht und zischt auf Kanal 3.",
    "Der Sender ist tot, was kann ich tun?",
    "Mir brennt eine Frage unter den Nägeln: Was kostet Wren?",
    "Ist der Koffer dicht gegen Flüssigkeit?",
    "Le récepteur siffle quand je passe près de l'ascenseur.",
    "L'émetteur est muet, que faire ?",
    "La batería no gotea líquido.",
    "El receptor pierde la señal.",
    "El emisor está mudo, ¿qué hago?",
]


@pytest.mark.parametrize("text", HAZARDS)
def test_two_words_of_danger_in_one_clause_are_urgent(text: str) -> None:
    """What holds energy and what only a dangerous one does; somebody and what he suffers."""
    assert is_urgent(text, "Wren") is not None


@pytest.mark.parametrize("text", PEOPLE_WAIT)
def test_what_fails_while_people_wait_is_urgent(text: str) -> None:
    """An audience that is there needs no word for the time that is left."""
    assert is_urgent(text, "Wren") is not None


@pytest.mark.parametrize("text", NOTHING)
def test_the_same_words_of_nothing_are_not(text: str) -> None:
    """Sound, questions, suppositions, denials and figures of speech endanger nobody."""
    assert is_urgent(text, "Wren") is None


@pytest.mark.parametrize(
    "text",
    [
        "The novel is called Smoke and Ashes; we need 30 receivers for a reading.",
        'We perform "Fire" tonight and would like to hire next month.',
        "Le spectacle s'appelle Fumée.",
        "La obra se llama Humo.",
        "We are burning to hear your new Lark sets.",
    ],
)
def test_titles_and_wishes_do_not_press(text: str) -> None:
    """The name of a play is no evidence for the model either."""
    assert not could_be_urgent(text, "")


def test_a_verb_of_romance_languages_is_no_sale() -> None:
    """*Sale humo* is smoke that comes out, and no mass mail that can wait."""
    assert is_urgent("Sale humo del cargador.", "") is not None
    assert is_urgent("Our summer sale: act now, prices are on fire in the hall!", "") is None
