"""People, access, teams and mailboxes in the window, over the real engine."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from data.mailbox_files import load_mailboxes
from data.records.core.principals import EditTeam, EditUser, Grant, NewTeam, NewUser
from data.records.mail.mailboxes import ChangeMailbox, KeepMailbox, MailboxSight
from data.store.core import control, users
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.mail.polling.keeping import keep_mailbox
from tests.core.small import SLUG
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.opening import APP
from tests.core.window.real_engine import Engine, engine, window
from tests.mail.mailboxes.authority import PrivateAuthority
from tests.people import person
from ui.core.pages import page_file

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def events(engine: Engine) -> list[tuple[str, str]]:
    """Return what the audit log has of people, oldest first."""
    found = engine.run(
        engine.line.rows("SELECT action, detail FROM audit_events ORDER BY sequence")
    )
    return [(one["action"], one["detail"]) for one in found]


def asked(engine: Engine, token: str, path: str) -> int:
    """Return how the engine answers somebody."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(trust_env=False) as client:
        return client.get(f"http://127.0.0.1:{engine.port}{path}", headers=headers).status_code


def test_a_role_here_gives_nothing_back_that_was_taken_elsewhere(
    engine: Engine, window: Opener
) -> None:
    """What another administrator has changed since the page was drawn stays as that one left it."""
    write = engine.line.house.control.write
    here, everywhere = (Grant(role="viewer", organization=slug) for slug in (SLUG, None))
    made = NewUser(name="Bo Lund", email="bo@teasel.example", grants=(here, everywhere))
    bo = engine.run(write(users.add_user, made, engine.line.clock()))
    app = window("access")
    app.selectbox(key="access-person").select(bo.id).run()
    app.selectbox(key=f"access-role-{bo.id}").select("lead").run()
    engine.run(write(users.edit_user, bo.id, EditUser(name="Bo Ek", grants=(here,))))
    button(app, "access-save").click().run()
    assert not app.exception
    kept = engine.run(engine.line.house.control.read(users.read_user, bo.id))
    assert (kept.name, kept.grants) == ("Bo Ek", (Grant(role="lead", organization=SLUG),))


def test_the_second_of_two_administrators_is_told_what_the_first_has_changed(
    engine: Engine, window: Opener
) -> None:
    """A person and a team: what is typed stays, and one more press means it all the same."""
    write = engine.line.house.control.write
    grant = Grant(role="viewer", organization=SLUG)
    made = NewUser(name="Bo Lund", email="bo@teasel.example", grants=(grant,))
    bo = engine.run(write(users.add_user, made, engine.line.clock()))
    team = engine.run(write(team_store.add_team, SLUG, NewTeam(name="Looms"), engine.line.clock()))
    app = window("access")
    app.selectbox(key="access-person").select(bo.id).run()
    app.text_input(key=f"access-name-{bo.id}").set_value("Bo Berg").run()
    other = EditUser(name="Bo Ek", email="ek@teasel.example")
    engine.run(write(users.edit_user, bo.id, other))
    button(app, "access-save").click().run()
    assert not app.exception
    assert says(app, "the name is Bo Ek now; the address is ek@teasel.example now")
    assert app.text_input(key=f"access-name-{bo.id}").value == "Bo Berg"
    assert app.text_input(key=f"access-email-{bo.id}").value == "ek@teasel.example"
    button(app, "access-save").click().run()
    kept = engine.run(engine.line.house.control.read(users.read_user, bo.id))
    assert (kept.name, kept.email) == ("Bo Berg", "ek@teasel.example")
    everybody = engine.run(engine.line.house.control.read(users.list_users))
    (ida,) = [user.id for user in everybody if user.name == "Ida Fenn"]
    app.multiselect(key=f"team-members-{team.id}").select(ida).run()
    engine.run(write(team_store.set_team, SLUG, team.id, EditTeam(name="Looms", members=(bo.id,))))
    button(app, f"team-save-{team.id}").click().run()
    assert says(app, "the list of members is Bo Berg now")
    assert app.multiselect(key=f"team-members-{team.id}").value == [ida]
    button(app, f"team-save-{team.id}").click().run()
    assert not app.exception
    assert says(app, "Looms is changed.")
    filled = engine.run(engine.line.house.control.read(team_store.read_team, SLUG, team.id))
    assert filled.members == (ida,)


