"""A state whose thread is at something else for a while, so that others meet behind it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from data.store.core.database import Database

_ROUNDS = 25


@asynccontextmanager
async def occupied_writer(db: Database) -> AsyncIterator[None]:
    """Let nothing be written meanwhile; what is to be written waits in the order that it came."""
    free = threading.Event()
    at_it = asyncio.create_task(db.write(lambda _: free.wait()))
    await asyncio.sleep(0)
    try:
        yield
    finally:
        free.set()
        await at_it


async def go_as_far_as_they_can(*states: Database, until: Callable[[], bool] | None = None) -> None:
    """Let everything else go on until it waits for what is occupied.

    Every round goes through the readers behind what others have asked them for.
    """
    for _ in range(_ROUNDS):
        for db in states:
            await asyncio.gather(*(db.read(lambda _: None) for _ in range(2)))
        if until is not None and until():
            return
