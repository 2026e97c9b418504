"""Group commit: messages that end at about the same time share the syncs of disk and folder."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from connectors.spool import Spool, SpoolWriter
from data.errors import SpoolError
from data.records.envelope import Envelope

log = logging.getLogger("postern.receiver")

GROUP = 32
THREADS = 2

Outcome = Envelope | SpoolError
Done = Callable[[Outcome], None]


class Committer:
    """Hands finished messages to threads that fsync; never blocks the event loop.

    A free thread takes everything that waits, up to `GROUP`: alone a message waits for nobody,
    under load one commit of the disk's journal serves many.
    """

    def __init__(self, spool: Spool, loop: asyncio.AbstractEventLoop) -> None:
        self._spool, self._loop = spool, loop
        self._pool = ThreadPoolExecutor(THREADS + 1, thread_name_prefix="spool")
        self._waiting: list[tuple[SpoolWriter, Done]] = []
        self._running = 0

    def commit(self, writer: SpoolWriter, done: Done) -> None:
        """Call `done` in the event loop once the message is on disk, or with the failure."""
        writer.committing = True
        self._waiting.append((writer, done))
        if self._running < THREADS:
            # What else has arrived in this turn of the loop joins the group.
            self._running += 1
            self._loop.call_soon(self._start)

    def spill(self, writer: SpoolWriter, done: Callable[[SpoolError | None], None]) -> None:
        """Write out what a long message holds in memory."""

        def job() -> None:
            failure = None
            try:
                writer.spill()
            except SpoolError as error:
                failure = error
            self._loop.call_soon_threadsafe(done, failure)

        self._pool.submit(job)

    async def check(self) -> None:
        """Look at the spool's health, space and backlog."""
        await self._loop.run_in_executor(self._pool, self._spool.check)

    def close(self) -> None:
        """Wait for what is being written."""
        self._pool.shutdown(wait=True)

    def _start(self) -> None:
        group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
        if group:
            self._pool.submit(self._work, group)
        else:
            self._running -= 1

    def _work(self, group: list[tuple[SpoolWriter, Done]]) -> None:
        """Store a group; in a thread of the pool."""
        outcomes: list[Outcome]
        try:
            outcomes = self._spool.commit_many([writer for writer, _ in group])
        except Exception:  # a bug must be a 4xx to everybody, never a wait without end
            log.exception("bug_in_commit")
            outcomes = [SpoolError("the commit failed; the log says why")] * len(group)
        self._loop.call_soon_threadsafe(self._finish, group, outcomes)

    def _finish(self, group: list[tuple[SpoolWriter, Done]], outcomes: list[Outcome]) -> None:
        self._start()
        for (_, done), outcome in zip(group, outcomes, strict=True):
            done(outcome)
