"""Tickets, questions to owners and rules, as the window shows them."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.states import BranchState
from tests.core.window import planning
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.engine import World
from tests.core.window.invented import HOSTILE

Opener = Callable[..., AppTest]


def test_a_ticket_is_closed_with_a_reason(window: Opener, world: World) -> None:
    """Without words nothing happens; with a reason the ticket is closed and leaves the list."""
    world.tickets["ticket-1"] = planning.ticket(title=HOSTILE)
    app = window("tickets", ticket="ticket-1")
    assert any("invoice 4711" in text for text in texts(app))
    button(app, "ticket-close").click().run()
    assert says(app, "Write a comment, or the reason, first.")
    assert world.done("/ticket-1/close") == []
    app.text_input(key="ticket-text-ticket-1").input("sent by post")
    button(app, "ticket-close").click().run()
    assert world.done("/ticket-1/close") == [{"reason": "sent by post"}]
    assert "ticket-reopen" in keys(app)


def test_an_owner_answers_on_the_page_of_questions(window: Opener, world: World) -> None:
    """The question is drawn inert; the answer goes to the engine with the wish to remember it."""
    world.questions["question-1"] = planning.question()
    app = window("questions")
    assert any("rent out kettles" in text for text in texts(app))
    app.text_area(key="answer-question-1").input("Yes, for 4 euros a day.")
    app.checkbox(key="keep-question-1").check()
    button(app, "send-answer-question-1").click().run()
    assert world.done("/question-1/answer") == [
        {"answer": "Yes, for 4 euros a day.", "language": "", "remember": True}
    ]
    assert says(app, "drafted again")


def test_a_rule_shows_what_it_means_before_it_counts(window: Opener, world: World) -> None:
    """The plain words and the cases it would have matched stand beside the button that confirms."""
    world.rules["rule-1"] = planning.rule()
    app = window("rules")
    drawn = "\n".join(texts(app))
    assert 'says "gdpr"' in drawn
    assert "ada@quill.example" in drawn
    button(app, "rule-confirm-rule-1").click().run()
    assert world.rules["rule-1"].version == 1
    assert "rule-confirm-rule-1" not in keys(app)


def test_an_unclear_sentence_is_told_why(window: Opener, world: World) -> None:
    """The engine's refusal is shown, and what was written stays in the field."""
    app = window("rules")
    app.text_input(key="rule-sentence").input("anything about wool: answer")
    button(app, "rule-propose").click().run()
    assert says(app, "rule can only restrict or file")
    assert app.text_input(key="rule-sentence").value == "anything about wool: answer"
    assert world.rules == {}


def test_a_waiting_case_shows_its_question_and_what_its_actions_do(
    window: Opener, world: World
) -> None:
    """On the review page the owner finds the question, and each action in plain words."""
    case = world.cases["case-1"]
    waiting = case.branches[0].model_copy(update={"state": BranchState.WAITING_FOR_INPUT})
    world.cases["case-1"] = case.model_copy(update={"branches": (waiting,)})
    world.questions["question-1"] = planning.question()
    app = window("review", case="case-1")
    assert "send-answer-question-1" in keys(app)
    drawn = "\n".join(texts(app))
    assert "Cannot be undone" in drawn
    assert "Reaches nobody" in drawn


def test_a_ticket_is_read_as_it_was_written(window: Opener, world: World) -> None:
    """Line ends stand, the title is the sender's subject, and its sort is a word of its own."""
    written = "Hello,\n\nplease delete my data.\n\nGerald"
    world.tickets["ticket-1"] = planning.ticket(
        title="Request: support: Delete my data",
        text="Hello, please delete my data. Gerald",
        letters=(written,),
    )
    app = window("tickets", ticket="ticket-1")
    assert written in texts(app)
    assert "Delete my data" in texts(app)
    assert not any("Request: support" in words for words in texts(app))
    assert says(app, ">request<")


def test_a_ticket_about_a_part_says_which(window: Opener, world: World) -> None:
    """The whole message is shown, and under it the wish that became this ticket."""
    world.tickets["ticket-1"] = planning.ticket(
        text="Please send a new strap.", letters=("Where is my bill?\nPlease send a new strap.",)
    )
    app = window("tickets", ticket="ticket-1")
    assert says(app, "This ticket is about")
    assert "Please send a new strap." in texts(app)


def test_what_a_tracker_has_not_taken_is_shown_and_told_again(window: Opener, world: World) -> None:
    """The last answer stands there as text; one press has everything told again."""
    world.tickets["ticket-1"] = planning.ticket(unheard=2, tracker_answer=HOSTILE)
    app = window("tickets", ticket="ticket-1")
    assert says(app, "has not heard 2 things of this ticket, and is not asked any more.")
    button(app, "ticket-tell").click().run()
    assert says(app, "it is told again by itself.")
    world.tickets["ticket-1"] = planning.ticket()
    assert "ticket-tell" not in keys(window("tickets", ticket="ticket-1"))


def test_a_retired_rule_can_be_written_again(window: Opener, world: World) -> None:
    """Its sentence goes back into the field, and counts for nothing before it is confirmed."""
    rule = planning.rule(state="retired", sentence="anything about GDPR: always ask")
    world.rules[rule.id] = rule
    app = window("rules")
    button(app, f"rule-again-{rule.id}").click().run()
    assert app.text_input(key="rule-sentence").value == "anything about GDPR: always ask"
    assert not world.done("/rules")
