"""Passing a case on to a colleague in the review queue."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.mail.planning import ActionType
from data.states import CaseState, DeliveryState
from tests.core.window import invented
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import World
from ui.core.text.words import ACTIONS

Opener = Callable[..., AppTest]
TO = "jonas@kettle.example"


def chosen(window: Opener) -> AppTest:
    """Return the review page with the panel open and a colleague and a note chosen."""
    app = window("review")
    button(app, "panel-forward").click().run()
    assert button(app, "forward-now").disabled
    app.selectbox(key="forward-to-case-1").select(TO).run()
    app.text_area(key="forward-note-case-1").input("Yours, I think.").run()
    return app


def test_what_leaves_is_shown_first_and_the_case_stays(window: Opener, world: World) -> None:
    """Two choices and one press: the order holds what was shown, and the case is still open."""
    app = chosen(window)
    assert says(app, "Yours, I think.")
    assert says(app, "It cannot be undone once it has left.")
    button(app, "forward-now").click().run()
    assert world.done("/case-1/forward") == [
        {
            "to": TO,
            "note": "Yours, I think.",
            "version": 3,
            "approval_hash": invented.hashed(TO, "Yours, I think."),
        }
    ]
    assert world.cases["case-1"].state is CaseState.IN_REVIEW
    assert app.session_state["case"] == "case-1"
    assert says(app, f"Passed on to {TO}.")
    assert says(app, "Passed on")
    assert "approve" in keys(app)


def test_it_can_be_taken_back_while_it_waits(window: Opener, world: World) -> None:
    """The bar cancels it; nothing else changes."""
    app = chosen(window)
    button(app, "forward-now").click().run()
    assert says(app, "Leaves in ")
    button(app, "undo-approval").click().run()
    assert world.deliveries["forward-case-1"].state is DeliveryState.CANCELLED
    assert world.cases["case-1"].state is CaseState.IN_REVIEW
    assert says(app, "it goes to nobody")


def test_another_note_is_shown_before_it_leaves(window: Opener, world: World) -> None:
    """What is typed after the text was drawn does not leave unseen."""
    app = chosen(window)
    app.text_area(key="forward-note-case-1").input("Something else.")
    button(app, "forward-now").click().run()
    assert world.done("/case-1/forward") == []
    assert says(app, "It has changed since it was shown.")


def test_the_outbox_says_that_it_was_passed_on(window: Opener, world: World) -> None:
    """Its line is marked, and taking it back says what becomes of the case."""
    app = chosen(window)
    button(app, "forward-now").click().run()
    outbox = window("outbox", delivery="forward-case-1")
    assert says(outbox, "passed on")
    button(outbox, "cancel").click().run()
    assert says(outbox, "Taken back. The case stays where it is.")


def test_a_proposal_is_in_plain_words() -> None:
    """The plan names the action as people do."""
    assert ACTIONS[ActionType.FORWARD] == "Pass on to a colleague"
