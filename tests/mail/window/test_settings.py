"""Settings in the window, over the real engine: files, signature, routes."""

from collections.abc import Callable
from datetime import date, datetime

from streamlit.testing.v1 import AppTest

from data.records.core.kept_settings import SetSettings, SettingsChange
from data.records.core.organization import RouteMode
from data.store.core import control
from data.store.core.database import Connection
from flows.mail.people.changing_settings import change_settings
from flows.upkeep import tidy
from tests.core.small import SLUG
from tests.core.window.drawn import button, keys, says
from tests.core.window.real_engine import Engine, engine, window
from tests.mail.mailboxes.authority import PrivateAuthority
from tests.people import person

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def test_files_are_loaded_and_what_is_wrong_is_named(engine: Engine, window: Opener) -> None:
    """What cannot be used stands there with its sentence."""
    contacts = engine.line.workspace.sources / "contacts.csv"
    contacts.write_text("name,telephone\nMara,12\n", encoding="utf-8")
    app = window("settings")
    assert not app.exception
    button(app, "settings-sync").click().run()
    assert not app.exception
    assert says(app, "1 not loaded")
    assert "has no column" in app.warning[0].value.replace("\\", "")


def test_a_key_is_made_published_and_signs(engine: Engine, window: Opener) -> None:
    """The record is shown before anything is signed; every step is an event."""
    app = window("settings")
    button(app, "signing-make").click().run()
    assert not app.exception
    assert "postern._domainkey.teasel.example" in app.code[0].value
    assert engine.line.workspace.organization.dkim is None
    button(app, "signing-on").click().run()
    assert not app.exception
    assert engine.line.workspace.organization.dkim is not None
    button(app, "signing-off").click().run()
    assert engine.line.workspace.organization.dkim is None
    events = engine.run(engine.line.rows("SELECT action FROM audit_events"))
    actions = [one["action"] for one in events]
    assert actions == ["make-signing-key", "set-signing", "set-signing"]


def test_a_key_that_was_made_is_there_on_return(engine: Engine, window: Opener) -> None:
    """The record to publish is asked for days later; a key without its file says so."""
    button(window("settings"), "signing-make").click().run()
    app = window("settings")
    assert "postern._domainkey.teasel.example" in app.code[0].value
    assert says(app, "not signed yet")
    button(app, "signing-on").click().run()
    (file,) = (engine.line.house.settings.secrets / "dkim").glob("*.pem")
    file.unlink()
    app = window("settings")
    assert not app.exception
    assert any("cannot be read" in one.value for one in app.error)
    assert "signing-off" in keys(app)


def test_a_name_that_no_key_can_have_is_told(engine: Engine, window: Opener) -> None:
    """In a sentence; nothing is made."""
    app = window("settings")
    app.text_input(key="signing-domain").set_value("teasel..example").run()
    button(app, "signing-make").click().run()
    assert not app.exception
    assert says(app, "Write a domain and a name")


def test_a_route_is_added_and_removed(engine: Engine, window: Opener) -> None:
    """A pattern that is none is told; the receiver gets the routes at once."""
    app = window("settings")
    app.text_input(key="route-pattern").set_value("nonsense").run()
    button(app, "route-save").click().run()
    assert says(app, "Write a pattern")
    app.text_input(key="route-pattern").set_value("*@teasel.example")
    app.selectbox(key="route-mode").select(RouteMode.HOLD).run()
    button(app, "route-save").click().run()
    assert not app.exception
    known = {
        one.pattern: one.mode
        for one in engine.run(engine.line.house.control.read(control.list_routes))
    }
    assert known["*@teasel.example"] is RouteMode.HOLD
    place = sorted(known).index("*@teasel.example")
    button(app, f"route-remove-{place}").click().run()
    assert not app.exception
    left = engine.run(engine.line.house.control.read(control.list_routes))
    assert "*@teasel.example" not in {one.pattern for one in left}


