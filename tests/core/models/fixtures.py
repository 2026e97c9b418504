"""The line of a tiny organization that thinks with the models of a stand-in."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from data.store.core import control
from data.store.core.archive import Archive
from data.store.core.database import Database
from flows.core.workspace import Workspace
from tests.copies import empty_state
from tests.core.models.wire import StandIn
from tests.core.small import TEASEL, Line, open_line

KEY = "teasel-key-7d1f"
OpenThinking = Callable[..., AbstractAsyncContextManager[Line]]


@pytest.fixture
def thinking(tmp_path: Path) -> OpenThinking:
    """Give a way to open a line whose models are those of a stand-in."""

    @asynccontextmanager
    async def open_thinking(
        server: StandIn, provider: str = "anthropic", **given: object
    ) -> AsyncIterator[Line]:
        address = server.url if provider == "anthropic" else f"{server.url}/v1"
        models = {} if provider == "anthropic" else {"llm_model": "lathe-8b"}
        settings = {
            "llm_provider": provider,
            "llm_base_url": address,
            "llm_api_key": KEY,
            "llm_timeout": 60,
            "llm_prices": ("* 1 5 0.1 1.25",),
            **models,
            **given,
        }
        async with open_line(tmp_path / "var", **settings) as line:
            assert line.house.thinker is not None
            line.house.thinker.pause = 0.01
            yield line

    return open_thinking


@pytest.fixture
async def workspace(tmp_path: Path) -> AsyncIterator[Workspace]:
    """The opened organization; its knowledge, which money has nothing to do with, stays closed."""
    opened = Workspace(
        organization=TEASEL,
        keys=control.make_keys(),
        folder=tmp_path,
        db=Database(empty_state(tmp_path / "state.duckdb"), "organization"),
        archive=Archive(tmp_path / "archive"),
        knowledge=None,  # type: ignore[arg-type]
    )
    yield opened
    opened.db.close()  # which is another one where a test goes on in a further process
