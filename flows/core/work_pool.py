"""Pure work of the stages in processes of its own, so that it is not bound to the engine's core.

Python computes on one core at a time in a process. The engine keeps what has state (DuckDB,
LanceDB, Prefect); what depends on its arguments alone may be computed elsewhere, with the same
results. Work processes start with the first large batch and end when there was none for a while,
so a quiet system has none. A process that dies is replaced; its piece is computed in the engine.
"""

import asyncio
import contextlib
import logging
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from data.one_thread import ONE_THREAD
from flows.core import work_child

log = logging.getLogger("postern.work")
SharedT = TypeVar("SharedT")
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

PIECE = 32
"""Items are handed out in multiples of this: the classifier works in batches of it, and should
see the same ones wherever it runs."""
LEAST = 2 * PIECE
"""Smaller batches start no process and are computed in the engine, unless one is there."""
FEW = 16
"""What is smaller still is computed in the engine in any case: to hand it over takes longer."""
IDLE_SECONDS = 120.0
"""After so long without work the processes end, and their memory is free."""


PoolWork = Callable[[SharedT, Sequence[ItemT]], Sequence[ResultT]]
WorkPiece = tuple[PoolWork[SharedT, ItemT, ResultT], SharedT, Sequence[ItemT]]
"""What is handed over: a function, what all items share, and items."""


