"""Messages that take long to read are read aside, one at a time, so that others need not wait.

A message that has not been read within the patience of its caller keeps its process, which goes on
under its limits, and the caller is told that it is still in work. When the message is handed in
again, its reading is there, or it is still in work.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from connectors.parse_process import ChildEndedError, ReadingProcess
from data.errors import OutsideTemporaryError, PosternError, StillInWorkError

Result = TypeVar("Result")
Answer = tuple[int, bytes]

REMEMBERED = 4096
"""Messages that are known to take long; of more, the ones known for longest are forgotten."""


class AsideReader(Generic[Result]):
    """One process beside the others, and what came of the messages that it was given."""

    def __init__(
        self,
        start: Callable[[], Awaitable[ReadingProcess]],
        outcome: Callable[[int, bytes], Result | PosternError],
        fatal: Callable[[ChildEndedError], PosternError],
    ) -> None:
        self._start, self._outcome, self._fatal = start, outcome, fatal
        self._known: OrderedDict[bytes, Result | PosternError | None] = OrderedDict()
        self._running: asyncio.Task[None] | None = None

    def look(self, raw: bytes) -> Result | PosternError | None:
        """Return what came of a message that took long before; None when it never did.

        One that is known to take long and is not in work is begun when the process is free.
        """
        if not self._known:
            return None
        key = _key(raw)
        if key not in self._known:
            return None
        found = self._known[key]
        if found is not None:
            del self._known[key]
            return found
        if self._free:
            self._begin(key, self._from_the_start(raw))
        return _in_work()

    async def take_over(
        self, raw: bytes, child: ReadingProcess, answer: "asyncio.Task[Answer]"
    ) -> PosternError:
        """Wait aside for the answer of a process that reads this message; what follows is not read.

        When another message is in work the process is ended, and this one comes later.
        """
        key = _key(raw)
        self._known[key] = None
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if self._free:
            self._begin(key, self._finish(child, answer))
        else:
            answer.cancel()
            await asyncio.gather(answer, return_exceptions=True)
            await child.kill()
        return _in_work()

    async def close(self) -> None:
        """End what is in work."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    @property
    def _free(self) -> bool:
        return self._running is None or self._running.done()

    def _begin(self, key: bytes, reading: Awaitable[Result | PosternError]) -> None:
        async def run() -> None:
            outcome = await reading
            if key in self._known:
                self._known[key] = outcome

        self._running = asyncio.create_task(run(), name="read aside")

    async def _from_the_start(self, raw: bytes) -> Result | PosternError:
        try:
            child = await self._start()
        except OutsideTemporaryError as error:
            return error
        child.ask([raw])
        return await self._finish(child, asyncio.create_task(child.answer()))

    async def _finish(
        self, child: ReadingProcess, answer: "asyncio.Task[Answer]"
    ) -> Result | PosternError:
        try:
            return self._outcome(*await answer)
        except ChildEndedError as error:
            if error.at_fault:
                return self._fatal(error)
            return OutsideTemporaryError(f"the process that read the message ended ({error})")
        finally:
            answer.cancel()
            await child.kill()


def _key(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()


def _in_work() -> StillInWorkError:
    return StillInWorkError("the message takes long to read; it is read aside, and comes later")
