"""The window over a stand-in for the engine, by real HTTP on the loopback."""

import functools
import itertools
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import streamlit as st
import uvicorn
from fastapi import FastAPI
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from tests.core.window.browsing import Browser, Chromium
from tests.core.window.engine import TOKEN, World, build, full
from tests.core.window.opening import APP
from ui.core import undoing
from ui.core.pages import page_file

# Streamlit reads the metadata of everything installed for each window that a test opens, which
# takes longer than most of these tests; what is installed does not change while they run.
manifest_scanner.scan_component_manifests = functools.cache(
    manifest_scanner.scan_component_manifests
)

# A served window compiles each page once; each of these would for every step.
_COMPILED = ScriptCache()
app_test.ScriptCache = local_script_runner.ScriptCache = lambda: _COMPILED  # type: ignore[attr-defined]


# Between two steps of a test a busy machine may take longer than people have to think again.
undoing.REOPEN_SECONDS = 3_600


SHOWN = World()
"""What the stand-in shows: the attributes of the world of the test that runs."""


_people = itertools.count()


@functools.cache
def _application() -> FastAPI:
    """Make the stand-in, once: that takes as long as one of these tests."""
    return build(SHOWN)


def _over(world: World) -> FastAPI:
    """Return the stand-in, over this world from now on."""
    SHOWN.__dict__ = world.__dict__
    return _application()


class Served:
    """The stand-in on a port of its own."""

    def __init__(self, world: World, port: int = 0) -> None:
        config = uvicorn.Config(
            _over(world),
            host="127.0.0.1",
            port=port,
            log_config=None,
            access_log=False,
            ws="none",
            lifespan="off",
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the stand-in did not start"
            time.sleep(0.005)
        self.port = int(self._server.servers[0].sockets[0].getsockname()[1])

    def close(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        self._thread.join(timeout=100)


@pytest.fixture
def world() -> World:
    """Return a world with something on every page."""
    return full()


@pytest.fixture
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serve the world, and let the settings name its port."""
    st.cache_resource.clear()  # each test has a server of its own
    served = Served(world)
    monkeypatch.setenv("POSTERN_API_PORT", str(served.port))
    yield served
    served.close()


@pytest.fixture
def window(served: Served) -> Callable[..., AppTest]:
    """Return a function that opens a page of the window, signed in."""

    def open_(page: str = "overview", **state: object) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=90)
        app.query_params["token"] = TOKEN
        for name, value in state.items():
            app.session_state[name] = value
        app.run()
        if page != "overview":
            app.switch_page(page_file(page)).run()
        return app

    return open_


@pytest.fixture
def address(window_address: str, world: World, window_port: int) -> Iterator[str]:
    """Yield the window's address, once the engine of this test answers it.

    Who signs in is somebody else in each test: what a window keeps for people it keeps longer.
    """
    world.me = world.me.model_copy(update={"id": f"{world.me.id}-{next(_people)}"})
    served = Served(world, window_port)
    yield window_address
    served.close()


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Browser]:
    """Open a window of the browser that knows nobody."""
    browser = Browser(chromium)
    yield browser
    browser.close()
