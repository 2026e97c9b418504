"""First steps in the window, over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.window.drawn import button, keys, says
from tests.window.test_real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def test_the_voice_is_written_and_a_test_mail_is_followed(engine: Engine, window: Opener) -> None:
    """The page says what is done by looking; the draft is opened from it."""
    app = window("setup")
    assert not app.exception
    assert says(app, "4 of 8 are done.")
    tone = next(one for one in app.text_input if str(one.key).startswith("profile-tone-"))
    tone.set_value("Short and warm.").run()
    button(app, "profile-save-voice").click().run()
    assert not app.exception
    assert says(app, "5 of 8 are done.")
    assert engine.line.workspace.organization.tone == "Short and warm."
    button(app, "trial-send").click().run()
    assert not app.exception
    assert says(app, "It is kept safe, and not yet read.")
    engine.run(engine.line.run())
    app.run()
    assert says(app, "6 of 8 are done.")
    assert "trial-open" in keys(app)
    button(app, "trial-open").click().run()
    assert not app.exception
