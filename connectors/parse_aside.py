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

ResultT = TypeVar("ResultT")
ReadReply = tuple[int, bytes]
"""What a reading process says of one message: the status of its frame, and the bytes."""

REMEMBERED = 4096
"""Messages that are known to take long; of more, the ones known for longest are forgotten."""


class AsideReader(Generic[ResultT]):
    """One process beside the others, and what came of the messages that it was given."""

    def __init__(
        self,
        start: Callable[[], Awaitable[ReadingProcess]],
        read_outcome: Callable[[int, bytes], ResultT | PosternError],
        make_fatal_error: Callable[[ChildEndedError], PosternError],
    ) -> None:
        self._start, self._read_outcome = start, read_outcome
        self._make_fatal_error = make_fatal_error
        self._results: OrderedDict[bytes, ResultT | PosternError | None] = OrderedDict()
        """By message; None for one that is known to take long and has no result yet."""
        self._running: asyncio.Task[None] | None = None

    def collect_or_begin(self, raw: bytes) -> ResultT | PosternError | None:
        """Hand out, once, what came of a message that took long; None where nothing is known of it.

        One that is known to take long and is not in work is begun when the process is free;
        `StillInWorkError` is returned until there is a result.
        """
        if not self._results:
            return None
        key = _key(raw)
        if key not in self._results:
            return None
        result = self._results[key]
        if result is not None:
            del self._results[key]
            return result
        if self._free:
            self._begin(key, self._start_and_read(raw))
        return _in_work()

    async def take_over(
        self, raw: bytes, child: ReadingProcess, answer: "asyncio.Task[ReadReply]"
    ) -> StillInWorkError:
        """Wait aside for the answer of a process that reads this message, and end it afterwards.

        What else the process was given is not read by it. When another message is in work the
        process is ended at once, and this message is begun when it is handed in again.
        """
        key = _key(raw)
        self._results[key] = None
        while len(self._results) > REMEMBERED:
            self._results.popitem(last=False)
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

    def _begin(self, key: bytes, reading: Awaitable[ResultT | PosternError]) -> None:
        async def run() -> None:
            outcome = await reading
            if key in self._results:
                self._results[key] = outcome

        self._running = asyncio.create_task(run(), name="read aside")

    async def _start_and_read(self, raw: bytes) -> ResultT | PosternError:
        try:
            child = await self._start()
        except OutsideTemporaryError as error:
            return error
        child.ask([raw])
        return await self._finish(child, asyncio.create_task(child.answer()))

    async def _finish(
        self, child: ReadingProcess, answer: "asyncio.Task[ReadReply]"
    ) -> ResultT | PosternError:
        try:
            return self._read_outcome(*await answer)
        except ChildEndedError as error:
            if error.message_at_fault:
                return self._make_fatal_error(error)
            return OutsideTemporaryError(f"the process that read the message ended ({error})")
        finally:
            answer.cancel()
            await child.kill()


def _key(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()


def _in_work() -> StillInWorkError:
    return StillInWorkError("the message takes long to read; it is read aside, and comes later")
