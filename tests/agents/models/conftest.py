"""Agents that think with the models of a stand-in, and turns whose time runs out."""

import asyncio

import pytest

from tasks.core.wording import word_sentence
from tests.core.models.fixtures import thinking, workspace

__all__ = ["TURN_SECONDS", "WITHOUT_MODEL", "thinking", "turn_limits", "workspace"]

WITHOUT_MODEL = word_sentence("en", "no_model")
"""How an answer begins that a model should have given."""


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