def test_a_link_is_shown_once(engine: Engine, window: Opener) -> None:
    """Whoever comes back to the page, or to that person, does not read it again."""
    app = window("access")
    person = app.selectbox(key="access-person").value
    everybody = engine.run(engine.line.house.control.read(users.list_users))
    other = next(one.id for one in everybody if one.id != person)
    button(app, "access-token").click().run()
    assert "pst_" in str(app.code[0].value)
    app.selectbox(key="access-person").select(other).run()
    app.selectbox(key="access-person").select(person).run()
    assert not app.code
    button(app, "access-token").click().run()
    assert "pst_" in str(app.code[0].value)
    app.switch_page(page_file("overview")).run()
    app.switch_page(page_file("access")).run()
    assert not app.exception
    assert not app.code


def test_somebody_is_added_signs_in_gets_another_role_and_leaves(
    engine: Engine, window: Opener
) -> None:
    """Each step counts at once and stands in the audit log of the organization."""
    app = window("access")
    assert not app.exception
    assert says(app, "Ida Fenn")
    assert says(app, "1 link")
    app.text_input(key="access-new-name").set_value("Bo Lund").run()
    app.selectbox(key="access-new-role").select("viewer")
    button(app, "access-add").click().run()
    assert not app.exception
    everybody = engine.run(engine.line.house.control.read(users.list_users))
    (bo,) = [one.id for one in everybody if one.name == "Bo Lund"]
    assert app.selectbox(key="access-person").value == bo, "whoever was added is open"
    assert says(app, "no link yet")
    button(app, "access-token").click().run()
    token = str(app.code[0].value)
    assert "pst_" in token
    token = token[token.index("pst_") :]
    assert asked(engine, token, f"/v1/{SLUG}/queue") == 200
    (revoke,) = [key for key in keys(app) if key.startswith("access-revoke-")][-1:]
    (role,) = [one for one in app.selectbox if str(one.key).startswith("access-role-")]
    role.select("lead").run()
    button(app, "access-save").click().run()
    assert says(app, "Bo Lund is changed.")
    button(app, revoke).click().run()
    assert not app.exception
    assert asked(engine, token, f"/v1/{SLUG}/queue") == 401
    button(app, "access-end").click().run()
    assert not [one for one in app.selectbox(key="access-person").options if "Bo" in one]
    assert [one for one in events(engine) if "Bo" in one[1]] == [
        ("add-user", "Bo Lund: viewer in teasel"),
        ("add-token", "Bo Lund"),
        ("edit-user", "Bo Lund: lead in teasel"),
        ("revoke-token", "Bo Lund"),
        ("end-user", "Bo Lund: no role"),
    ]


def test_what_is_refused_stays_in_its_fields(engine: Engine, window: Opener) -> None:
    """With the reason: an address that another has, a name of spaces, a team that is there."""
    app = window("access")
    app.text_input(key="access-new-name").set_value("Bo Lund")
    app.text_input(key="access-new-email").set_value("ida@teasel.example").run()
    button(app, "access-add").click().run()
    assert says(app, "'ida@teasel.example' is the address of the user 'Ida Fenn' already")
    assert app.text_input(key="access-new-name").value == "Bo Lund"
    person = app.selectbox(key="access-person").value
    app.text_input(key=f"access-name-{person}").set_value("   ").run()
    button(app, "access-save").click().run()
    assert not app.exception
    assert says(app, "Write the name.")
    for _ in range(2):
        app.text_input(key="team-new").set_value("Repairs").run()
        button(app, "team-add").click().run()
    assert says(app, "there is a team 'Repairs' already")
    assert app.text_input(key="team-new").value == "Repairs"


def test_a_team_is_made_filled_and_removed(engine: Engine, window: Opener) -> None:
    """What becomes of a team is in the audit log."""
    app = window("access")
    assert says(app, "There is no team yet.")
    app.text_input(key="team-new").set_value("Desk").run()
    button(app, "team-add").click().run()
    (members,) = app.multiselect
    everybody = engine.run(engine.line.house.control.read(users.list_users))
    (ida,) = [one.id for one in everybody if one.name == "Ida Fenn"]
    members.select(ida).run()
    (save,) = [key for key in keys(app) if key.startswith("team-save-")]
    button(app, save).click().run()
    assert says(app, "Desk is changed.")
    (remove,) = [key for key in keys(app) if key.startswith("team-remove-")]
    button(app, remove).click().run()
    assert says(app, "There is no team yet.")
    assert not app.exception
    actions = [action for action, _ in events(engine)]
    assert actions == ["add-team", "edit-team", "remove-team"]


