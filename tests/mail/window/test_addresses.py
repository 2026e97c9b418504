"""What is open and what a list is narrowed to stand in the page's address."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.states import CaseState
from tests.core.window import invented
from tests.core.window.drawn import button, opened, says
from tests.core.window.engine import TOKEN, World
from tests.core.window.opening import APP
from ui.core.pages import page_file

Opener = Callable[..., AppTest]


def at(page: str, **query: str) -> AppTest:
    """Open an address in a session of its own."""
    app = AppTest.from_file(str(APP), default_timeout=90)
    app.query_params["token"] = TOKEN
    app.run()
    for name, value in query.items():
        app.query_params[name] = value
    return app.switch_page(page_file(page)).run()


def test_a_case_has_an_address_that_goes_along(window: Opener, world: World) -> None:
    """The open case stands in it after each step; another session that has it opens that case."""
    app = window("review")
    assert app.query_params["case"] == "case-1"
    button(app, "move-next").click().run()
    assert app.query_params["case"] == "case-2"
    again = at("review", case="case-3")
    assert again.session_state["case"] == "case-3"
    assert says(again, world.cases["case-3"].item.subject)


def test_the_address_of_a_case_that_was_taken_over_leads_on(window: Opener, world: World) -> None:
    """To the one that stands in its place, with a sentence; the address says where one is."""
    update = {"state": CaseState.SUPERSEDED, "taken_over_by": "case-3"}
    world.cases["case-9"] = invented.case("case-9").model_copy(update=update)
    app = at("review", case="case-9")
    assert not app.exception
    assert app.session_state["case"] == "case-3"
    assert app.query_params["case"] == "case-3"
    assert says(app, "Newer mail came since")
    assert not says(at("review", case="case-3"), "Newer mail came since")


def test_search_and_filters_stand_in_the_address(window: Opener, world: World) -> None:
    """They come back with it; what no filter could have is passed over."""
    app = at("review", category="billing", priority="made-up", q="address")
    assert opened(app) == ["case-3"]
    assert app.session_state["filter-category"] == "billing"
    assert not app.session_state["filter-priority"]
    assert app.query_params["q"] == "address"
    assert "state" not in app.query_params


def test_clearing_the_search_keeps_the_open_case(window: Opener, world: World) -> None:
    """The first case of the search opens; without the search it stays, in the whole list."""
    app = window("review")
    app.text_input(key="filter-q").input("billing").run()
    assert app.session_state["case"] == "case-3"
    app.text_input(key="filter-q").input("").run()
    assert app.session_state["case"] == "case-3"


def test_messages_conversations_deliveries_and_tickets_have_one(
    window: Opener, world: World
) -> None:
    """Each opens from its address."""
    world.deliveries["d-1"] = invented.delivery("d-1")
    for page, name, id, kept in (
        ("inbox", "message", "news-1", "message"),
        ("inbox", "thread", "thread-1", "thread"),
        ("quarantine", "message", "held-1", "held"),
        ("outbox", "delivery", "d-1", "delivery"),
    ):
        app = at(page, **{name: id})
        assert not app.exception
        assert app.session_state[kept] == id
        assert app.query_params[name] == id
