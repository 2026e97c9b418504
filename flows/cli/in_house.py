"""The state of an engine that does not run, opened for one act."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from data.settings import Settings
from flows.core.house import House, open_house
from flows.core.workspace import Workspace
from flows.mail.people.erasing import finish_erasures

Answer = TypeVar("Answer")


def in_house(
    settings: Settings, slug: str, act: Callable[[House, Workspace], Awaitable[Answer]]
) -> Answer:
    """Act on an organization, after what an act that was cut off has left undone.

    Raises:
        StoreBusyError: an engine holds the state and does not answer.

    """

    async def work() -> Answer:
        house = await open_house(settings)
        try:
            workspace = await house.workspace(slug)
            await finish_erasures(house, workspace)
            return await act(house, workspace)
        finally:
            await house.close()

    return asyncio.run(work())
