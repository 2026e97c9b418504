"""The page of the business profile over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.agents.business import EditBusinessProfile
from data.records.core.principals import EffectiveGrant, Permission, Principal
from flows.agents.business import write_profile
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]
MAUD = Principal(
    kind="person",
    id="user-maud",
    name="Maud",
    grants=(EffectiveGrant(permissions=frozenset({Permission.SEE, Permission.TEACH})),),
)


def write(app: AppTest, words: str) -> AppTest:
    """Write the profile as a person does."""
    app.text_area(key="profile-text").input(words).run()
    return button(app, "profile-save").click().run()


def test_a_profile_is_written_with_a_reference_and_an_earlier_one_comes_back(
    engine: Engine,  # pytest's way of asking for a fixture
    window: Opener,
) -> None:
    """What is referred to stands below it as it reads now; nothing is overwritten."""
    app = window("business")
    assert says(app, "Nobody has written it yet.")
    field = app.selectbox(key="profile-refer")
    field.select(next(one for one in field.options if "Opening hours" in one)).run()
    button(app, "profile-refer-now").click().run()
    write(app, "We repair looms.")
    assert says(app, "Saved as version 1")
    assert says(app, "We repair looms.")
    assert any("09:00" in words for words in texts(app))
    write(app, "We repair looms and sell yarn.")
    app.session_state["profile-version-1"] = True
    app.run()
    assert says(app, "+We repair looms.")
    button(app, "profile-again-1").click().run()
    assert app.text_area(key="profile-text").value == "We repair looms."
    button(app, "profile-save").click().run()
    assert not app.exception
    rows = engine.run(engine.line.rows("SELECT markdown FROM business_profiles ORDER BY version"))
    assert [row["markdown"] for row in rows] == [
        "We repair looms.", "We repair looms and sell yarn.", "We repair looms.",
    ]  # fmt: skip


def test_an_earlier_version_counts_again_at_a_press(engine: Engine, window: Opener) -> None:
    """It is one more version, with an event; what it changes is shown before."""
    app = window("business")
    write(app, "We repair looms.")
    write(app, "We sell yarn.")
    for number in (1, 2):
        app.session_state[f"profile-version-{number}"] = True
    app.run()
    assert any("-We repair looms.\n+We sell yarn." in one.value for one in app.code)
    button(app, "profile-restore-1").click().run()
    assert not app.exception
    assert says(app, "Version 1 counts again, as version 3.")
    assert app.text_area(key="profile-text").value == "We repair looms."
    rows = engine.run(engine.line.rows("SELECT action FROM audit_events ORDER BY sequence"))
    assert [row["action"] for row in rows][-1] == "restore business profile"


def test_what_somebody_else_wrote_meanwhile_is_not_overwritten_unseen(
    engine: Engine, window: Opener
) -> None:
    """The person keeps what they have written, sees the other, and says which counts."""
    app = window("business")
    write(app, "We repair looms.")
    theirs = EditBusinessProfile(markdown="We sell yarn.", was=1)
    line = engine.line
    engine.run(write_profile(line.house, line.workspace, theirs, MAUD))
    app.text_area(key="profile-text").input("We repair looms of all makers.").run()
    assert says(app, "Maud has written another version meanwhile")
    assert "profile-save" not in keys(app)
    assert app.text_area(key="profile-text").value == "We repair looms of all makers."
    button(app, "profile-over").click().run()
    assert says(app, "Saved as version 3")
    assert not app.exception
