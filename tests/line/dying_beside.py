"""A process that works on two batches of cases beside each other, and dies in the midst of both.

The first batch dies by SIGKILL at the stage, once the second one's context is journalled.
"""

import asyncio
import os
import signal
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from data.errors import PosternError
from data.store.core.database import Connection
from flows.core.batch import Batch
from flows.core.house import open_house
from flows.inbound import STAGES, inbound_batch
from flows.mail.stages.context import ContextStage
from flows.mail.stages.stage import Stage
from tests.line.small import SLUG, settings_in

PLACES = ("plan, computing", "plan, writing", "route, writing")
BATCH = 4


async def work(home: Path, place: str) -> None:
    """Begin two batches, and die."""
    house = await open_house(settings_in(home, batch_size=BATCH, authenticate_senders=False))
    workspace = await house.workspace(SLUG)
    beside = asyncio.Event()
    stages = [_deadly(stage, place, beside) for stage in STAGES]
    first = asyncio.create_task(inbound_batch(house, workspace, stages))
    await workspace.conveyor.room.wait()

    class Second(ContextStage):
        """Says when what it has found is about to be kept."""

        def settle(self, *given: Any) -> None:  # noqa: ANN401  # as it is
            """Keep it, and say so."""
            super().settle(*given)
            loop.call_soon_threadsafe(beside.set)

    loop = asyncio.get_running_loop()
    second = asyncio.create_task(inbound_batch(house, workspace, (Second(), *stages[1:])))
    await asyncio.gather(first, second)


def _deadly(stage: Stage[Any], place: str, beside: asyncio.Event) -> Stage[Any]:
    """Return the stage, or at the place one that waits for the second batch and dies."""
    name, _, how = place.partition(", ")
    if stage.name != name:
        return stage
    kind = type(stage)

    class Deadly(kind):  # type: ignore[valid-type,misc]
        async def perform(self, batch: Batch, ids: Any) -> Mapping[str, Any | PosternError]:  # noqa: ANN401
            """Wait for the other batch."""
            await beside.wait()
            await asyncio.sleep(0.2)
            if how == "computing":
                os.kill(os.getpid(), signal.SIGKILL)
            made: Mapping[str, Any | PosternError] = await super().perform(batch, ids)
            return made

        def settle(
            self, cursor: Connection, batch: Batch, results: Mapping[str, Any], now: datetime
        ) -> None:
            """Write everything, and die before it is committed."""
            super().settle(cursor, batch, results, now)
            os.kill(os.getpid(), signal.SIGKILL)

    return Deadly()


def run(home: Path, place: str) -> None:
    """Be that process."""
    asyncio.run(work(home, place))
