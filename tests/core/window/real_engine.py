"""The real API, store, index and stages, in process, for tests of the window over them."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from streamlit.testing.v1 import AppTest

from flows.core.access import OPERATOR, ensure_tokens
from tests.core.small import Line, api_over, open_line
from tests.core.window.opening import APP
from tests.ports import open_door
from ui.core.pages import page_file


class Engine:
    """A line of the tiny organization with its API, in a thread with an event loop of its own."""

    def __init__(self, home: Path) -> None:
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live(home)), daemon=True)
        self.failure: BaseException | None = None
        self._thread.start()
        if not self._ready.wait(timeout=150) or self.failure:
            raise RuntimeError("the engine did not start") from self.failure

    async def _live(self, home: Path) -> None:
        try:
            async with open_line(home) as self.line:
                await ensure_tokens(self.line.house)
                self.token = (self.line.house.settings.secrets / OPERATOR).read_text()
                # Time to press undo: the tiny organization's own policy leaves none.
                longer = {"undo_seconds": 600}
                self.line.workspace.policy = self.line.workspace.policy.model_copy(update=longer)
                await self._serve()
        except BaseException as error:
            self.failure = error
            raise
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        config = uvicorn.Config(
            api_over(self.line.house),
            log_config=None,
            access_log=False,
            ws="none",
            lifespan="off",
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

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401
        """Run something on the engine's loop and return its answer."""
        future: Future[Any] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result(timeout=150)

    def receive(self, text: str, **given: str) -> str:
        """Take one message all the way to where it goes."""

        async def through(line: Line) -> str:
            id = line.send(text, **given)
            await line.run()
            return id

        return str(self.run(through(self.line)))

    def close(self) -> None:
        """End it and wait."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(timeout=100)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Serve the real thing, and let the settings name its port."""
    engine = Engine(tmp_path / "var")
    monkeypatch.setenv("POSTERN_API_PORT", str(engine.port))
    yield engine
    engine.close()


@pytest.fixture
def window(engine: Engine) -> Callable[..., AppTest]:
    """Return a function that opens a page of the window, signed in."""

    def open_(page: str = "overview", **state: object) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=90)
        app.query_params["token"] = engine.token
        for name, value in state.items():
            app.session_state[name] = value
        app.run()
        if page != "overview":
            app.switch_page(page_file(page)).run()
        return app

    return open_
