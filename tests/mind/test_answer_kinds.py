"""What a question wants, and what is only near: prices, times, codes, compounds, other entries."""

import pytest

from data.records.mail.briefing import Snippet, SourceKind
from tasks.core.answering.answer import answer
from tasks.core.words.questions import questions

CLINIC = {
    "Microchips": "A microchip costs 29 euros, registration included.",
    "Exams": "The rider exam takes place in May and November. The fee is 206 euros.",
    "Intensive courses": "The intensive course runs for 2 weeks. It costs 460 euros, books aside.",
    "Evening courses": "An evening course has 24 lessons and costs 384 euros.",
    "Educational leave": "The intensive course is recognised as educational leave.",
    "Where the rooms are": "The rooms are on the second floor of Weaver House. There is a lift.",
    "Missed lessons": "The teacher sends the material on request.",
    "Changing the group": "You can change to another group within the first 3 lessons.",
    "Form 630": "You need the form R-630 from the office.",
}
BOILERS = {
    "Umwälzpumpe BK-40": "Die Umwälzpumpe BK-40 kostet 289 Euro. Sie passt zur Reihe NK 200.",
    "Umwälzpumpe BK-60": "Die Umwälzpumpe BK-60 kostet 349 Euro.",
    "Zündelektrode ZE-7.2": "Die Zündelektrode ZE-7.2 kostet 24,90 Euro.",
    "Fehlercode E13": "E13 bedeutet, dass der Druck fehlt. Füllen Sie Wasser nach.",
    "Fehlercode E31": "E31 bedeutet, dass der Fühler defekt ist.",
    "Pflichten nach § 71 GEG": "Neue Heizungen müssen 65 Prozent erneuerbare Energie nutzen.",
    "Express": "Expressversand kostet 24 Euro.",
    "Angebote": "Ein Angebot für eine neue Heizung ist kostenlos.",
    "Heizkörper": "Heizkörper sind in den Höhen 300 und 600 Millimeter lieferbar.",
}


def told(house: dict[str, str], language: str, asked: str) -> str:
    """Return what is told to a question, or nothing."""
    snippets = [
        Snippet(
            source=SourceKind.KNOWLEDGE,
            ref=f"knowledge:{title}",
            title=title,
            text=text,
            trusted=True,
            language=language,
        )
        for title, text in house.items()
    ]
    found = [answer(question, snippets) for question in questions(asked)]
    return " ".join(one.sentence for made in found if made for one in made.citations)


@pytest.mark.parametrize(
    ("asked", "piece"),
    [
        ("What does the intensive course cost?", "460 euros"),
        ("what does the intesive corse cost", "460 euros"),
        ("What does a microchip cost?", "29 euros"),
        ("Is there an elevator?", "lift"),
        ("How long does a microchip last?", ""),
        ("How long does the rider exam take?", ""),
        ("What is the rent of Weaver House?", ""),
        ("Are the evening courses recognised as educational leave?", ""),
        ("What happens if I change my mind and drop out?", ""),
        ("Where do I send what?", ""),
    ],
)
def test_the_kind_that_is_asked_for_is_told(asked: str, piece: str) -> None:
    """A price answers for a price and a time for a time; what is only near stays open."""
    found = told(CLINIC, "en", asked)
    assert piece in found if piece else not found


@pytest.mark.parametrize(
    ("asked", "piece", "never"),
    [
        ("Was kostet die BK-40?", "289 Euro", "349"),
        ("was kostet die bk40", "289 Euro", "349"),
        ("passt die BK 40 zum NK200?", "Reihe NK 200", "349"),
        ("Ich brauche eine ZE 7.2, Preis?", "24,90 Euro", "289"),
        ("Die Heizung zeigt E13 an, was soll ich tun?", "Füllen Sie Wasser nach", "Fühler"),
        ("Was verlangt §71 GEG von uns?", "65 Prozent", "Euro"),
        ("Ist ein Heizungsangebot gratis?", "kostenlos", "Euro"),
    ],
)
def test_a_code_is_found_however_it_is_written(asked: str, piece: str, never: str) -> None:
    """Hyphens, spaces and capitals do not matter to a code; the next code is another thing."""
    found = told(BOILERS, "de", asked)
    assert piece in found
    assert never not in found


@pytest.mark.parametrize(
    "asked",
    [
        "Was kostet die BK-80?",
        "Was bedeutet E14?",
        "Passt die BK-60 zur Reihe NK 200?",
        "Wie hoch ist der Einkaufspreis der BK-40?",
        "Was kostet Expressversand nach Österreich?",
        "Was kostet die Heizungswartung?",
        "Wie lange hält die Zündelektrode ZE-9?",
    ],
)
def test_a_near_code_or_compound_stays_open(asked: str) -> None:
    """Another number, another half of a compound or another country is not answered."""
    assert told(BOILERS, "de", asked) == ""


LOOMS = {
    "en": {
        "Repair of a loom": "A repair takes 12 days. The inspection costs 35 euros.",
        "Hire": "The hire of a loom costs 80 euros a month. Insurance for a loom costs 9 euros.",
    },
    "de": {
        "Reparatur eines Webstuhls": "Die Reparatur dauert 12 Tage. Die Prüfung kostet 35 Euro.",
        "Miete": "Die Miete eines Webstuhls kostet 80 Euro im Monat. "
        "Die Versicherung für einen Webstuhl kostet 9 Euro.",
    },
    "fr": {
        "Réparation": "La réparation dure 12 jours. Le contrôle coûte 35 euros.",
        "Location": "La location d'un métier coûte 80 euros par mois. "
        "L'assurance pour un métier coûte 9 euros.",
    },
    "es": {
        "Reparación": "La reparación tarda 12 días. La inspección cuesta 35 euros.",
        "Alquiler": "El alquiler de un telar cuesta 80 euros al mes. "
        "El seguro para un telar cuesta 9 euros.",
    },
}


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "What does a loom cost?"),
        ("en", "How much is a loom?"),
        ("en", "How much does the plan cost?"),
        ("en", "What is the price?"),
        ("en", "How much do you charge?"),
        ("en", "How much is the fee?"),
        ("en", "What does a repair cost?"),
        ("en", "What does a loom cushion cost?"),
        ("de", "Was kostet ein Webstuhl?"),
        ("de", "Was kostet der Tarif?"),
        ("de", "Was ist der Preis?"),
        ("de", "Wie teuer ist eine Reparatur?"),
        ("fr", "Combien coûte un métier ?"),
        ("fr", "Quel est le tarif ?"),
        ("es", "¿Cuánto cuesta un telar?"),
        ("es", "¿Cuál es el precio?"),
    ],
)
def test_the_price_of_another_thing_is_not_told(language: str, asked: str) -> None:
    """Of all wrong answers a figure is the worst: what it is for has to be what is asked about."""
    assert told(LOOMS[language], language, asked) == ""


@pytest.mark.parametrize(
    ("language", "asked", "piece"),
    [
        ("en", "What does the hire of a loom cost?", "80 euros"),
        ("en", "What does insurance cost?", "9 euros"),
        ("de", "Was kostet die Prüfung?", "35 Euro"),
        ("de", "Was kostet die Versicherung?", "9 Euro"),
        ("fr", "Combien coûte le contrôle ?", "35 euros"),
        ("es", "¿Cuánto cuesta la inspección?", "35 euros"),
    ],
)
def test_the_price_of_that_thing_is_told(language: str, asked: str, piece: str) -> None:
    """Where the sentence names it, also behind or before other things."""
    assert piece in told(LOOMS[language], language, asked)