class WorkProcess:
    """One process, as the engine sees it."""

    def __init__(self) -> None:
        path = os.pathsep.join(path_entry or os.getcwd() for path_entry in sys.path)  # noqa: PTH109
        self._process = subprocess.Popen(  # noqa: S603  # our own module
            [sys.executable, "-m", work_child.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": path, "PYTHONUTF8": "1", "MALLOC_ARENA_MAX": "2", **ONE_THREAD},
        )
        assert self._process.stdin is not None  # noqa: S101  # both were asked for as pipes
        assert self._process.stdout is not None  # noqa: S101
        self._pieces, self._answers = self._process.stdin, self._process.stdout
        self.turn = asyncio.Lock()
        """Held by whoever waits for an answer: one piece at a time."""

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Block until it runs; raises EOFError when it does not come up."""
        work_child.read_frame(self._answers)

    def ask(self, piece: bytes) -> bytes:
        """Block until a packed piece is answered, and return the packed answer.

        Raises:
            OSError, EOFError: the process died.
            ValueError: it was ended before.

        """
        work_child.write_frame(self._pieces, piece)
        return work_child.read_frame(self._answers)

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Let it end, and wait for it."""
        with contextlib.suppress(OSError):
            self._pieces.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._answers.close()


def unpack_answer(answer: bytes) -> Sequence[Any] | None:
    """Return the results that an answer holds, None when the piece did not go well."""
    well, results = pickle.loads(answer)  # noqa: S301  # of our own process
    if not well:
        log.warning("a work process could not do its piece, the engine tries: %s", results)
        return None
    return results  # type: ignore[no-any-return]


class _Pieces(Generic[SharedT, ItemT, ResultT]):
    """A batch on its way: pieces that wait, and what was made of the others."""

    def __init__(
        self,
        act: PoolWork[SharedT, ItemT, ResultT],
        shared: SharedT,
        items: Sequence[ItemT],
        takers: int,
    ) -> None:
        self.act, self._shared, self._items = act, shared, items
        # Two for each: when one meets hard items, another takes more.
        self._size = PIECE * max(1, -(-len(items) // (PIECE * 2 * max(1, takers))))
        self.waiting = deque(range(0, len(items), self._size))
        self.made: dict[int, Sequence[ResultT]] = {}

    def cut_piece(self, start: int) -> WorkPiece[SharedT, ItemT, ResultT]:
        """Return the piece that starts there."""
        return self.act, self._shared, self._items[start : start + self._size]

    def compute_here(self, start: int) -> Sequence[ResultT]:
        """Compute a piece in this process."""
        act, shared, items = self.cut_piece(start)
        return act(shared, items)

    def join_results(self) -> list[ResultT]:
        """Return everything in order."""
        return [result for start in sorted(self.made) for result in self.made[start]]


class WorkPool:
    """The work processes; with `count` 0 everything is computed in the engine."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._up: list[WorkProcess] = []
        """Those that are ready."""
        self._coming: set[asyncio.Task[None]] = set()
        self._ending: asyncio.TimerHandle | None = None
        self._batches = 0
        """Batches in work."""

    def list_pids(self) -> list[int]:
        """Return the ids of the processes that are ready."""
        return [process.pid for process in self._up]

    async def start_all(self) -> None:
        """Start every process and wait until all are ready, or did not come up."""
        self._start_missing()
        await asyncio.gather(*self._coming)

    async def compute_each(
        self, act: PoolWork[SharedT, ItemT, ResultT], shared: SharedT, items: Sequence[ItemT]
    ) -> list[ResultT]:
        """Return what `act(shared, items)` returns, one for each item, in order.

        `act` is a function of a module, depends on its arguments alone, and makes of each item
        the same whichever others come with it.
        """
        if self._count == 0 or len(items) < (FEW if self._up else LEAST):
            return list(await asyncio.to_thread(act, shared, items))
        if len(items) >= LEAST:
            self._start_missing()
        self._batches += 1
        try:
            return await self._share_out(_Pieces(act, shared, items, len(self._up)))
        finally:
            self._batches -= 1
            self._end_when_idle()

    async def _share_out(self, pieces: _Pieces[SharedT, ItemT, ResultT]) -> list[ResultT]:
        """Have every process take pieces until none is left; without any the engine does them.

        Two take pieces to each process: one packs or unpacks while the other waits for an answer.
        """
        takers: list[WorkProcess | None] = [*self._up, *self._up] or [None]
        try:
            await asyncio.gather(*(self._take_pieces(process, pieces) for process in takers))
        except BaseException:
            pieces.waiting.clear()
            raise
        return pieces.join_results()

    async def _take_pieces(
        self, process: WorkProcess | None, pieces: _Pieces[SharedT, ItemT, ResultT]
    ) -> None:
        while pieces.waiting:
            start = pieces.waiting.popleft()
            results: Sequence[ResultT] | None = None
            if process in self._up:
                piece = await asyncio.to_thread(
                    pickle.dumps, pieces.cut_piece(start), pickle.HIGHEST_PROTOCOL
                )
                answer = await self._ask_process(process, piece)
                results = None if answer is None else await asyncio.to_thread(unpack_answer, answer)
            if results is None:  # whatever the reason: here it works, or fails as it should
                results = await asyncio.to_thread(pieces.compute_here, start)
            pieces.made[start] = results

    async def _ask_process(self, process: WorkProcess, piece: bytes) -> bytes | None:
        """Return a process's answer to a piece when it is its turn, None when there is none."""
        async with process.turn:
            if process not in self._up:
                return None
            try:
                return await asyncio.to_thread(process.ask, piece)
            except asyncio.CancelledError:
                self._drop_process(process)  # nobody waits for it any more; its thread shall end
                raise
            except (OSError, EOFError, ValueError) as error:  # ValueError: a closed pipe
                log.warning("a work process died; the engine does its piece (%r)", error)
                self._drop_process(process)
        return None

    def _start_missing(self) -> None:
        """Start what is missing; no work waits for it."""
        for _ in range(self._count - len(self._up) - len(self._coming)):
            task = asyncio.create_task(self._bring_up(), name="work process")
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)

    async def _bring_up(self) -> None:
        process = WorkProcess()
        try:
            await asyncio.to_thread(process.wait_until_ready)
        except (OSError, EOFError) as error:
            log.warning("a work process did not start (%r); the engine does its work", error)
            self._drop_process(process)
        except asyncio.CancelledError:
            self._drop_process(process)
            raise
        else:
            self._up.append(process)

    def _drop_process(self, process: WorkProcess) -> None:
        process.kill()
        process.end()
        if process in self._up:
            self._up.remove(process)

    def _end_when_idle(self) -> None:
        """End the processes when nothing large comes for a while."""
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_if_idle)

    def _end_if_idle(self) -> None:
        if not self._batches:
            self._end_processes()

    def _end_processes(self) -> None:
        for process in self._up:
            if self._batches:
                process.kill()
            process.end()
        self._up.clear()

    async def close(self) -> None:
        """End every process, whatever it does."""
        if self._ending is not None:
            self._ending.cancel()
        for task in self._coming:
            task.cancel()
        await asyncio.gather(*self._coming, return_exceptions=True)
        self._end_processes()
