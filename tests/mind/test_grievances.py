"""Complaints that are said outright, and what else their letters ask."""

import pytest

from data.records.mail.drafting import Draft
from data.records.mail.mail import Automated
from data.records.mail.planning import Plan
from tasks.core.words.grievances import complains
from tasks.mail.draft.drafting import draft
from tasks.mail.plan.planning import plan
from tests.mind.examples import ORGANIZATION, POLICY, SENDER, briefing, classification, intent

LETTER = "I am very disappointed, our boat was dirty. What does a single kayak cost per day?"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "This is unacceptable. When are you open?"),
        ("de", "Ich möchte mich beschweren. Wann haben Sie auf?"),
        ("fr", "C'est inadmissible. Quand ouvrez-vous ?"),
        ("es", "Quiero presentar una queja. ¿Cuándo abren?"),
        ("it", "È una vergogna. Quando aprite?"),
        ("nl", "Dit is onacceptabel. Wanneer bent u open?"),
        ("pt", "Isto é inaceitável. Quando abrem?"),
        ("pl", "To skandal. Kiedy jest otwarte?"),
    ],
)
def test_a_complaint_is_heard_beside_a_question(language: str, text: str) -> None:
    """In every drafting language, whatever else is asked."""
    assert complains(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "Where can I make a complaint about noise?",
        "I don't want to complain, the boat was lovely.",
        "The paddle is broken and the parcel is late.",
        "Your manager answered at once, thank you.",
        "",
    ],
)
def test_trouble_and_questions_are_no_complaint(text: str) -> None:
    """Who tells of trouble may be helped at once; who asks about complaining asks."""
    assert not complains(text, "en")
    assert not complains("This is unacceptable.", "und")


def written(text: str) -> tuple[Plan, Draft]:
    """Return plan and draft for what the classifier took for a question about prices."""
    wish = intent(text, "question", "sales")
    said, known = classification(wish), briefing("rental-price")
    made = plan(wish, said, known, POLICY, automated=Automated(), first_contact=False)
    letter = draft(
        intents=(wish,),
        new_text=text,
        subject="Kayaks",
        sender=SENDER,
        classification=said,
        briefing=known,
        plans=(made,),
        organization=ORGANIZATION,
        policy=POLICY,
        saved_replies=(),
    )
    return made, letter


def test_it_is_escalated_and_its_question_is_answered() -> None:
    """A person has the complaint, and the draft for that person holds the price."""
    made, letter = written(LETTER)
    assert made.escalates
    assert "31.50 euros per day" in letter.body
    assert "Odile Marsh" in letter.body
    assert letter.unanswered == ()


def test_what_is_not_known_is_for_the_person() -> None:
    """Nothing is called open that a person has in hand, and nothing is made up."""
    made, letter = written("This is outrageous. Do you insure drones?")
    assert made.escalates
    assert (letter.citations, letter.unanswered) == ((), ())
