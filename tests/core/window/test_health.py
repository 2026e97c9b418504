"""Health and backups in the window, over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, keys, says
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def test_health_names_what_needs_somebody_and_what_to_do(window: Opener) -> None:
    """The backup that nobody made is told before all that is well; others are asked on demand."""
    app = window("health")
    assert not app.exception
    assert says(app, "Backup")
    assert says(app, "None was made yet.")
    assert "health-outside" in keys(app)
    button(app, "health-outside").click().run()
    assert not app.exception
    assert button(app, "health-outside").disabled
    button(app, "health-again").click().run()
    assert not app.exception


def test_a_backup_is_made_read_again_and_how_it_is_put_back_is_said(
    engine: Engine, window: Opener
) -> None:
    """The command names the newest backup's folder."""
    app = window("backups")
    assert not app.exception
    assert says(app, "No backup was made yet.")
    app.text_input(key="backup-folder").set_value("here").run()
    assert button(app, "backup-now").disabled
    app.text_input(key="backup-folder").set_value("").run()
    button(app, "backup-now").click().run()
    assert not app.exception
    for _ in range(50):
        verify = [key for key in keys(app) if key.startswith("backup-verify-")]
        if verify:
            break
        app.run()
    button(app, verify[0]).click().run()
    for _ in range(50):
        if says(app, "read again, whole"):
            break
        app.run()
    assert says(app, "read again, whole")
    folder = engine.line.house.settings.home / "backups"
    assert f"postern restore {folder}" in app.code[0].value
