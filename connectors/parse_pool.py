"""Processes that read mail under limits, so that no message can take the engine down.

A parser can be made to take minutes or gigabytes, or to fall into a bug of a C library; then a
child dies, not the engine, and other mail goes on (docs/design.md#reading). Results come
back as JSON, never as pickles, because a child that a message has taken over must not be able to
take over its parent.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import ValidationError

from connectors.parse_aside import AsideReader
from connectors.parse_child import BUG, EXHAUSTED, RESULT
from connectors.parse_process import ChildEndedError, ReadingProcess
from data.batches import split_into_batches
from data.errors import OutsideTemporaryError, PosternError, StillInWorkError, UnreadableMailError

log = logging.getLogger(__name__)

ResultT = TypeVar("ResultT")

BATCH_MESSAGES = 32
"""Messages handed to a process in one go."""
BATCH_BYTES = 4 * 1024 * 1024
"""Bytes of messages from which a batch is closed."""
DEATHS_TO_GIVE_UP = 2
"""After so many processes have died on a message within its limits, it counts as unreadable."""


class ParsePool(Generic[ResultT]):
    """A pool of reading processes; use it as `async with ParsePool(...) as pool`.

    Or call `open`: then a process is started only when a message needs it.

    `target` names the function (`tasks.mail.read:read`) that the children call, from bytes to JSON;
    `decode` turns its JSON into the result, e.g. `Reading.model_validate_json`.
    """

    def __init__(
        self,
        target: str,
        decode: Callable[[bytes], ResultT],
        *,
        processes: int = 2,
        cpu_seconds: int = 10,
        memory_mb: int = 512,
        wall_seconds: float | None = None,
    ) -> None:
        self._target = target
        self._decode = decode
        self._processes = processes
        self._cpu_seconds = cpu_seconds
        self._memory_mb = memory_mb
        # On a busy machine a message gets less than a whole processor.
        self._wall_seconds = wall_seconds or 4.0 * cpu_seconds
        self._free: asyncio.Queue[ReadingProcess | None] = asyncio.Queue()
        """Places for a process that nobody uses; None is one whose process is yet to be started."""
        self._living: list[ReadingProcess] = []
        self._aside = AsideReader(self._start, self._read_outcome, _fatal_error)
        self._running = False

    async def __aenter__(self) -> Self:
        """Start all processes at once.

        Raises:
            OutsideTemporaryError: a process did not come up.
        """
        self.open()
        try:
            await self.warm()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    def open(self) -> None:
        """Accept messages from now on; no process is started yet."""
        for _ in range(self._processes):
            self._free.put_nowait(None)
        self._running = True

    async def warm(self) -> None:
        """Start every process that does not run yet.

        Raises:
            OutsideTemporaryError: a process did not come up; it is tried again with a message.
        """
        idle = [self._free.get_nowait() for _ in range(self._free.qsize())]
        running = [child for child in idle if child is not None]
        started: list[ReadingProcess | BaseException] = []
        try:
            missing = len(idle) - len(running)
            started = await asyncio.gather(
                *(self._start() for _ in range(missing)), return_exceptions=True
            )
        finally:
            running += [child for child in started if isinstance(child, ReadingProcess)]
            for place in range(len(idle)):
                self._free.put_nowait(running[place] if place < len(running) else None)
        for failure in started:
            if isinstance(failure, BaseException):
                raise failure

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the messages in work, then end every process."""
        self._running = False
        for _ in range(self._processes):
            await self._free.get()
        await self._aside.close()
        # All of them: a start that was cut short has put its processes into no place.
        await asyncio.gather(*(child.stop() for child in self._living if child.alive))

    def pids(self) -> list[int]:
        """Return the ids of the processes that are running."""
        return [child.pid for child in self._living if child.alive]

    async def parse(self, raw: bytes) -> ResultT:
        """Return the reading of one message.

        Raises:
            UnreadableMailError: the message exceeds a limit, or its reader died on it.
            OutsideTemporaryError: no reading process can be started.
        """
        (result,) = await self.parse_many([raw])
        if isinstance(result, PosternError):
            raise result
        return result

    async def parse_many(
        self, raws: Sequence[bytes], patience: float | None = None
    ) -> list[ResultT | PosternError]:
        """Return the reading of each message, or the error it met, in the same order.

        Several messages go to a process in one round trip. A message on which a process dies is
        found by the answers that came before; the ones after it are read by a new process.

        With `patience`, in seconds a message, a slower one goes on in the background and is
        returned as `StillInWorkError`; so is what has not been begun after twice that time.

        Raises:
            OutsideTemporaryError: the pool is not open.
        """
        if not self._running:
            raise OutsideTemporaryError("the reading processes are not running; start the pool")
        results: list[ResultT | PosternError | None] = [None] * len(raws)
        if patience is not None:
            results = [self._aside.collect_or_begin(raw) for raw in raws]
        unread = [position for position, result in enumerate(results) if result is None]
        await asyncio.gather(
            *(
                self._read_batch(raws, batch, results, Patience(patience))
                for batch in self._batches(raws, unread)
            )
        )
        return [outcome for outcome in results if outcome is not None]

    def _batches(self, raws: Sequence[bytes], unread: Sequence[int]) -> Iterable[list[int]]:
        """Return the positions of the messages that go to a process together."""
        most = max(1, min(BATCH_MESSAGES, -(-len(unread) // self._processes)))
        return split_into_batches(
            unread, lambda place: len(raws[place]), most=most, size=BATCH_BYTES
        )

    async def _read_batch(
        self,
        raws: Sequence[bytes],
        batch: list[int],
        results: list[ResultT | PosternError | None],
        patience: "Patience",
    ) -> None:
        """Read the messages at the positions of `batch` into `results`."""
        child = await self._free.get()
        waiting, deaths, was_asked = list(batch), 0, False
        try:
            while waiting:
                if patience.over:
                    raise StillInWorkError(
                        "others took long; this message is read in the next turn"
                    )
                if child is None or not child.alive:
                    child = None
                    child = await self._start()
                was_asked = True
                try:
                    if not await self._collect_answers(child, raws, waiting, results, patience):
                        child = None  # it belongs to the reader aside now
                except ChildEndedError as error:
                    child = None
                    deaths += 1
                    log.warning("a reading process died: %s", error)
                    if error.message_at_fault or deaths >= DEATHS_TO_GIVE_UP:
                        results[waiting.pop(0)] = _fatal_error(error)
                        deaths = 0
                else:
                    deaths = 0
        except OutsideTemporaryError as error:
            for position in waiting:
                results[position] = error
        finally:
            # Answers that nobody will read may be on their way from a child that was asked.
            stale = child if waiting and was_asked else None
            self._free.put_nowait(None if stale else child)
            if stale is not None:
                await stale.kill()

    async def _collect_answers(
        self,
        child: ReadingProcess,
        raws: Sequence[bytes],
        waiting: list[int],
        results: list[ResultT | PosternError | None],
        patience: "Patience",
    ) -> bool:
        """Have `child` read what is waiting; what is answered is taken off the list.

        Return False when the process was left with a message that takes long.
        """
        asked = list(waiting)
        child.ask([raws[position] for position in asked])
        for position in asked:
            answer = asyncio.create_task(child.answer())
            if not await patience.enough_for(answer):
                results[position] = await self._aside.take_over(raws[position], child, answer)
                waiting.remove(position)
                return False
            status, payload = await answer
            results[position] = self._read_outcome(status, payload)
            waiting.remove(position)
            if status == EXHAUSTED:
                await child.kill()
                break
        return True

    def _read_outcome(self, status: int, payload: bytes) -> ResultT | PosternError:
        """Return the result or the error that an answer stands for."""
        if status == RESULT:
            try:
                return self._decode(payload)
            except ValidationError:
                log.exception("a reading process gave what is no reading")
                return UnreadableMailError("the message's reading is not valid; look at it raw")
        text = payload.decode("utf-8", "replace")
        if status == EXHAUSTED:
            return UnreadableMailError(
                f"the message needs more than {self._memory_mb} MiB to be read; look at it raw"
            )
        if status == BUG:
            log.error("reading a message failed\n%s", text)
            last = text.strip().rpartition("\n")[2][:200]
            return UnreadableMailError(f"reading the message failed ({last}); look at it raw")
        return UnreadableMailError(text)

    async def _start(self) -> ReadingProcess:
        """Start a process with the limits of this pool."""
        child = await ReadingProcess.start(
            self._target,
            cpu_seconds=self._cpu_seconds,
            memory_mb=self._memory_mb,
            wall_seconds=self._wall_seconds,
        )
        self._living = [*(running for running in self._living if running.alive), child]
        return child


class Patience:
    """How long a caller waits for each message, and in all; without end when there is no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._each, self._began = seconds, time.monotonic()

    @property
    def over(self) -> bool:
        """Whether no other message should be begun."""
        return self._each is not None and time.monotonic() - self._began > 2 * self._each

    async def enough_for(self, answer: "asyncio.Task[tuple[int, bytes]]") -> bool:
        """Wait for an answer; return whether it came in time. It goes on when it did not.

        Without a limit the answer is not waited for here, and has all the time that it takes.
        """
        if self._each is None:
            return True
        try:
            # Once twice the patience is used up, each of the rest gets a tenth of it alone.
            await asyncio.wait({answer}, timeout=self._each / 10 if self.over else self._each)
        except asyncio.CancelledError:
            answer.cancel()
            raise
        return answer.done()


def _fatal_error(error: ChildEndedError) -> UnreadableMailError:
    """Return the error of a message that its reader did not survive."""
    return UnreadableMailError(f"the message cannot be read ({error}); look at it raw")
