"""The page of memory over the real engine: worded, looked at, corrected, deleted."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, says, texts
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]


def test_what_is_known_is_worded_corrected_and_deleted(
    engine: Engine,  # pytest's way of asking for a fixture
    window: Callable[..., AppTest],
) -> None:
    """Each step is told; the words, who said them, and what held before are shown."""
    app = window("memory")
    assert says(app, "Nothing is here.")
    app.text_area(key="memory-new").input("The return period is 30 days.").run()
    button(app, "memory-remember").click().run()
    assert not app.exception
    assert says(app, "Remembered.")
    assert says(app, "Where it comes from")
    assert [each.label for each in app.get("download_button")] == [
        "Save what is known of you alone",
        "Save it as a file first",
    ]
    item = str(app.session_state["memory"])
    app.text_area(key=f"wording-{item}").input("The return period is 14 days.").run()
    button(app, "memory-correct").click().run()
    assert not app.exception
    shown = "\n".join(texts(app))
    assert "The return period is 14 days." in shown
    assert "The return period is 30 days." in shown
    button(app, "memory-delete").click().run()
    assert says(app, "Deleted for good.")
    rows = engine.run(engine.line.rows("SELECT text, state FROM memories"))
    assert rows == [{"text": "The return period is 30 days.", "state": "superseded"}]


def test_a_secret_is_refused_and_not_shown_again(
    engine: Engine,
    window: Callable[..., AppTest],
) -> None:
    """It says why; nothing is kept."""
    app = window("memory")
    app.text_area(key="memory-new").input("My password is tulip-Harbour-93.").run()
    button(app, "memory-remember").click().run()
    assert says(app, "Not remembered")
    assert engine.run(engine.line.rows("SELECT 1 FROM memories")) == []


def test_what_is_known_of_a_person_is_erased_once_the_name_is_typed(
    engine: Engine,
    window: Callable[..., AppTest],
) -> None:
    """It says how much is held before, how much went after, and the audit log has it."""
    app = window("memory")
    app.text_area(key="memory-new").input("I prefer tea.").run()
    button(app, "memory-remember").click().run()
    app = window("memory")
    user = str(app.session_state["me"].id)
    app.selectbox(key="person-chosen").set_value(user).run()
    assert says(app, "1 item, 0 chats with agents alone")
    assert button(app, "person-erase").disabled
    app.text_input(key=f"person-again-{user}").input("somebody else").run()
    assert button(app, "person-erase").disabled
    app.text_input(key=f"person-again-{user}").input(app.session_state["me"].user.upper()).run()
    button(app, "person-erase").click().run()
    assert not app.exception
    assert says(app, "Erased 1 item and 0 chats")
    assert engine.run(engine.line.rows("SELECT 1 FROM memories")) == []
    (row,) = engine.run(
        engine.line.rows("SELECT subject FROM audit_events WHERE action = 'erase memory'")
    )
    assert row["subject"] == f"user:{user}"
