"""Storing messages together: files that are synced at the same time share the disk's journal.

One commit of the journal serves all files whose writing has begun. Where a sync takes long, as on
a disk that turns or one behind a network, the files of a group are therefore synced from several
threads; where it is quick, the hand-over to a thread costs more than the sync.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from connectors.spool.failures import SpoolUnhealthyError
from connectors.spool.health import Health
from connectors.spool.writer import SpoolWriter
from data.errors import SpoolError
from data.records.core.envelope import Envelope

SYNC_THREADS = 16
#: A first sync that took less than this is of a disk on which the others may queue up.
QUICK_SECONDS = 0.002


class Group:
    """Writes, syncs and names a group of messages; the folder's sync is the caller's."""

    def __init__(self, health: Health) -> None:
        self._health = health
        self._pool = ThreadPoolExecutor(SYNC_THREADS, thread_name_prefix="fsync")

    def store(self, writers: Sequence[SpoolWriter]) -> list[Envelope | SpoolError]:
        """Return for each writer its envelope, then with a name in `new/`, or why it has none."""
        outcomes = [self._write_out(writer) for writer in writers]
        written = [
            number for number, outcome in enumerate(outcomes) if isinstance(outcome, Envelope)
        ]
        failures = self._sync([writers[number] for number in written])
        for number, failure in zip(written, failures, strict=True):
            failed = failure or self._publish(writers[number])
            if failed is not None:
                outcomes[number] = self._failed(writers[number], failed)
        return outcomes

    def _write_out(self, writer: SpoolWriter) -> Envelope | SpoolError:
        if not self._health.healthy:
            return self._failed(
                writer, SpoolUnhealthyError("the spool's disk failed; waiting for a write test")
            )
        try:
            return writer.write_out()
        except SpoolError as error:
            return self._failed(writer, error)

    def _sync(self, writers: list[SpoolWriter]) -> list[SpoolError | None]:
        if len(writers) < 2:
            return [writer.sync() for writer in writers]
        for writer in writers:
            writer.start_sync()
        began = time.monotonic()
        first, rest = writers[0].sync(), writers[1:]
        if time.monotonic() - began < QUICK_SECONDS:
            return [first, *(writer.sync() for writer in rest)]
        return [first, *self._pool.map(SpoolWriter.sync, rest)]

    def _publish(self, writer: SpoolWriter) -> SpoolError | None:
        try:
            writer.publish()
        except SpoolError as error:
            return error
        return None

    def _failed(self, writer: SpoolWriter, error: SpoolError) -> SpoolError:
        writer.abort()
        self._health.note(error)
        return error
