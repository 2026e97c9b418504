"""Organizations in the window, over the real engine: all are seen, another is made, one is open."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.organization import Organization
from data.store.core import control
from data.store.core.database import Connection
from tests.core.window.drawn import button, keys, says
from tests.core.window.opening import APP
from tests.core.window.real_engine import Engine, engine, window
from ui.core.pages import page_file

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def test_another_is_made_opened_and_left_again(engine: Engine, window: Opener) -> None:
    """What is missing is said; the new one is open on its first steps, and both can be opened."""
    app = window("organizations")
    assert not app.exception
    assert says(app, "1 organization")
    button(app, "organization-make").click().run()
    assert says(app, "The name is missing.")
    app.text_input(key="organization-name").set_value("Harbor Museum")
    app.text_input(key="organization-address").set_value("hello@teasel.example").run()
    button(app, "organization-make").click().run()
    assert says(app, "'hello@teasel.example' is answered for organization 'teasel'")
    app.text_input(key="organization-address").set_value("help@harbor.example").run()
    app.selectbox(key="organization-zone").select("Europe/Lisbon").run()
    button(app, "organization-make").click().run()
    assert not app.exception
    assert app.session_state["organization"] == "harbor-museum"
    app.switch_page(page_file("organizations")).run()
    assert not app.exception
    assert says(app, "2 organizations")
    assert "organization-open-harbor-museum" not in keys(app)
    button(app, "organization-open-teasel").click().run()
    assert not app.exception
    assert app.session_state["organization"] == "teasel"
    assert "organization-open-harbor-museum" in keys(app)
    made = {one.slug: one for one in engine.run(engine.line.house.control.read(_all))}
    assert made["harbor-museum"].timezone == "Europe/Lisbon"


def test_nothing_of_one_stands_in_the_forms_of_another(engine: Engine, window: Opener) -> None:
    """What was typed, chosen, made or looked at there is gone when another one is opened."""
    engine.run(_make_another(engine))
    app = window("settings", organization="teasel")
    button(app, "signing-make").click().run()
    assert "teasel.example" in app.code[0].value
    app.switch_page(page_file("policy")).run()
    dial = next(one for one in app.slider if str(one.key).startswith("policy-quality-"))
    dial.set_value(33).run()
    area = next(one for one in app.text_area if str(one.key).startswith("policy-text-"))
    area.set_value("version: 1\nmode: live\n").run()
    app.selectbox(key="organization").select("harbor-museum").run()
    assert not app.exception
    assert app.session_state["organization"] == "harbor-museum"
    left = [key for key in keys(app) if key.startswith("policy-")]
    assert left == [], "it turns to the first page, whatever stood on the one before"
    app.switch_page(page_file("policy")).run()
    assert not app.exception
    assert [one.value for one in app.slider if str(one.key).startswith("policy-quality-")] != [33]
    assert "live" not in next(
        str(one.value) for one in app.text_area if str(one.key).startswith("policy-text-")
    )
    app.switch_page(page_file("settings")).run()
    assert not app.exception
    assert "teasel.example" not in "".join(str(one.value) for one in app.code)
    assert app.text_input(key="signing-domain").value == "harbor.example"


async def _make_another(engine: Engine) -> None:
    house = engine.line.house
    addresses = ("help@harbor.example",)
    await house.add_organization(
        Organization(slug="harbor-museum", name="Harbor Museum", addresses=addresses)
    )
    await house.get_workspace("harbor-museum")


def _all(cursor: Connection) -> list[control.Organization]:
    return control.list_organizations(cursor)


def test_who_administers_one_sees_no_others(engine: Engine) -> None:
    """Nor how one is made."""

    def viewer(cursor: Connection) -> str:
        return control.add_token(cursor, "Vera", "viewer", "teasel", engine.line.clock())

    app = AppTest.from_file(str(APP), default_timeout=90)
    app.query_params["token"] = engine.run(engine.line.house.control.write(viewer))
    app.run()
    app.switch_page(page_file("organizations")).run()
    assert not app.exception
    assert any("administrator of the installation" in one.value for one in app.info)
    assert "organization-make" not in keys(app)
