"""First steps in the window, over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, keys, says
from tests.core.window.real_engine import Engine, engine, window

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


def test_a_server_that_refuses_keeps_its_step_open(window: Opener) -> None:
    """What was wrong stands where it is mended."""
    app = window("setup")
    mark = "file-127.0.0.1-25"
    app.radio(key=f"outgoing-way-{mark}").set_value("smtp").run()
    app.text_input(key=f"outgoing-host-{mark}").set_value("127.0.0.1").run()
    app.selectbox(key=f"outgoing-tls-{mark}").select("none").run()
    app.number_input(key=f"outgoing-port-{mark}-none").set_value(9).run()
    button(app, "outgoing-save").click().run()
    assert not app.exception
    (step,) = [entry for entry in app.expander if "How replies leave" in entry.label]
    assert step.proto.expanded
    assert says(app, "Replies wait, and are tried again.")


def test_the_machine_gets_its_name_beside_the_mx_record(engine: Engine, window: Opener) -> None:
    """It stands in the record at once; a text that is none is told; the default has a way back."""
    house = engine.line.house
    app = window("setup")
    assert says(app, "This machine is mx.teasel.example; that is set in postern.toml")
    house.settings = house.settings.model_copy(update={"smtp_hostname": "postern.localdomain"})
    house.settings.model_fields_set.discard("smtp_hostname")
    app.run()
    field = "hostname-postern.localdomain"
    app.text_input(key=field).set_value("no name").run()
    button(app, "hostname-save").click().run()
    assert says(app, "Write a host's name")
    app.text_input(key=field).set_value("mx.harbor.example.").run()
    button(app, "hostname-save").click().run()
    assert not app.exception
    assert any("MX  10  mx.harbor.example." in one.value for one in app.code)
    app = window("settings")
    button(app, "hostname-default").click().run()
    assert not app.exception
    assert house.settings.smtp_hostname == "postern.localdomain"
