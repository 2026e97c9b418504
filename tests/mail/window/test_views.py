"""The views of the review queue, and whose a case is."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, lines, says
from tests.core.window.engine import World

Opener = Callable[..., AppTest]


def shown(app: AppTest) -> list[str]:
    """Return the cases of the list."""
    return [line["id"] for line in lines(app)]


def test_a_case_is_taken_and_put_back(window: Opener, world: World) -> None:
    """One key takes it, the same puts it back; it stays open, and the bar takes it back."""
    app = window("review")
    button(app, "take").click().run()
    assert world.cases["case-1"].item.assignee == "mira@kettle.example"
    assert app.session_state["case"] == "case-1"
    assert says(app, "to Mira Holt")
    button(app, "take").click().run()
    assert world.cases["case-1"].item.assignee is None
    assert says(app, "is nobody's again")
    button(app, "undo-approval").click().run()
    assert world.cases["case-1"].item.assignee == "mira@kettle.example"


def test_the_views_count_anew_after_a_decision(window: Opener, world: World) -> None:
    """What is decided on leaves the number beside the view, with the list."""
    app = window("review")
    assert "All 3" in app.pills(key="filter-state").options
    button(app, "approve").click().run()
    assert not app.exception
    assert "All 2" in app.pills(key="filter-state").options


def test_each_view_holds_its_cases(window: Opener, world: World) -> None:
    """Mine are mine, others' are others', and what is nobody's is unassigned."""
    for id, whose in (("case-1", "mira"), ("case-2", "jonas")):
        case = world.cases[id]
        item = case.item.model_copy(update={"assignee": f"{whose}@kettle.example"})
        world.cases[id] = case.model_copy(update={"item": item})
    views = {
        "mine": ["case-1"],
        "others": ["case-2"],
        "in_review": ["case-3"],
        "escalated": ["case-1", "case-2"],
        "open": ["case-1", "case-2", "case-3"],
    }
    for view, cases in views.items():
        assert shown(window("review", **{"filter-state": view})) == cases, view


def test_a_key_turns_to_the_next_view_that_holds_something(window: Opener, world: World) -> None:
    """Empty views are passed over, and the first case of the view opens."""
    case = world.cases["case-2"]
    item = case.item.model_copy(update={"assignee": "mira@kettle.example"})
    world.cases["case-2"] = case.model_copy(update={"item": item})
    app = window("review")
    button(app, "next-view").click().run()
    assert (app.session_state["filter-state"], shown(app)) == ("escalated", ["case-2"])
    button(app, "next-view").click().run()
    assert app.session_state["filter-state"] == "mine"
    assert app.session_state["case"] == "case-2"


def test_who_has_no_address_takes_nothing(window: Opener, world: World) -> None:
    """The page says what is missing, and nothing is asked of the engine."""
    world.me = world.me.model_copy(update={"email": ""})
    app = window("review")
    button(app, "take").click().run()
    assert says(app, "what your mail address is")
    assert world.done("/reassign") == []
