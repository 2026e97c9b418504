"""The outbox: what is about to leave, and what a person decides about it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from data.states import CaseState, DeliveryState
from tests.core.window import invented
from tests.core.window.drawn import button, keys, lines, says, texts
from tests.core.window.engine import World

Opener = Callable[..., AppTest]


def put(world: World, state: DeliveryState, **given: object) -> None:
    """Put one delivery into the world."""
    world.deliveries["d-1"] = invented.delivery("d-1", state, **given)


def test_an_empty_outbox_says_so(window: Opener) -> None:
    """Nothing on its way is said in one sentence."""
    assert says(window("outbox"), "The outbox is empty.")


def test_a_waiting_reply_counts_down_and_can_be_taken_back(window: Opener, world: World) -> None:
    """The window's end is shown; taking back returns the case to review."""
    put(world, DeliveryState.QUEUED, due_at=invented.now() + timedelta(hours=3, minutes=59))
    world.cases["case-1"] = invented.case("case-1", state=CaseState.APPROVED, delivery_id="d-1")
    app = window("outbox", delivery="d-1")
    assert says(app, "leaves in 3 h")
    words = "\n".join(texts(app))
    assert "To  ada@quill.example" in words
    assert invented.BODY in words
    assert "7" * 64 in words
    button(app, "cancel").click().run()
    assert world.done("/d-1/cancel") == [{}]
    assert world.cases["case-1"].state is CaseState.IN_REVIEW
    assert says(app, "Taken back.")


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        ("sent", DeliveryState.SENT),
        ("retry", DeliveryState.QUEUED),
        ("cancel", DeliveryState.CANCELLED),
    ],
)
def test_an_unknown_outcome_is_resolved_by_a_person(
    outcome: str, state: DeliveryState, window: Opener, world: World
) -> None:
    """It arrived, send again, give up: nothing else, and nothing by itself."""
    put(world, DeliveryState.UNKNOWN, response="connection lost after the final dot")
    app = window("outbox", delivery="d-1")
    assert says(app, "may or may not have left; look before deciding")
    assert says(app, "connection lost after the final dot")
    button(app, f"resolve-{outcome}").click().run()
    assert world.done("/d-1/resolve") == [{"outcome": outcome}]
    assert world.deliveries["d-1"].state is state


def test_a_failed_delivery_cannot_be_called_sent(window: Opener, world: World) -> None:
    """What was refused for good did not arrive."""
    put(world, DeliveryState.FAILED)
    app = window("outbox", delivery="d-1")
    assert keys(app) >= {"resolve-retry", "resolve-cancel"}
    assert "resolve-sent" not in keys(app)


def test_what_has_left_offers_nothing(window: Opener, world: World) -> None:
    """A sent message can be looked at and not taken back."""
    put(world, DeliveryState.SENT, sent_at=invented.before(minutes=3))
    app = window("outbox", delivery="d-1")
    assert "cancel" not in keys(app)
    assert not [key for key in keys(app) if key.startswith("resolve")]


def test_a_cancel_that_comes_too_late_is_told(window: Opener, world: World) -> None:
    """Between the look and the press it has left: a sentence, and the new state."""
    put(world, DeliveryState.QUEUED)
    app = window("outbox", delivery="d-1")
    put(world, DeliveryState.SENT)
    button(app, "cancel").click().run()
    assert says(app, "Nothing was done: this reply is 'sent' already; it cannot be taken back.")
    assert "cancel" not in keys(app)


def test_unclear_deliveries_can_be_listed_together(window: Opener, world: World) -> None:
    """Unknown and failed ones are one list: both need a person."""
    put(world, DeliveryState.UNKNOWN)
    world.deliveries["d-2"] = invented.delivery("d-2", DeliveryState.FAILED)
    world.deliveries["d-3"] = invented.delivery("d-3", DeliveryState.SENT)
    app = window("outbox", **{"outbox-state": "needs_decision"})
    assert {line["id"] for line in lines(app)} == {"d-1", "d-2"}


def test_many_unclear_deliveries_are_listed_page_by_page(window: Opener, world: World) -> None:
    """Both states are one list, in which each stands once."""
    states = [DeliveryState.FAILED] * 28 + [DeliveryState.UNKNOWN] * 27
    for number, state in enumerate(states):
        world.deliveries[f"d-{number}"] = invented.delivery(f"d-{number}", state)
    app = window("outbox", **{"outbox-state": "needs_decision"})
    assert says(app, "55 deliveries")
    seen = [line["id"] for line in lines(app)]
    for page in (2, 3):
        app.session_state["pages-outbox"] = page
        app.run()
        seen += [line["id"] for line in lines(app)]
    assert seen == [f"d-{number}" for number in range(55)]


def test_the_case_of_a_delivery_can_be_opened(window: Opener, world: World) -> None:
    """From the delivery one press leads to its case."""
    put(world, DeliveryState.SENT, case_id="case-3")
    app = window("outbox", delivery="d-1")
    button(app, "to-case").click().run()
    assert app.session_state["case"] == "case-3"
    assert says(app, "Billing address")
