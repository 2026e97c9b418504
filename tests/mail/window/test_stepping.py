"""Moving by keys through every list, and what is open after a decision."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.states import CaseState
from tests.core.window import invented, planning
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import World
from tests.core.window.knowing import entry
from tests.mail.window.test_saved_replies import kept
from ui.core.widgets.pager import SIZE

Opener = Callable[..., AppTest]


@pytest.mark.parametrize(
    ("page", "state", "opened"),
    [
        ("inbox", {}, "message"),
        ("inbox", {"inbox-kind": "Conversations"}, "thread"),
        ("quarantine", {}, "held"),
        ("outbox", {}, "delivery"),
        ("tickets", {}, "ticket"),
        ("knowledge", {}, "entry"),
        ("knowledge", {"knowledge-what": "replies"}, "reply"),
    ],
)
def test_j_opens_the_first_of_a_list_and_k_stays_in_it(
    page: str, state: dict[str, object], opened: str, window: Opener, world: World
) -> None:
    """Where nothing is open the keys are there too; at the ends of a list nothing is left."""
    for number in (1, 2):
        world.deliveries[f"d-{number}"] = invented.delivery(f"d-{number}")
        world.tickets[f"t-{number}"] = planning.ticket(id=f"t-{number}")
        world.entries.append(entry(f"e-{number}"))
        world.replies.append(kept(id=f"r-{number}"))
    world.threads["thread-2"] = world.threads["thread-1"].model_copy(update={"id": "thread-2"})
    app = window(page, **state)
    button(app, "move-next").click().run()
    first = app.session_state[opened]
    assert first
    assert not app.exception
    button(app, "move-next").click().run()
    assert app.session_state[opened] not in (None, first)
    for _ in range(2):
        button(app, "move-previous").click().run()
    assert app.session_state[opened] == first


def test_after_a_decision_the_next_held_message_is_open(window: Opener, world: World) -> None:
    """Confirming opens what comes after it, and the outcome with its undo stands above."""
    app = window("quarantine")
    button(app, "move-next").click().run()
    first = app.session_state["held"]
    button(app, "held-confirm").click().run()
    assert app.session_state["held"] not in (None, first)
    assert says(app, "Confirmed as a threat")
    assert "undo-held" in keys(app)


@pytest.mark.parametrize("way", ["reason-should_not_reply", "close-now"])
def test_a_closing_can_be_taken_back(way: str, window: Opener, world: World) -> None:
    """After a rejection or a closing the bar opens the case again."""
    panel = "reject" if way.startswith("reason") else "close"
    app = window("review", case="case-1", panel=panel)
    button(app, way).click().run()
    assert world.cases["case-1"].state is CaseState.ARCHIVED
    assert says(app, "Closed “")
    button(app, "undo-approval").click().run()
    assert world.cases["case-1"].state is CaseState.IN_REVIEW
    assert app.session_state["case"] == "case-1"


def test_a_closed_case_offers_to_open_it_again(window: Opener, world: World) -> None:
    """Its page has the way back for ever, not only the bar."""
    case = world.cases["case-1"]
    item = case.item.model_copy(update={"state": CaseState.ARCHIVED})
    world.cases["case-1"] = case.model_copy(update={"state": CaseState.ARCHIVED, "item": item})
    app = window("review", case="case-1")
    assert says(app, "it was closed without a reply")
    button(app, "reopen").click().run()
    assert world.cases["case-1"].state is CaseState.IN_REVIEW


def test_a_step_through_the_queue_asks_for_cases_alone(window: Opener, world: World) -> None:
    """List, bell and kill switch were read a moment ago; a decision asks for the list anew."""
    app = window("review")
    world.calls.clear()
    button(app, "move-next").click().run()
    asked = {path.rpartition("/v1/kettle-and-chain")[2] for _, path, _ in world.calls}
    opened = f"/cases/{app.session_state['case']}"
    assert opened in asked
    assert all(path.startswith("/cases/") for path in asked)  # that one, and the next ahead
    button(app, "approve").click().run()
    again = {path.rpartition("/")[2] for _, path, _ in world.calls}
    assert "queue" in again
    assert not {"stop", "notifications"} & again  # what renews itself is not drawn by a decision


def fill_queue(world: World, count: int) -> list[str]:
    """Put `count` cases into the queue beside those that are there; return all ids in order."""
    case = world.cases["case-1"]
    for number in range(count):
        id = f"case-more-{number:03}"
        item = case.item.model_copy(update={"case_id": id})
        world.cases[id] = case.model_copy(update={"id": id, "item": item})
    return [case.id for case in world.cases.values() if case.state is CaseState.IN_REVIEW]


def test_j_and_k_go_over_the_end_of_a_page_of_the_queue(window: Opener, world: World) -> None:
    """J at the last line opens the first of the next page, K there the last of the one before."""
    fill_queue(world, 40)
    app = window("review")
    first_page = app.session_state["ids-queue"]
    assert len(first_page) == SIZE
    app = window("review", case=first_page[-1])
    button(app, "move-next").click().run()
    assert app.session_state["pages-queue"] == 2
    second_page = app.session_state["ids-queue"]
    assert app.session_state["case"] == second_page[0] not in first_page
    assert says(app, f"{SIZE + 1} of ")
    button(app, "move-previous").click().run()
    assert app.session_state["pages-queue"] == 1
    assert app.session_state["case"] == first_page[-1]


def test_j_goes_on_where_a_colleague_took_the_open_case_from_the_list(
    window: Opener, world: World
) -> None:
    """What took its place is next, and K opens what stood before it."""
    ids = fill_queue(world, 10)
    for key, place in (("move-next", 6), ("move-previous", 4)):
        app = window("review", case=ids[5])
        case = world.cases[ids[5]]
        decided = case.model_copy(update={"state": CaseState.APPROVED})
        world.cases[ids[5]] = decided
        for name in [key for key in app.session_state if key.startswith("lately-")]:
            del app.session_state[name]  # the list is read again, as it is after a few seconds
        app.run()
        assert app.session_state["case"] == ids[5] not in app.session_state["ids-queue"]
        button(app, key).click().run()
        assert app.session_state["case"] == ids[place]
        world.cases[ids[5]] = case


def test_the_last_of_a_page_is_followed_by_the_first_of_the_next(
    window: Opener, world: World
) -> None:
    """After a decision on the last line the list moves up, and what moved up is open."""
    ids = fill_queue(world, 40)
    app = window("review", case=ids[SIZE - 1])
    button(app, "approve").click().run()
    assert not app.exception
    assert app.session_state["pages-queue"] == 1
    assert app.session_state["ids-queue"] == (*ids[: SIZE - 1], ids[SIZE])
    assert app.session_state["case"] == ids[SIZE]
    assert f"menu-thread-{ids[SIZE]}" in keys(app)
