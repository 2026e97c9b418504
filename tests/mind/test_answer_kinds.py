"""What a question wants, and what is only near: prices, times, codes, compounds, other entries."""

import pytest

from data.records.mail.briefing import Snippet, SourceKind
from tasks.draft.answer import answer
from tasks.words.questions import questions

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
