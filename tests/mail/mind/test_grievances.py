"""Complaints that are said outright, and what else their letters ask."""

from data.records.core.parsed_mail import Automated
from data.records.mail.drafting import Draft
from data.records.mail.planning import Plan
from tasks.mail.draft.drafting import draft
from tasks.mail.plan.planning import plan
from tests.mail.mind.examples import ORGANIZATION, POLICY, SENDER, briefing, classification, intent

LETTER = "I am very disappointed, our boat was dirty. What does a single kayak cost per day?"


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
