"""What deals with a sentence of a letter: a ticket its own words, a draft what its sources hold."""

import pytest

from data.lexicons.drafting import phrases
from data.records.core.citations import Citation
from data.records.mail.drafting import Disposition, Draft
from data.records.mail.planning import ActionType
from tests.mail.mind.accounts import ASKED, HOURS, REPLY, TICKET, answering, left, looked_at
from tests.mail.mind.examples import POLICY, intent


def test_a_ticket_carries_the_words_of_its_wish_and_is_no_answer() -> None:
    """What an action puts before a person is dealt with; the draft is incomplete all the same."""
    letter = "Please cancel my booking 5521."
    made = answering(phrases("en").request, citations=())
    checked = looked_at(letter, made, intent(letter, "request"), plan=TICKET)
    (account,) = checked.accounts
    assert (account.disposition, account.action) == (Disposition.ACTION, ActionType.CREATE_TICKET)
    assert checked.quality == 0
    assert left(looked_at(letter, made, intent(letter, "request"), plan=REPLY)) == [letter]


def test_a_ticket_for_other_words_carries_nothing() -> None:
    """An action deals with the words it was planned for alone."""
    letter = "Please add a bell. Please cancel my booking 5521."
    checked = looked_at(letter, None, intent("Please add a bell.", "request"), plan=TICKET)
    assert left(checked) == ["Please cancel my booking 5521."]


def test_a_report_that_was_taken_for_a_suggestion_is_not_settled_by_thanks() -> None:
    """Thanks are enough for what wishes for something; not for what only was filed under it."""
    words = "In the portal I can see the bookings of other customers."
    made = answering(phrases("en").feature, citations=())
    wish = intent(words, "request", "feature_request")
    assert looked_at(words, made, wish, plan=TICKET).quality == 0


@pytest.mark.parametrize(
    "made",
    [
        answering("Your booking is cancelled.", cite="knowledge:cancel"),
        answering("Your booking 5521 is cancelled and the price refunded.", citations=()),
        answering(HOURS, "Please cancel my booking 5521.", cite="knowledge:opening-hours"),
        answering(HOURS, unanswered=()),
        answering(HOURS).model_copy(
            update={
                "citations": (
                    Citation(sentence=HOURS, ref="knowledge:cancel"),
                    Citation(sentence="Please cancel my booking 5521.", ref="knowledge:cancel"),
                )
            }
        ),
    ],
    ids=["claimed", "uncited", "echoed", "silent", "cited for it"],
)
def test_no_draft_can_call_an_order_answered(made: Draft) -> None:
    """Whatever a model writes, cites or leaves out, an order that nobody carries out is open."""
    checked = looked_at(f"{ASKED} Please cancel my booking 5521.", made)
    assert "Please cancel my booking 5521." in left(checked)
    assert checked.quality < POLICY.confidence_threshold


def test_a_claim_without_a_source_answers_no_question() -> None:
    """A sentence that no source holds does not count as the answer to anything."""
    made = answering("The boathouse is open in April around the clock.", citations=())
    assert left(looked_at(ASKED, made)) == [ASKED]


def test_a_draft_that_says_noted_where_nothing_was_is_held() -> None:
    """Our own line about a suggestion stands only beside the ticket that notes it."""
    words = "Could you add a bell?"
    made = answering(phrases("en").feature, citations=())
    wish = intent(words, "request", "feature_request")
    held = looked_at(words, made, wish, plan=REPLY)
    assert "nothing_done" in {one.check for one in held.findings}
    done = looked_at(words, made, wish, plan=TICKET)
    assert "nothing_done" not in {one.check for one in done.findings}