def test_who_may_only_look_is_told_and_changes_nobody(engine: Engine, window: Opener) -> None:
    """A viewer sees what roles permit, and no people, tokens or teams."""
    made = engine.run(engine.line.house.control.write(_viewer, engine))
    app = AppTest.from_file(str(APP), default_timeout=90)
    app.query_params["token"] = made
    app.run()
    app.switch_page(page_file("access")).run()
    assert not app.exception
    assert "Only an administrator changes who may sign in." in [one.value for one in app.info]
    assert "access-person" not in [one.key for one in app.selectbox]
    assert "team-add" not in keys(app)
    assert "Viewer" in texts(app)


def _viewer(cursor: Connection, engine: Engine) -> str:
    return control.add_token(cursor, "Vera", "viewer", SLUG, engine.line.clock())


@pytest.fixture
def mailbox(engine: Engine) -> str:
    """Name a mailbox on a port where nobody answers."""
    (engine.line.workspace.folder / "mailboxes.yaml").write_text(
        "mailboxes:\n  - {name: support, host: 127.0.0.1, port: 1, user: hello@teasel.example, "
        "tls: none, password_file: nothing}\n"
    )
    return "support"


def test_without_a_mailbox_it_is_said_how_one_is_made(window: Opener) -> None:
    """And that mail comes in all the same."""
    app = window("mailboxes")
    assert not app.exception
    assert says(app, "Mail is fetched from no mailbox.")


def test_a_mailbox_is_named_and_one_that_does_not_answer_says_so(
    engine: Engine, window: Opener
) -> None:
    """It is kept all the same, to be mended; without a name nothing is."""
    app = window("mailboxes")
    button(app, "mailbox-save-new").click().run()
    assert says(app, "Write a short name of a-z, 0-9 and -.")
    for field, value in (
        ("name", "support"), ("host", "127.0.0.1"), ("user", "hello@teasel.example"),
        ("password", "shuttle"),
    ):  # fmt: skip
        app.text_input(key=f"mailbox-{field}-new").set_value(value)
    app.number_input(key="mailbox-port-new").set_value(1)
    app.selectbox(key="mailbox-tls-new").select("none").run()
    button(app, "mailbox-save-new").click().run()
    assert not app.exception
    (kept,) = load_mailboxes(engine.line.workspace.folder)
    assert (kept.name, kept.port, kept.folders) == ("support", 1, ("INBOX",))
    assert [app.text_input(key=f"mailbox-{field}-new").value for field in ("name", "password")] == [
        "",
        "",
    ], "the form of another one is empty"
    app.text_input(key="mailbox-user-support").set_value("shop@teasel.example").run()
    other = KeepMailbox.of(kept).model_dump() | {"user": "fair@teasel.example"}
    order = ChangeMailbox.model_validate(other)
    house, workspace = engine.line.house, engine.line.workspace
    engine.run(keep_mailbox(house, workspace, "support", order, person("tom")))
    button(app, "mailbox-save-support").click().run()
    assert says(
        app,
        "tom has changed mailbox 'support' meanwhile (version 2); look at it again. "
        "user is fair@teasel.example now",
    )
    assert app.text_input(key="mailbox-user-support").value == "shop@teasel.example"
    button(app, "mailbox-save-support").click().run()
    app.session_state["mailbox-versions-support"] = True
    app.run()
    changed = "-user: fair@teasel.example\n+user: shop@teasel.example"
    assert any(changed in one.value for one in app.code)
    button(app, "mailbox-restore-support-1").click().run()
    assert says(app, "support is as version 1 again.")
    assert load_mailboxes(engine.line.workspace.folder) == (kept,)
    button(app, "mailbox-remove-support").click().run()
    assert not app.exception
    assert load_mailboxes(engine.line.workspace.folder) == ()


