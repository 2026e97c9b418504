"""From a case to one's chat about it and back, over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from flows.agents.lifecycle import install_catalogue
from tests.agents.window.test_real_engine import answered
from tests.core.window.drawn import button, says
from tests.core.window.real_engine import Engine, engine, window
from ui.core.pages import page_file

__all__ = ["engine", "window"]


def test_a_case_is_asked_about_and_gone_back_to(
    engine: Engine, window: Callable[..., AppTest]
) -> None:
    """The same chat opens again; what it offers to ask fits the case."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    engine.receive("How much is an inspection of my old loom?", subject="Old loom")
    app = window("review")
    case = app.session_state["case"]
    button(app, "ask-case").click().run()
    app.switch_page(page_file("chats")).run()
    chat = app.session_state["chat"]
    assert says(app, "Nothing said yet")
    assert button(app, "to-matter").label == "About the case: Old loom"
    assert button(app, "suggest-0").label == "Summarize this conversation"
    button(app, "suggest-0").click().run()
    app.run()
    assert answered(app, "This is the case")
    button(app, "to-matter").click().run()
    app.switch_page(page_file("review")).run()
    assert app.session_state["case"] == case
    button(app, "ask-case").click().run()
    assert app.session_state["chat"] == chat
    assert not app.exception


def test_its_contact_is_asked_about_and_gone_back_to(
    engine: Engine, window: Callable[..., AppTest]
) -> None:
    """Beside what is known of the sender; the way back is what the contact has written."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    engine.receive(
        "How much is an inspection of my old loom?", subject="Old loom", sender="tom@otter.example"
    )
    app = window("review")
    button(app, "ask-contact").click().run()
    app.switch_page(page_file("chats")).run()
    assert button(app, "to-matter").label.startswith("About the contact: ")
    button(app, "suggest-1").click().run()
    app.run()
    assert answered(app, "This is the contact:")
    button(app, "to-matter").click().run()
    assert app.session_state["inbox-q-messages"] == "from:tom@otter.example"
    assert not app.exception
