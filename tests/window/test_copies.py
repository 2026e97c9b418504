"""Who gets a copy of a reply, in the window."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.mail.copies import Copy
from tests.window.drawn import says
from tests.window.engine import World

BEN = Copy(address="ben@quill.example", name="Ben [x](http://y.test)", provenance="cc")


def test_a_copy_is_offered_chosen_and_taken_away(
    window: Callable[..., AppTest], world: World
) -> None:
    """Each address says where it comes from; the choice reaches the engine with the version."""
    case = world.cases["case-1"]
    world.cases["case-1"] = case.model_copy(update={"copies": (BEN,)})
    app = window("review", case="case-1")
    (box,) = [one for one in app.multiselect if str(one.key).startswith("copies-case-1-")]
    assert box.options == ["Ben [x](http://y.test) · ben@quill.example (in Cc of their mail)"]
    assert box.value == []
    box.set_value(["ben@quill.example"]).run()
    assert world.cases["case-1"].recipients[1:] == ("ben@quill.example",)
    assert says(app, "A copy goes to 1.")
    (box,) = [one for one in app.multiselect if str(one.key).startswith("copies-case-1-")]
    assert box.value == ["ben@quill.example"]
    box.set_value([]).run()
    assert world.cases["case-1"].recipients[1:] == ()
    assert says(app, "Nobody gets a copy.")
