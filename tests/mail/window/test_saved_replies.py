"""Saved replies in the window: written, changed, retired and used again."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.learning import SavedReplyView
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import Refused, World
from tests.core.window.knowing import AT

Opener = Callable[..., AppTest]
TAB = {"knowledge-what": "replies"}


def kept(**given: object) -> SavedReplyView:
    """Return a reply that people keep."""
    made = {
        "id": "kept-1", "title": "Vouchers", "language": "de", "intent": "question",
        "categories": ("sales",), "body": "Sold at 20 euros.", "cited": True, "version": 3,
        "changed_by": "ida", "changed_at": AT,
    }  # fmt: skip
    return SavedReplyView.model_validate({**made, **given})


def test_a_saved_reply_is_written(window: Opener, world: World) -> None:
    """What stands in the fields is sent, the reply is opened, and the fields are empty again."""
    app = window("knowledge", **TAB)
    button(app, "reply-new").click().run()
    assert says(app, "A new saved reply")
    button(app, "reply-save").click().run()
    assert says(app, "Write a title and a text first.")
    app.text_input(key="reply-title-new").set_value("Parking")
    app.text_area(key="reply-body-new").set_value("Park behind the mill.")
    app.selectbox(key="reply-intent-new").set_value("request")
    button(app, "reply-save").click().run()
    assert world.done("/saved-replies") == [
        {"title": "Parking", "language": "en", "intent": "request", "categories": [],
         "body": "Park behind the mill.", "version": 0}
    ]  # fmt: skip
    assert says(app, "Saved: drafts may use it from now on.")
    assert app.session_state["reply"] == "kept-0"
    button(app, "reply-new").click().run()
    assert app.text_area(key="reply-body-new").value == ""


def test_a_kept_reply_is_changed_and_retired(window: Opener, world: World) -> None:
    """The version that was read goes along; retired it cannot be changed, and comes back."""
    world.replies = [kept()]
    app = window("knowledge", reply="kept-1", **TAB)
    assert says(app, "kept here, by ida")
    app.text_area(key="reply-body-kept-1-3").set_value("Sold at 25 euros.")
    button(app, "reply-save").click().run()
    (sent,) = world.done("/kept-1/edit")
    assert (sent["body"], sent["version"], sent["language"]) == ("Sold at 25 euros.", 3, "de")
    assert sent["categories"] == ["sales"]
    button(app, "reply-retire").click().run()
    assert says(app, "Retired by ida.")
    assert "reply-save" not in keys(app)
    button(app, "reply-restore").click().run()
    assert world.replies[0].retired_at is None
    assert "reply-save" in keys(app)


def test_what_is_refused_stays_in_the_fields(window: Opener, world: World) -> None:
    """The engine's sentence is shown, and nobody has to write it again."""
    world.refusals["/kept-1/edit"] = Refused(422, "UnfitReplyError", "nothing fills '{frist_name}'")
    world.replies = [kept()]
    app = window("knowledge", reply="kept-1", **TAB)
    app.text_area(key="reply-body-kept-1-3").set_value("Hello {frist_name}")
    button(app, "reply-save").click().run()
    assert says(app, "{frist_name}")
    assert app.text_area(key="reply-body-kept-1-3").value == "Hello {frist_name}"
