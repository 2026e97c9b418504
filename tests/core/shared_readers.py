"""Reading processes that the houses of one test process share.

Each of them takes half a second of processor time to start, and two thousand tests open a house.
The pool is the real one: it runs in an event loop of its own, which outlives that of a test.
"""

import asyncio
import threading
from collections.abc import Sequence
from functools import cache

from connectors.parse_pool import ParsePool
from data.errors import PosternError
from tasks.mail.read import Reading


class SharedReaders:
    """The part of `ParsePool` that a house uses, over a pool that no house starts or ends."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="readers", daemon=True).start()
        self._pool = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()

    async def _open(self) -> ParsePool[Reading]:
        """Return a pool that takes messages; its processes start with the first ones."""
        pool = ParsePool("tasks.mail.read:read", Reading.model_validate_json)
        pool.open()
        return pool

    def open(self) -> None:
        """Take messages: it does from the start."""

    async def warm(self) -> None:
        """Start what does not run yet."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._pool.warm(), self._loop))

    async def __aexit__(self, *error: object) -> None:
        """Leave the processes to the next house."""

    def pids(self) -> list[int]:
        """Return the ids of the processes that are running."""
        return self._pool.pids()

    async def parse(self, raw: bytes) -> Reading:
        """Return the reading of one message, as `ParsePool.parse`."""
        reading = self._pool.parse(raw)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(reading, self._loop))

    async def parse_many(
        self, raws: Sequence[bytes], patience: float | None = None
    ) -> list[Reading | PosternError]:
        """Return the reading of each message, as `ParsePool.parse_many`."""
        readings = self._pool.parse_many(raws, patience)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(readings, self._loop))


@cache
def shared_readers() -> SharedReaders:
    """Return those of this test process."""
    return SharedReaders()
