"""Group commit: messages that end at about the same time share the sync of the folder."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from connectors.spool import Spool, SpoolWriter
from data.errors import SpoolError
from data.records.envelope import Envelope

GROUP = 32
THREADS = 4

_Waiting = tuple[SpoolWriter, "asyncio.Future[Envelope]"]


class Committer:
    """Hands finished messages to threads that fsync; never blocks the event loop.

    A free thread takes everything that waits, up to `GROUP`: alone a message waits for nobody,
    under load one sync of the folder serves many.
    """

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="spool")
        self._waiting: list[_Waiting] = []
        self._running = 0

    async def commit(self, writer: SpoolWriter) -> Envelope:
        """Return once the message is on disk; raises SpoolError when it is not."""
        future: asyncio.Future[Envelope] = asyncio.get_running_loop().create_future()
        writer.committing = True
        self._waiting.append((writer, future))
        self._start()
        return await future

    async def spill(self, writer: SpoolWriter) -> None:
        """Write out what a long message holds in memory."""
        await asyncio.get_running_loop().run_in_executor(self._pool, writer.spill)

    async def check(self) -> None:
        """Look at the spool's health, space and backlog."""
        await asyncio.get_running_loop().run_in_executor(self._pool, self._spool.check)

    def close(self) -> None:
        """Wait for what is being written."""
        self._pool.shutdown(wait=True)

    def _start(self) -> None:
        if not self._waiting or self._running >= THREADS:
            return
        group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
        self._running += 1
        loop = asyncio.get_running_loop()
        job = loop.run_in_executor(
            self._pool, self._spool.commit_many, [writer for writer, _ in group]
        )
        job.add_done_callback(lambda done: self._finish(group, done))

    def _finish(
        self, group: list[_Waiting], job: "asyncio.Future[list[Envelope | SpoolError]]"
    ) -> None:
        self._running -= 1
        bug = job.exception()
        outcomes = [bug] * len(group) if bug else job.result()
        for (_, future), outcome in zip(group, outcomes, strict=True):
            if future.done():  # the client has gone; what is stored stays stored
                continue
            if isinstance(outcome, Envelope):
                future.set_result(outcome)
            else:
                future.set_exception(outcome)
        self._start()