def test_filters_retention_and_a_contact_have_their_places(engine: Engine, window: Opener) -> None:
    """What is off says how it is switched on; what is on is asked; a contact is looked up."""
    app = window("settings")
    assert not app.exception
    assert "filters-ask" not in keys(app)
    assert says(app, "The nightly upkeep has not run yet")
    house = engine.line.house
    house.settings = house.settings.model_copy(update={"spamassassin_address": "127.0.0.1:9"})
    engine.run(tidy(house, engine.line.workspace))
    app.run()
    assert says(app, "nothing was old enough to be removed")
    button(app, "filters-ask").click().run()
    assert not app.exception
    assert says(app, "does not answer")
    app.text_input(key="contact-address").input("nobody@heron.example").run()
    assert not app.exception
    assert says(app, "Nothing is held on this address.")


def test_retention_is_changed_once_it_is_said_what_goes(engine: Engine, window: Opener) -> None:
    """Nothing old: it is kept at a press. Something old: a person has to say that it is meant."""
    engine.receive("When is the workshop open?")
    app = window("settings")
    app.number_input(key="retention-archive_days-0").set_value(30).run()
    assert any("Nothing is that old now" in one.value for one in app.info)
    button(app, "retention-save").click().run()
    assert not app.exception
    assert engine.line.house.settings.archive_days == 30
    engine.line.clock.forward(20 * 86_400)
    app.number_input(key="retention-archive_days-30").set_value(10).run()
    assert says(app, "1 raw message is deleted")
    assert button(app, "retention-save").disabled
    app.checkbox(key="retention-knowing-archive_days-10").check().run()
    button(app, "retention-save").click().run()
    assert engine.line.house.settings.archive_days == 10
    button(app, "retention-save-archive_days-default").click().run()
    assert not app.exception
    assert engine.line.house.settings.archive_days == 0
    assert "retention-save-archive_days-default" not in keys(app)


def _list_no_chats(_cursor: Connection, _before: datetime) -> list[str]:
    """Return the idle chats of programs; these homes have no chats."""
    return []


def test_a_filter_is_switched_on_in_the_window(engine: Engine, window: Opener) -> None:
    """One that does not answer is kept and told; one that is none is refused with an example."""
    app = window("settings")
    app.text_input(key="filter-spamassassin_address-").set_value("here").run()
    button(app, "filters-save").click().run()
    assert says(app, "write it like '127.0.0.1:783'")
    app.text_input(key="filter-spamassassin_address-").set_value("127.0.0.1:9").run()
    other = SetSettings(change=SettingsChange(spamassassin_address="127.0.0.1:8"))
    engine.run(change_settings(engine.line.house, other, person("tom"), _list_no_chats))
    button(app, "filters-save").click().run()
    assert says(
        app,
        "tom has changed the same meanwhile (version 1): spamassassin_address is "
        "127.0.0.1:8; look at it again",
    )
    assert engine.line.house.settings.spamassassin_address == "127.0.0.1:8"
    assert app.text_input(key="filter-spamassassin_address-").value == "127.0.0.1:9"
    button(app, "filters-save").click().run()
    assert not app.exception
    assert says(app, "SpamAssassin does not answer")
    assert says(app, "or empty the field “Address of SpamAssassin”. Mail is screened without")
    assert engine.line.house.settings.spamassassin_address == "127.0.0.1:9"
    button(app, "filters-default").click().run()
    assert not app.exception
    assert engine.line.house.settings.spamassassin_address == ""
    assert "filters-default" not in keys(app)


def test_the_server_that_sends_is_named_in_the_window(engine: Engine, window: Opener) -> None:
    """One that is away is kept and told; replies become files again by the default."""
    app = window("settings")
    assert says(app, "An approved reply becomes a file on this machine")
    app.radio(key="outgoing-way-file-127.0.0.1-25").set_value("smtp").run()
    button(app, "outgoing-save").click().run()
    assert says(app, "Write the name of the server.")
    app.text_input(key="outgoing-host-file-127.0.0.1-25").set_value("127.0.0.1").run()
    app.selectbox(key="outgoing-tls-file-127.0.0.1-25").select("none").run()
    app.number_input(key="outgoing-port-file-127.0.0.1-25-none").set_value(9).run()
    app.text_input(key="outgoing-password").set_value("shuttle-17").run()
    button(app, "outgoing-save").click().run()
    assert not app.exception
    assert says(app, "Kept, but the server does not let us in; approved replies wait.")
    settings = engine.line.house.settings
    assert (settings.transport, settings.relay_port, settings.relay_tls) == ("smtp", 9, "none")
    assert app.text_input(key="outgoing-password").value == ""
    button(app, "outgoing-default").click().run()
    assert not app.exception
    assert engine.line.house.settings.transport == "file"


