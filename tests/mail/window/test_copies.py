"""Who gets a copy of a reply, in the window."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.mail.copies import Copy
from tests.core.window.drawn import says
from tests.core.window.engine import TOKEN, World
from tests.core.window.fixtures import Served

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


def test_a_choice_that_arrives_once_more_changes_nothing(served: Served, world: World) -> None:
    """The field has left the page by then: no warning that it changed, for it was this person.

    What can be no address, as something long that was pasted, is told, and nobody is asked.
    """

    def choosing() -> None:
        import streamlit as st

        from tests.core.window import invented
        from ui.mail.deciding import double_press
        from ui.mail.widgets.letter.copies import choose

        case = invented.case("case-1")
        key = f"copies-{case.id}-{case.version}"

        def arrive() -> None:
            st.session_state[key] = ["ben@quill.example"]
            choose(case, key)

        def paste() -> None:
            st.session_state[key] = ["x" * 2000]
            choose(case, key)

        double_press.note_drawn(case.id)
        st.button("It arrives", key="arrives", on_click=arrive)
        st.button("Somebody pastes", key="pastes", on_click=paste)

    app = AppTest.from_function(choosing, default_timeout=90)
    app.session_state["token"] = TOKEN
    app.run()
    app.button(key="pastes").click().run()
    assert app.session_state["notices"] == [("warning", "Copy to: 1000 letters at most.")]
    app.button(key="arrives").click().run()
    app.button(key="arrives").click().run()
    assert not app.exception
    asked = [body for _method, url, body in world.calls if url.endswith("/copies")]
    assert [body["cc"] for body in asked] == [["ben@quill.example"]]
