"""The first organization, made in the window over an engine without any."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from streamlit.testing.v1 import AppTest

from data.store.core import control
from flows.core.first_secret import read_setup_secret, renew_setup_secret
from flows.core.house import House
from tests.core.small import api_over, settings_in
from tests.core.window.drawn import button, keys, says
from tests.core.window.opening import APP
from tests.ports import open_door
from ui.core.pages import page_file


class Empty:
    """A house without an organization and its API, in a thread with an event loop of its own."""

    def __init__(self, home: Path) -> None:
        self._ready, self._stop = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live(home)), daemon=True)
        self._thread.start()
        if not self._ready.wait(timeout=150):
            raise RuntimeError("the engine did not start")

    async def _live(self, home: Path) -> None:
        self.house = House(settings_in(home))
        await renew_setup_secret(self.house)
        self.admin = await self.house.control.write(
            control.add_token, "admin", "admin", None, self.house.clock()
        )
        self.secret = read_setup_secret(self.house.settings)
        config = uvicorn.Config(
            api_over(self.house), log_config=None, access_log=False, ws="none", lifespan="off"
        )
        server = uvicorn.Server(config)
        door = open_door()
        self.port = int(door.getsockname()[1])
        serving = asyncio.create_task(server.serve(sockets=[door]))
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        await self._stop.wait()
        server.should_exit = True
        await serving
        await self.house.close()

    def close(self) -> None:
        """End it and wait."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(timeout=100)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Empty]:
    """Serve an engine without an organization."""
    empty = Empty(tmp_path / "var")
    monkeypatch.setenv("POSTERN_API_PORT", str(empty.port))
    yield empty
    empty.close()


def visit(**named: str) -> AppTest:
    """Open the window by a link."""
    app = AppTest.from_file(str(APP), default_timeout=90)
    for name, value in named.items():
        app.query_params[name] = value
    return app.run()


def fill(app: AppTest, **given: str) -> None:
    """Write into the form, and begin."""
    for field, value in given.items():
        app.text_input(key=f"begin-{field}").set_value(value).run()
    button(app, "begin").click().run()
    assert not app.exception


def test_the_link_leads_to_a_form_that_signs_in(empty: Empty) -> None:
    """What is missing is said, what is written stays, and the overview shows the first steps."""
    app = visit(setup=empty.secret)
    assert says(app, "Say who it answers mail for")
    fill(app, name="Harbor Museum", person="Maud")
    assert says(app, "The address that mail is answered for is missing.")
    fill(app, address="help")
    assert says(app, "'help' is no mail address")
    app.selectbox(key="begin-zone").set_value("Europe/Lisbon").run()
    fill(app, address="help@harbor.example", email="maud@harbor.example")
    assert "setup" not in app.query_params
    assert says(app, "you are signed in as Maud")
    assert "pst_" in app.code[0].value
    own = app.code[0].value.rpartition("=")[2]
    button(app, "begun-on").click().run()
    assert says(app, "First steps")
    assert says(app, "Harbor Museum answers for help@harbor.example.")
    assert says(visit(token=own), "First steps")
    late = visit(setup=empty.secret)
    assert says(late, "This link is good no more")
    assert says(late, "Sign in to Postern")


def test_an_administrator_without_an_organization_is_given_the_form(empty: Empty) -> None:
    """Who holds the token of the command line need not look for the link."""
    app = visit(token=empty.admin)
    assert says(app, "Welcome to Postern")
    fill(app, name="Harbor", address="help@harbor.example", person="Maud")
    button(app, "begun-on").click().run()
    assert says(app, "First steps")


def test_the_first_steps_stay_and_can_all_be_done(empty: Empty) -> None:
    """They open where the form ends, lead back from other pages, and ask for no needless change."""
    app = visit(setup=empty.secret)
    fill(app, name="Harbor", address="help@harbor.example", person="Maud")
    button(app, "begun-on").click().run()
    assert says(app, "A step is done when it is"), "the page itself, not the overview"
    app.switch_page(page_file("settings")).run()
    assert not app.exception
    assert "First steps: 1 of 8" in [link.proto.label for link in app.get("page_link")]
    app.switch_page(page_file("setup")).run()
    assert says(app, "Nobody has decided yet")
    button(app, "setup-keep-policy").click().run()
    assert not app.exception
    assert says(app, "Somebody has decided: everything is drafted, and a person sends.")
    assert "setup-keep-policy" not in keys(app)


def test_a_wrong_link_opens_nothing(empty: Empty) -> None:
    """It is told what to do, and nothing can be written."""
    app = visit(setup="pset_made_up")
    assert says(app, "This link is good no more")
    assert not app.selectbox
