"""The line of a tiny organization that thinks with the models of a stand-in."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from connectors.mail_index import MailIndex
from data.store.core import control
from data.store.core.archive import Archive
from data.store.core.database import Database
from flows.core.workspace import Workspace
from tasks.core.wording import word_sentence
from tests.copies import empty_state
from tests.line.small import TEASEL, Line, open_line
from tests.models.wire import StandIn

KEY = "teasel-key-7d1f"
WITHOUT_MODEL = word_sentence("en", "no_model")
"""How an answer begins that a model should have given."""
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


TURN_SECONDS = 777.0
"""How long a turn may take whose time a test lets run out."""


@pytest.fixture
def turn_limits(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.Timeout]:
    """Collect the limits of `TURN_SECONDS` as they begin; a test ends one by `reschedule(0)`.

    So a turn is at what the test waits for when its time runs out, however slow the machine is.
    """
    limits: list[asyncio.Timeout] = []
    begin = asyncio.timeout

    def collect(delay: float | None) -> asyncio.Timeout:
        limit = begin(delay)
        if delay == TURN_SECONDS:
            limits.append(limit)
        return limit

    monkeypatch.setattr(asyncio, "timeout", collect)
    return limits


@pytest.fixture
async def workspace(tmp_path: Path) -> AsyncIterator[Workspace]:
    """The opened organization; its knowledge, which money has nothing to do with, stays closed."""
    opened = Workspace(
        organization=TEASEL,
        keys=control.new_keys(),
        folder=tmp_path,
        db=Database(empty_state(tmp_path / "state.duckdb"), "organization"),
        archive=Archive(tmp_path / "archive"),
        knowledge=None,  # type: ignore[arg-type]
        mail_index=MailIndex(tmp_path / "mail.lance"),
    )
    yield opened
    opened.db.close()  # which is another one where a test goes on in a further process