def test_a_relay_is_signed_in_to_by_a_mailboxs_tokens_and_has_a_private_ca(
    engine: Engine, window: Opener
) -> None:
    """Both are chosen on the page; the certificate is told with its end, and goes again."""
    (engine.line.workspace.folder / "mailboxes.yaml").write_text(
        "mailboxes:\n  - {name: support, host: localhost, user: hello@teasel.example, oauth: "
        "{token_url: 'http://127.0.0.1:1/t', client_id: desk, client_secret_env: NONE}}\n"
    )
    pem = PrivateAuthority().pem
    app = window("settings")
    app.radio(key="outgoing-way-file-127.0.0.1-25").set_value("smtp").run()
    app.text_input(key="outgoing-host-file-127.0.0.1-25").set_value("localhost").run()
    app.selectbox(key="outgoing-mailbox-file-127.0.0.1-25").select(f"{SLUG}/support").run()
    assert "outgoing-password" not in [one.key for one in app.text_input]
    app.text_area(key="ca-text-outgoing").set_value(pem).run()
    button(app, "outgoing-save").click().run()
    assert not app.exception
    assert says(app, "the server does not let us in")
    settings = engine.line.house.settings
    assert settings.relay_mailbox == f"{SLUG}/support"
    assert settings.relay_ca.strip() == pem.strip()
    assert says(app, "CN=Teasel House CA, a CA")
    app.checkbox(key="ca-gone-outgoing").set_value(True).run()
    button(app, "outgoing-save").click().run()
    assert engine.line.house.settings.relay_ca == ""


def test_a_holiday_is_added_and_removed(engine: Engine, window: Opener) -> None:
    """Without a day nothing is kept; those that are over are folded away."""
    app = window("settings")
    assert says(app, "None lies ahead.")
    button(app, "holiday-add").click().run()
    assert says(app, "Choose the day.")
    for day, name in ((date(2020, 12, 25), "Long ago"), (date(2099, 12, 25), "Far ahead")):
        app.date_input(key="holiday-day").set_value(day)
        app.text_input(key="holiday-name").set_value(name).run()
        button(app, "holiday-add").click().run()
        assert not app.exception
    assert says(app, "Fri 25 Dec 2099: Far ahead")
    assert any(one.label == "1 day before today" for one in app.expander)
    kept = engine.line.workspace.organization.holidays
    assert [one.name for one in kept] == ["Long ago", "Far ahead"]
    button(app, "holiday-remove-2099-12-25").click().run()
    assert says(app, "None lies ahead.")


def test_earlier_settings_are_compared_and_count_again(engine: Engine, window: Opener) -> None:
    """Each change stands there with what it changed; one press brings an earlier one back."""
    app = window("settings")
    for address in ("127.0.0.1:9", "127.0.0.1:8"):
        key = next(one.key for one in app.text_input
                   if str(one.key).startswith("filter-spamassassin_address"))  # fmt: skip
        app.text_input(key=key).set_value(address).run()
        button(app, "filters-save").click().run()
    assert any(one.label == "Version 2 by admin, counts now" for one in app.expander)
    app.session_state["settings-version-1"] = True
    app.session_state["settings-version-2"] = True
    app.run()
    assert any("-spamassassin_address: 127.0.0.1:9" in one.value for one in app.code)
    button(app, "settings-restore-1").click().run()
    assert not app.exception
    assert says(app, "The settings of version 1 count again")
    assert engine.line.house.settings.spamassassin_address == "127.0.0.1:9"
