"""What is forwarded to endpoints, as the outbox page shows it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from data.records.mail.outgoing_views import ForwardView
from data.states import ForwardState
from tests.core.window import invented
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.engine import World

Opener = Callable[..., AppTest]
FORWARDS = {"outbox-what": "programs"}


def put(world: World, state: ForwardState, **given: object) -> None:
    """Put one forward into the world."""
    made: dict[str, object] = {
        "id": "f-1",
        "message_id": "m-1",
        "state": state,
        "rcpt_to": ("orders@kettle.example",),
        "url": "https://shop.example/mail",
        "mail_from": "ada@quill.example",
        "subject": "Two kettles",
        "due_at": invented.now() + timedelta(hours=3, minutes=59),
        "attempts": 3,
        "http_status": 503,
        "response": "'https://shop.example/mail' answered 503",
        "created_at": invented.before(minutes=5),
    }
    world.forwards["f-1"] = ForwardView.model_validate({**made, **given})


def test_an_empty_list_says_what_would_be_there(window: Opener) -> None:
    """Without endpoints the list explains itself."""
    assert says(window("outbox", **FORWARDS), "tied to a program")


def test_a_failed_forward_is_tried_again(window: Opener, world: World) -> None:
    """The endpoint, its answer and the attempts are shown; the button queues it again."""
    put(world, ForwardState.FAILED)
    app = window("outbox", forward="f-1", **FORWARDS)
    words = "\n".join(texts(app))
    assert "Forwarded to  https://shop.example/mail" in words
    assert "answered 503" in words
    button(app, "forward-retry").click().run()
    assert world.done("/f-1/resolve") == [{"outcome": "retry"}]
    assert world.forwards["f-1"].state is ForwardState.QUEUED
    assert says(app, "It will be forwarded again.")


@pytest.mark.parametrize("state", [ForwardState.DELIVERED, ForwardState.SENDING])
def test_what_is_over_or_under_way_offers_nothing(
    window: Opener, world: World, state: ForwardState
) -> None:
    """What has arrived, or is being tried, has no buttons."""
    put(world, state)
    app = window("outbox", forward="f-1", **FORWARDS)
    assert not keys(app) & {"forward-retry", "forward-cancel"}


def test_one_that_waits_says_until_when(window: Opener, world: World) -> None:
    """The next attempt is announced, and can be given up."""
    put(world, ForwardState.DEFERRED)
    app = window("outbox", forward="f-1", **FORWARDS)
    assert says(app, "next try in 3 h")
    button(app, "forward-cancel").click().run()
    assert world.forwards["f-1"].state is ForwardState.CANCELLED


def test_what_was_given_up_is_taken_back_from_the_bar(window: Opener, world: World) -> None:
    """The bar names the message; its button, and key U, have it as it was."""
    put(world, ForwardState.FAILED)
    app = window("outbox", forward="f-1", **FORWARDS)
    button(app, "forward-cancel").click().run()
    assert says(app, "“Two kettles” is forwarded no more.")
    button(app, "undo-approval").click().run()
    assert world.done("/f-1/resolve") == [{"outcome": "cancel"}, {"outcome": "undo"}]
    assert says(app, "it is as it was before it was given up")
    assert "undo-approval" not in keys(app)


def test_its_page_takes_it_back_later_too(window: Opener, world: World) -> None:
    """When the bar is long gone; what somebody else has taken back meanwhile is told."""
    put(world, ForwardState.CANCELLED)
    app = window("outbox", forward="f-1", **FORWARDS)
    put(world, ForwardState.DELIVERED)
    button(app, "forward-undo").click().run()
    assert says(app, "Nothing was done: this forward is 'delivered'; there is nothing to decide.")
    put(world, ForwardState.CANCELLED)
    app.run()
    button(app, "forward-undo").click().run()
    assert world.forwards["f-1"].state is ForwardState.FAILED
