"""A state whose thread is at something else for a while, so that others meet behind it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from data.store.core.database import Database


class SlowThreads(ThreadPoolExecutor):
    """Threads that are slow with whatever they were asked first.

    Args:
        begins: whether they do it at once and are slow to say so; else they are slow to begin.

    """

    def __init__(self, *, begins: bool) -> None:
        super().__init__(1)
        self._begins = begins
        self._asked: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: object, **kwargs: object) -> Future[Any]:
        """Take an order."""
        work = partial(fn, *args, **kwargs)
        if self._begins:
            result = work()
            work = partial(lambda known: known, result)
        self._asked.append((Future(), work))
        return self._asked[-1][0]

    async def hurry_up(self, *those: asyncio.Task[Any]) -> None:
        """Do what was asked, the last first, until these have ended."""
        while not all(task.done() for task in those):
            while self._asked:
                future, work = self._asked.pop()
                future.set_result(work())
                for _ in range(5):
                    await asyncio.sleep(0)
            await asyncio.sleep(0)


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


async def go_as_far_as_they_can(*states: Database, rounds: int = 60) -> None:
    """Let everything else go on until it waits for what is occupied.

    Every round goes through the readers behind what others have asked them for.
    """
    for _ in range(rounds):
        for db in states:
            await asyncio.gather(*(db.read(lambda _: None) for _ in range(2)))
