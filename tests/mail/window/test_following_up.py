"""Hearing of a case again where no answer comes, on the page of a case."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.states import CaseState
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import World

Opener = Callable[..., AppTest]


def answered(world: World) -> None:
    """Let the first case be answered."""
    world.cases["case-1"] = world.cases["case-1"].model_copy(update={"state": CaseState.SENT})


def test_it_goes_with_an_approval(window: Opener, world: World) -> None:
    """The choice beside the letter is sent along."""
    app = window("review")
    app.radio(key="follow-up-case-1").set_value(3).run()
    button(app, "approve").click().run()
    (given,) = world.done("/case-1/approve")
    assert given["follow_up_days"] == 3


def test_it_is_asked_for_and_given_up_on_an_answered_case(window: Opener, world: World) -> None:
    """Its page says when it comes back."""
    answered(world)
    app = window("review", case="case-1")
    button(app, "follow-5").click().run()
    assert world.done("/follow-up")[0]["days"] == 5
    assert says(app, "Comes back ")
    button(app, "follow-none").click().run()
    assert world.done("/follow-up")[1]["days"] is None
    assert "follow-none" not in keys(app)


def test_a_contact_is_written_to_once_more(window: Opener, world: World) -> None:
    """The letter opens, to be written."""
    answered(world)
    app = window("review", case="case-1")
    button(app, "write-again").click().run()
    assert world.done("/case-1/again") == [{"version": 3}]
    assert app.session_state["case"] == "letter"
