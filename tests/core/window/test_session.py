"""Signing in, being signed out, and an engine that is away."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.mail.overview_views import OrganizationName
from data.settings import load_settings
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import TOKEN, Refused, World
from tests.core.window.fixtures import Served
from tests.core.window.opening import APP
from ui.core import staying_signed_in
from ui.core.pages import page_file

Opener = Callable[..., AppTest]

PAGES = ("overview", "review", "inbox", "quarantine", "outbox", "help")


def test_the_link_signs_in_and_its_token_leaves_the_address(window: Opener) -> None:
    """The token moves from the address into the session."""
    app = window()
    assert "token" not in app.query_params
    assert app.session_state["token"] == TOKEN
    assert says(app, "Overview")


def test_without_a_token_a_field_asks_for_one(served: Served, world: World) -> None:
    """Nothing is asked of the engine before somebody signs in."""
    app = AppTest.from_file(str(APP), default_timeout=90).run()
    assert says(app, "Sign in to Postern")
    assert world.calls == []
    app.text_input(key="given-token").input(f" {TOKEN} ")
    app.button[0].click().run()
    assert says(app, "Overview")


@pytest.mark.parametrize("typed", ["pst_\N{HORIZONTAL ELLIPSIS}", "two words"])
def test_what_can_be_no_token_is_told(served: Served, world: World, typed: str) -> None:
    """A link that was cut short, or a sentence that was pasted, is no stack trace."""
    app = AppTest.from_file(str(APP), default_timeout=90).run()
    app.text_input(key="given-token").input(typed)
    app.button[0].click().run()
    assert not app.exception
    assert says(app, "This token is not known here.")
    assert world.calls == []


def test_an_expired_token_asks_again(window: Opener, world: World) -> None:
    """A token that stops being valid leads to the sign-in page with a sentence."""
    app = window("review")
    world.token = "another one"
    app.run()
    assert says(app, "Sign in to Postern")
    assert says(app, "Your sign-in has ended")
    assert not app.exception


def test_an_action_with_an_expired_token_asks_again(window: Opener, world: World) -> None:
    """A button pressed too late does nothing but lead to the sign-in page."""
    app = window("review")
    world.token = "another one"
    button(app, "approve").click().run()
    assert says(app, "Sign in to Postern")
    assert world.deliveries == {}


def test_signing_out_forgets_everything(window: Opener) -> None:
    """After signing out, nothing of the session is left."""
    app = window("review")
    button(app, "sign-out").click().run()
    assert says(app, "Sign in to Postern")
    assert "me" not in app.session_state


@pytest.mark.parametrize("page", PAGES)
def test_an_engine_that_is_away_is_told_in_a_sentence(
    page: str, window: Opener, world: World
) -> None:
    """Every page stays calm, says that nothing is lost, and shows no stack trace."""
    app = window(page)
    for ending in ("/me", "/overview", "/queue", "/messages", "/quarantine", "/outbox", "/stop",
                   "/case-1"):  # fmt: skip
        world.refusals[ending] = Refused(503, "StoreBusyError", "the engine is starting")
    app.run()
    assert not app.exception
    if page != "help":
        assert says(app, "The engine does not answer. Mail is still being accepted")
        assert says(app, "The engine is starting.")


def test_an_engine_that_is_gone_is_told_in_a_sentence(window: Opener, served: Served) -> None:
    """A refused connection is the same calm notice, with the address that was tried."""
    app = window("review")
    served.close()
    app.run()
    assert not app.exception
    assert says(app, "nothing is lost")
    assert says(app, load_settings().api_url)


def test_what_a_token_may_not_do_is_told(window: Opener, world: World) -> None:
    """A refusal by role is shown as the engine says it."""
    app = window("outbox")
    world.refusals["/stop"] = Refused(403, "ForbiddenError", "only an admin may stop sending")
    button(app, "stop-on").click().run()
    assert says(app, "Only an admin may stop sending.")
    assert world.stopped is False


@pytest.mark.parametrize("page", PAGES)
def test_the_kill_switch_is_seen_on_every_page(page: str, window: Opener, world: World) -> None:
    """While nothing may leave, every page says so and offers to let it leave."""
    world.stopped = True
    app = window(page)
    assert says(app, "Sending is stopped.")
    button(app, "stop-off").click().run()
    assert world.stopped is False
    assert not says(app, "Nothing leaves until")


def test_stopping_shows_the_banner_at_once(window: Opener, world: World) -> None:
    """The button of the outbox turns the switch on, and the banner is there."""
    app = window("outbox")
    assert "stop-off" not in keys(app)
    button(app, "stop-on").click().run()
    assert world.stopped is True
    assert "stop-off" in keys(app)


def test_a_new_page_of_the_same_browser_is_signed_in(window: Opener, served: Served) -> None:
    """The id that a sign-in left leads back to the token, until somebody signs out."""
    app = window()
    known = app.session_state["returning"]
    assert TOKEN not in known
    again = AppTest.from_file(str(APP), default_timeout=90)
    again.session_state["returning"] = known
    again.run()
    assert says(again, "Overview")
    button(again, "sign-out").click().run()
    last = AppTest.from_file(str(APP), default_timeout=90)
    last.session_state["returning"] = known
    last.run()
    assert says(last, "Sign in to Postern")


def test_a_page_that_is_loaded_again_shows_the_same_organization(
    served: Served, world: World
) -> None:
    """For who sees several: the one of the address, else the one that was open in this browser."""
    first = OrganizationName(slug="harbor-museum", name="Harbor Museum")
    world.me = world.me.model_copy(update={"organizations": (first, *world.me.organizations)})
    app = AppTest.from_file(str(APP), default_timeout=90)
    app.query_params["token"] = TOKEN
    app.query_params["org"] = "kettle-and-chain"
    app.run()
    assert app.session_state["organization"] == "kettle-and-chain"
    app.switch_page(page_file("review")).run()
    assert app.query_params["org"] == "kettle-and-chain"
    for slug, opens in (("", "kettle-and-chain"), ("harbor-museum", "harbor-museum")):
        again = AppTest.from_file(str(APP), default_timeout=90)
        again.session_state["returning"] = app.session_state["returning"]
        again.query_params["org"] = slug
        again.run()
        assert again.session_state["organization"] == opens


def test_ids_expire_and_are_bounded() -> None:
    """Two hours without use or twelve in all end an id; the oldest goes when there are too many."""
    known = staying_signed_in.Sessions()
    first = known.keep("one", now=0)
    for hour in range(0, staying_signed_in.SECONDS, staying_signed_in.IDLE_SECONDS):
        assert known.find(first, now=hour) == "one"
    assert known.find(first, now=staying_signed_in.SECONDS + 1) == "", (
        "used all the time, and too old"
    )
    idle = known.keep("one", now=0)
    assert known.find(idle, now=staying_signed_in.IDLE_SECONDS + 1) == ""
    assert known.find("made up", now=0) == ""
    oldest = known.keep("two", now=0)
    for _ in range(staying_signed_in.MOST):
        known.keep("more", now=1)
    assert len(known.kept) == staying_signed_in.MOST
    assert known.find(oldest, now=1) == ""
