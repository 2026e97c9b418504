"""One DuckDB file, opened by one process, written by one thread.

DuckDB lets a single process hold a file, and many small transactions are not what it is made for
(a single-row write costs 1-2 ms, a batch of a thousand 25-100 ms). So every write runs in
one thread, in one transaction per call, and callers hand over batches; reads run beside it on
cursors of their own and see what is committed.
"""

import asyncio
import secrets
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

import duckdb

from data.errors import StoreError
from data.store.core import connecting
from data.store.core.migrations import migrate
from data.store.core.rewriting import rewrite
from data.store.core.statements import columns, records

ResultT = TypeVar("ResultT")
SeenT = TypeVar("SeenT")
GivenP = ParamSpec("GivenP")
Connection = connecting.Connection
_WORTHWHILE = 16 << 20
"""Octets of a file that is too small to be written anew for what is free in it."""
_MOST_ANSWERS = 4_096
"""What is read once and given again, of a few hundred bytes each; with more, all is forgotten."""


class _FileSize(NamedTuple):
    """How large a file is."""

    total_blocks: int
    block_size: int
    """Octets."""
    free_blocks: int


_FILE_SIZE = f"SELECT {columns(_FileSize)} FROM pragma_database_size()"


class Database:
    """A DuckDB file with one writing thread and a few reading ones.

    Raises:
        StoreBusyError: another process holds the file.
        StoreError: it cannot be opened or brought to the newest shape; it is as it was.

    """

    def __init__(self, path: Path, kind: str, readers: int = 2) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = path
        self.connection = connecting.open_state(path)
        try:
            migrate(self.connection, kind)
            connecting.lock_down(self.connection)
        except duckdb.Error as error:
            self.connection.close()
            raise StoreError(f"{str(path)!r} cannot be read: {error}") from error
        except BaseException:
            self.connection.close()  # else this process holds the file, and cannot try again
            raise
        name, self._reading = path.parent.name, readers
        self.written = 0
        """How often something was written: as long as it is the same, so is the state."""
        self._opened = secrets.token_hex(4)
        self._answers: dict[Any, Any] = {}
        """What was read by `read_once` since the write that `_answered_at` counts."""
        self._answered_at = 0
        self._writer = ThreadPoolExecutor(1, thread_name_prefix=f"write-{name}")
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix=f"read-{name}")

    @property
    def mark(self) -> str:
        """What is the same for as long as the state is, also for who has it from an earlier run."""
        return f"{self._opened}-{self.written}"

    @classmethod
    def in_memory(cls, kind: str) -> Self:
        """Return an empty state that is on no disk and ends when it is closed."""
        return cls(Path(":memory:"), kind)

    async def write(
        self,
        work: Callable[Concatenate[Connection, GivenP], ResultT],
        *args: GivenP.args,
        **kwargs: GivenP.kwargs,
    ) -> ResultT:
        """Run `work(connection, …)` in a transaction of its own; an exception rolls it back.

        Once handed over, the transaction ends even if the caller is cancelled.

        Raises:
            StoreError: what was done cannot be written, as on a full disk; nothing of it was.
        """

        def in_transaction() -> ResultT:
            self.connection.begin()
            try:
                result = work(self.connection, *args, **kwargs)
            except BaseException:
                self.connection.rollback()
                raise
            self._commit()
            self.written += 1
            return result

        future = asyncio.get_running_loop().run_in_executor(self._writer, in_transaction)
        return await asyncio.shield(future)

    def _commit(self) -> None:
        try:
            self.connection.commit()
        except duckdb.Error as error:
            # DuckDB has mostly ended the transaction itself, and would object to a second end.
            with suppress(duckdb.Error):
                self.connection.rollback()
            raise StoreError(
                f"{str(self.path)!r} cannot be written: {error}; see that its disk has room"
            ) from error

    async def write_upon(
        self, look: Callable[[Connection], SeenT], work: Callable[[Connection, SeenT], ResultT]
    ) -> ResultT:
        """Run `work(connection, look(connection))` in a transaction of its own.

        What `look` reads is read beside the writer, which has other things to do; where something
        was written in between, it is read again within the transaction, so it is always so.
        """
        before = self.written
        looked_up = await self.read(look)

        def on_what_is(connection: Connection) -> ResultT:
            return work(connection, looked_up if self.written == before else look(connection))

        return await self.write(on_what_is)

    async def read(
        self,
        work: Callable[Concatenate[Connection, GivenP], ResultT],
        *args: GivenP.args,
        **kwargs: GivenP.kwargs,
    ) -> ResultT:
        """Run `work(cursor, …)` on a cursor of its own, beside the writer."""

        def on_cursor() -> ResultT:
            return self.read_apart(work, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._readers, on_cursor)

    async def read_once(self, work: Callable[..., ResultT], *args: Hashable) -> ResultT:
        """Run `work(cursor, *args)` as `read` does, or give again what it has read.

        What was written since is read. It is for what is asked all the time of a state that seldom
        changes; whoever asks gets the same object, so it must be one that nobody can change.
        """
        if self._answered_at != self.written or len(self._answers) >= _MOST_ANSWERS:
            self._answers, self._answered_at = {}, self.written
        answers, question = self._answers, (work, args)
        if question not in answers:
            answers[question] = await self.read(work, *args)
        answer: ResultT = answers[question]
        return answer

    def read_apart(
        self,
        work: Callable[Concatenate[Connection, GivenP], ResultT],
        *args: GivenP.args,
        **kwargs: GivenP.kwargs,
    ) -> ResultT:
        """Run `work(cursor, …)` on a cursor of its own in this thread.

        What fails here ends no transaction that is under way, and sees what is committed alone.
        """
        with self.connection.cursor() as cursor:
            return work(cursor, *args, **kwargs)

    async def exclusively(self, work: Callable[[Connection], ResultT]) -> ResultT:
        """Run `work(connection)` in the writing thread, which keeps its own transactions."""

        def alone() -> ResultT:
            try:
                return work(self.connection)
            finally:
                self.written += 1

        future = asyncio.get_running_loop().run_in_executor(self._writer, alone)
        return await asyncio.shield(future)

    async def compact(self, most: float) -> bool:
        """Write a checkpoint, and the file anew where more than the share `most` of it is free.

        DuckDB gives back what is free at the end of the file alone. Says whether it did.

        Raises:
            StoreError: there is no room, or it cannot be written; the file is as it was.

        """

        def free(connection: Connection) -> float:
            connection.execute("CHECKPOINT")
            (size,) = records(connection, _FileSize, _FILE_SIZE)
            octets = size.total_blocks * size.block_size
            return size.free_blocks / size.total_blocks if octets > _WORTHWHILE else 0.0

        wasteful = await self.exclusively(free) > most
        if wasteful:
            await self.renew()
        return wasteful

    async def renew(self) -> None:
        """Write the file anew, with nothing in it but what is stored now.

        DuckDB leaves the bytes of deleted rows in the file. Everything waits while it is copied.

        Raises:
            StoreError: there is no room, or it cannot be written; the file is as it was.

        """
        loop = asyncio.get_running_loop()
        parked, done = threading.Barrier(self._reading + 1), threading.Event()

        def park() -> None:
            parked.wait()
            done.wait()

        def work() -> None:
            try:
                parked.wait()  # from here on nobody reads
                self.connection.close()
                try:
                    rewrite(self.path, connecting.CONFIGURATION)
                finally:
                    self.connection = connecting.open_state(self.path)
                    connecting.lock_down(self.connection)
            finally:
                done.set()

        waiting = [loop.run_in_executor(self._readers, park) for _ in range(self._reading)]
        future = loop.run_in_executor(self._writer, work)
        await asyncio.shield(future)
        await asyncio.gather(*waiting)

    def close(self) -> None:
        """Wait for what is under way, write a checkpoint, and let go of the file."""
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self.connection.close()
