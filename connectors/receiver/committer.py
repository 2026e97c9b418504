"""Group commit: messages that end at about the same time share the syncs of disk and folder."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from connectors.receiver.threads import wait_to_the_end
from connectors.spool import Spool, SpoolWriter
from data.errors import SpoolError
from data.records.core.envelope import Envelope

log = logging.getLogger("postern.receiver")

GROUP = 32
THREADS = 2

WaitingWrite = tuple[SpoolWriter, asyncio.Future[Envelope]]


class Committer:
    """Hands finished messages to threads that fsync; never blocks the event loop.

    A free thread takes everything that waits, up to `GROUP`: alone a message waits for nobody,
    under load one commit of the disk's journal serves many.
    """

    def __init__(self, spool: Spool, loop: asyncio.AbstractEventLoop) -> None:
        self._spool, self._loop = spool, loop
        self._pool = ThreadPoolExecutor(THREADS + 1, thread_name_prefix="spool")
        self._waiting: list[WaitingWrite] = []
        self._running = 0
        self._closed = False

    def commit(self, writer: SpoolWriter) -> asyncio.Future[Envelope]:
        """Return a future of the envelope, done once the message is on disk; never blocks.

        It holds the SpoolError when the message could not be stored. To cancel it does not stop
        the commit.
        """
        writer.committing = True
        stored: asyncio.Future[Envelope] = self._loop.create_future()
        self._waiting.append((writer, stored))
        if self._running < THREADS:
            # What else has arrived in this turn of the loop joins the group.
            self._running += 1
            self._loop.call_soon(self._start_next_group)
        return stored

    async def spill(self, writer: SpoolWriter) -> None:
        """Write out what a long message holds in memory; SpoolError when that cannot be."""
        await wait_to_the_end(self._loop.run_in_executor(self._pool, writer.spill))

    async def check(self) -> None:
        """Raise the SpoolError for which no message can be taken now, after a look at the disk."""
        await self._loop.run_in_executor(self._pool, self._spool.check)

    def close(self) -> None:
        """Wait for what is being written; what still waits for its turn is refused."""
        self._closed = True
        self._pool.shutdown(wait=True)

    def _start_next_group(self) -> None:
        group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
        if group and self._closed:
            refused: list[Envelope | SpoolError] = [
                SpoolError("the receiver ends; the message is to come again")
            ]
            self._finish(group, refused * len(group))
        elif group:
            self._pool.submit(self._work, group)
        else:
            self._running -= 1

    def _work(self, group: list[WaitingWrite]) -> None:
        """Store a group; in a thread of the pool."""
        outcomes: list[Envelope | SpoolError]
        try:
            outcomes = self._spool.commit_many([writer for writer, _ in group])
        except Exception:  # a bug must be a 4xx to everybody, never a wait without end
            log.exception("bug_in_commit")
            outcomes = [SpoolError("the commit failed; the log says why")] * len(group)
        self._loop.call_soon_threadsafe(self._finish, group, outcomes)

    def _finish(self, group: list[WaitingWrite], outcomes: list[Envelope | SpoolError]) -> None:
        for (_, stored), outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Envelope):
                _log_accepted(outcome)
            if stored.done():
                continue  # the client has gone, or was told that it took too long
            if isinstance(outcome, Envelope):
                stored.set_result(outcome)
            else:
                stored.set_exception(outcome)
        self._start_next_group()


def _log_accepted(envelope: Envelope) -> None:
    if not log.isEnabledFor(logging.INFO):
        return
    fields = {
        "spool_id": envelope.spool_id,
        "peer": envelope.peer,
        "mail_from": envelope.mail_from,
        "recipients": len(envelope.rcpt_to),
        "size_bytes": envelope.size_bytes,
        "bare_eol": envelope.bare_eol,
        "tls": envelope.tls,
    }
    log.info("accepted", extra={"fields": fields})
