"""What deals with a sentence of a letter: a ticket its own words, a draft what its sources hold."""

import pytest

from data.lexicons.drafting import phrases
from data.records.mail.drafting import Citation, Disposition, Draft
from data.records.mail.planning import ActionType
from tasks.core.words.sentence_signs import asks_status
from tests.mind.accounts import ASKED, HOURS, REPLY, TICKET, answering, left, looked_at
from tests.mind.examples import POLICY, intent


@pytest.mark.parametrize(
    ("wish", "quality"),
    [
        ("It would be nice to get the invoice by Friday.", 0),
        ("It would be great if you could call Mr Otte back.", 0),
        ("Es wäre toll, wenn der Fahrer eine Stunde eher kommt.", 0),
        ("We would love to have 10 more paddles.", 0),
        ("It would be great if the portal had a dark mode.", 1),
        ("It would be great if the portal could send an invoice to the bookkeeper.", 1),
        ("Es wäre schön, wenn das Portal dunkel sein könnte.", 1),
        ("It would be great if the battery lasted 20 hours.", 1),
        ("Es wäre schön, wenn die Lampe 3 Stunden leuchten könnte.", 1),
    ],
)
def test_thanks_for_an_idea_do_not_settle_what_is_wished_for_once(wish: str, quality: int) -> None:
    """A call, a paper or another day is for a person; what is wished of the product is noted."""
    made = answering(phrases("en").feature, citations=())
    suggestion = intent(wish, "request", "feature_request")
    assert looked_at(wish, made, suggestion, plan=TICKET).quality == quality


@pytest.mark.parametrize(
    "asked",
    [
        "Has the courier left?",
        "Did you receive my payment?",
        "Has our canoe been repaired?",
        "Where is my order?",
        "Is my kayak ready?",
        "Could you tell me whether the boat has been delivered?",
        "Ist mein Boot schon fertig?",
        "Wurde die Rechnung bezahlt?",
        "Wo ist meine Bestellung?",
        "Est-ce que mon kayak est prêt ?",
        "Le colis a-t-il été expédié ?",
        "¿Ha llegado el paquete?",
        "¿Dónde está mi pedido?",
        "Il pacco è stato spedito?",
        "Is mijn bestelling al verzonden?",
    ],
)
def test_how_a_matter_stands_no_general_sentence_answers(asked: str) -> None:
    """What has happened to the sender's own thing is open, whatever the draft tells of others."""
    made = answering("A courier brings a boat within two days; delivery costs 20 euros.")
    assert asks_status(asked)
    assert left(looked_at(asked, made)) != []


@pytest.mark.parametrize(
    "asked",
    [
        ASKED,
        "Are you open in April?",
        "Do you have any places left in April?",
        "Is it open on 4 May?",
    ],
)
def test_what_is_so_for_everybody_is_no_status(asked: str) -> None:
    """Opening hours and places are asked for in general."""
    assert not asks_status(asked)


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