def test_access_tokens_and_a_private_ca_are_given_in_the_window(
    engine: Engine, window: Opener
) -> None:
    """What cannot be meant is said by its field; secrets are shown no more, the CA can go."""
    authority = PrivateAuthority()
    app = window("mailboxes")
    app.radio(key="mailbox-way-new").set_value("tokens").run()
    typed = {
        "name": "support", "host": "localhost", "user": "hello@teasel.example",
        "token-url": "http://login.teasel.example/token", "client": "teasel-desk",
        "refresh-token": "1//shuttle", "client-secret": "warp-and-weft",
    }  # fmt: skip
    for field, value in typed.items():
        app.text_input(key=f"mailbox-{field}-new").set_value(value)
    app.number_input(key="mailbox-port-new").set_value(1)
    button(app, "mailbox-save-new").click().run()
    assert says(app, "Token endpoint: secrets are sent there: it must begin with https://.")
    app.text_input(key="mailbox-token-url-new").set_value("http://127.0.0.1:1/token")
    app.text_area(key="ca-text-mailbox-new").set_value("my certificate")
    button(app, "mailbox-save-new").click().run()
    assert says(app, "This is no certificate")
    app.text_area(key="ca-text-mailbox-new").set_value(authority.pem)
    button(app, "mailbox-save-new").click().run()
    assert not app.exception
    assert says(app, "oken endpoint 'http://127.0.0.1:1/token' of mailbox 'support' cannot be")
    (kept,) = load_mailboxes(engine.line.workspace.folder)
    assert (kept.oauth is not None, "BEGIN CERTIFICATE" in kept.ca_pem) == (True, True)
    assert says(app, "CN=Teasel House CA, a CA")
    shown = " ".join(one.value for one in [*app.text_input, *app.text_area])
    assert "shuttle" not in shown
    assert "warp" not in shown
    app.checkbox(key="ca-gone-mailbox-support").set_value(True).run()
    button(app, "mailbox-save-support").click().run()
    (changed,) = load_mailboxes(engine.line.workspace.folder)
    assert (changed.ca_pem, changed.oauth) == ("", kept.oauth)
    button(app, "mailbox-remove-support").click().run()
    again = {str(one.key) for one in app.text_input if str(one.key).startswith("mailbox-again")}
    assert again == {f"mailbox-again-{one}-support" for one in ("refresh_token", "client_secret")}


def test_a_check_that_fails_says_why(window: Opener, mailbox: str) -> None:
    """The button asks the engine, and what did not work is a sentence."""
    app = window("mailboxes")
    assert not app.exception
    assert says(app, "not tried yet")
    button(app, f"mailbox-check-{mailbox}").click().run()
    assert not app.exception
    assert app.error or app.warning


def test_the_audit_log_is_narrowed_and_says_when_nothing_is_like_that(
    engine: Engine, window: Opener
) -> None:
    """By a person and by words; what is left is counted, and the address names it."""
    engine.receive("When is the workshop open?")
    app = window("access")
    app.text_input(key="team-new").set_value("Desk").run()
    button(app, "team-add").click().run()
    app.switch_page(page_file("audit")).run()
    assert not app.exception
    assert says(app, "1 decision")
    app.text_input(key="audit-words").set_value("desk").run()
    assert says(app, "1 decision")
    app.text_input(key="audit-words").set_value("nothing of this").run()
    assert says(app, "Nothing like that was done.")
    assert app.query_params["words"] in ("nothing of this", ["nothing of this"])
    app.text_input(key="audit-words").set_value("").run()
    app.selectbox(key="audit-what").select("add-team").run()
    assert says(app, "1 decision")
    assert not app.exception
    button(app, "audit-verify").click().run()
    assert [entry.value for entry in app.success if "fit their hashes" in entry.value]
    assert not app.error
    tamper = "UPDATE audit_events SET detail = 'other' WHERE sequence = 1"
    engine.run(engine.line.workspace.db.write(lambda cursor: cursor.execute(tamper) and None))
    button(app, "audit-verify").click().run()
    assert says(app, "Event 1 does not fit its hash")


def test_a_check_takes_the_place_of_an_older_failure(
    engine: Engine, mailbox: str, window: Opener
) -> None:
    """What a fetch could not do is said once, and no more once a check has signed in."""
    app = window("mailboxes")
    button(app, f"mailbox-poll-{mailbox}").click().run()
    assert not app.exception
    del app.session_state[f"mailbox-found-{mailbox}"]
    app.run()
    assert says(app, "failed 1 time in a row")
    (error,) = [one.value for one in app.error if "password" in one.value]
    assert error[0].isupper()
    trouble = "The certificate expires tomorrow."
    app.session_state[f"mailbox-found-{mailbox}"] = MailboxSight(
        name=mailbox, server="127.0.0.1:993", encrypted=True, idle=True, move=True,
        troubles=(trouble,),
    )  # fmt: skip
    app.session_state[f"mailbox-found-at-{mailbox}"] = datetime.now(UTC) + timedelta(days=999)
    app.run()
    assert says(app, "see the last check")
    assert says(app, trouble)
    assert not app.error
