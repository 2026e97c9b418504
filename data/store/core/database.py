"""One DuckDB file, opened by one process, written by one thread.

DuckDB lets a single process hold a file, and many small transactions are not what it is made for
(a single-row write costs 1-2 ms, a batch of a thousand 25-100 ms). So every write runs in
one thread, in one transaction per call, and callers hand over batches; reads run beside it on
cursors of their own and see what is committed.
"""

import asyncio
import secrets
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

import duckdb
import pyarrow as pa

from data.errors import NotFoundError, StoreError
from data.store.core import connecting
from data.store.core.migrations import migrate
from data.store.core.rewriting import rewrite

Result = TypeVar("Result")
Seen = TypeVar("Seen")
Given = ParamSpec("Given")
Kind = TypeVar("Kind", bound=NamedTuple)
"""A kind of row: its fields are the columns of a statement, in their order."""
Connection = connecting.Connection
_WORTHWHILE = 16 << 20
"""Octets of a file that is too small to be written anew for what is free in it."""
_MOST_ANSWERS = 4_096
"""What is read once and given again, of a few hundred bytes each; with more, all is forgotten."""


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
        work: Callable[Concatenate[Connection, Given], Result],
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Result:
        """Run `work(connection, …)` in a transaction of its own; an exception rolls it back.

        Once handed over, the transaction ends even if the caller is cancelled.

        Raises:
            StoreError: what was done cannot be written, as on a full disk; nothing of it was.
        """

        def in_transaction() -> Result:
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
        self, look: Callable[[Connection], Seen], work: Callable[[Connection, Seen], Result]
    ) -> Result:
        """Run `work(connection, look(connection))` in a transaction of its own.

        What `look` reads is read beside the writer, which has other things to do; where something
        was written in between, it is read again within the transaction, so it is always so.
        """
        before = self.written
        looked_up = await self.read(look)

        def on_what_is(connection: Connection) -> Result:
            return work(connection, looked_up if self.written == before else look(connection))

        return await self.write(on_what_is)

    async def read(
        self,
        work: Callable[Concatenate[Connection, Given], Result],
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Result:
        """Run `work(cursor, …)` on a cursor of its own, beside the writer."""

        def on_cursor() -> Result:
            return self.read_apart(work, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._readers, on_cursor)

    async def read_once(self, work: Callable[..., Result], *args: Hashable) -> Result:
        """Run `work(cursor, *args)` as `read` does, or give again what it has read.

        What was written since is read. It is for what is asked all the time of a state that seldom
        changes; whoever asks gets the same object, so it must be one that nobody can change.
        """
        if self._answered_at != self.written or len(self._answers) >= _MOST_ANSWERS:
            self._answers, self._answered_at = {}, self.written
        answers, question = self._answers, (work, args)
        if question not in answers:
            answers[question] = await self.read(work, *args)
        answer: Result = answers[question]
        return answer

    def read_apart(
        self,
        work: Callable[Concatenate[Connection, Given], Result],
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Result:
        """Run `work(cursor, …)` on a cursor of its own in this thread.

        What fails here ends no transaction that is under way, and sees what is committed alone.
        """
        with self.connection.cursor() as cursor:
            return work(cursor, *args, **kwargs)

    async def exclusively(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work(connection)` in the writing thread, which keeps its own transactions."""

        def alone() -> Result:
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
            size = rows(connection, "PRAGMA database_size")[0]
            blocks = size["total_blocks"] * size["block_size"]
            return size["free_blocks"] / size["total_blocks"] if blocks > _WORTHWHILE else 0.0

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


Parameters = connecting.Parameters
"""Values for `?` in their order, or for `$name`."""


def rows(cursor: Connection, statement: str, parameters: Parameters = ()) -> list[dict[str, Any]]:
    """Run `statement` and return its rows as dictionaries by column name.

    For what is made a record at once (`Step.model_validate(row)`), and for exports of whole tables;
    what is handed on is read by `records`.
    """
    result = cursor.execute(statement, _values(parameters))
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def only(cursor: Connection, statement: str, identity: str, missing: str) -> dict[str, Any]:
    """Run `statement`, which names one record by its identity, and return the row.

    Raises:
        NotFoundError: there is none; it says `missing`.

    """
    listed = rows(cursor, statement, [identity])
    if not listed:
        raise NotFoundError(missing)
    return listed[0]


def records(
    cursor: Connection, kind: type[Kind], statement: str, parameters: Parameters = ()
) -> list[Kind]:
    """Run `statement`, whose columns are the fields of `kind` in their order; return its rows.

    A kind of a whole table is read by `SELECT *`: DuckDB plans that sooner than names (0.6 ms for
    the 33 of a case), and a migration that the kind has not followed is refused at the first read.

    Raises:
        StoreError: they are others, so that a value would bear another one's name.

    """
    result = cursor.execute(statement, _values(parameters))
    names = tuple(column[0] for column in result.description or ())
    if names != kind._fields:
        raise StoreError(f"{kind.__name__} is {kind._fields!r}, but a statement gives {names!r}")
    return list(map(kind._make, result.fetchall()))


def columns(kind: type[NamedTuple], table: str = "") -> str:
    """Return the columns of a kind of row that is less than its table, for a statement.

    Each bears the name of its table where one is given.
    """
    return ", ".join(f"{table}.{name}" if table else name for name in kind._fields)


def one_record(
    cursor: Connection, kind: type[Kind], statement: str, identity: str, missing: str
) -> Kind:
    """Run `statement`, which names one record by its identity, and return the row.

    Raises:
        NotFoundError: there is none; it says `missing`.

    """
    listed = records(cursor, kind, statement, [identity])
    if not listed:
        raise NotFoundError(missing)
    return listed[0]


def first(
    cursor: Connection, statement: str, parameters: Parameters = ()
) -> tuple[Any, ...] | None:
    """Run `statement` and return its first row, or None; nothing stays unread on the connection."""
    first_rows = cursor.execute(statement, _values(parameters)).fetchall()
    return first_rows[0] if first_rows else None


def among(column: str, values: Sequence[str], mark: str = "?") -> tuple[str, Any]:
    """Return the condition that a column holds one of some values, and what stands for `mark`.

    One value is compared: that is planned in half the time of a join, and found by an index.
    """
    if len(values) == 1:
        return f"{column} = {mark}", values[0]
    return f"{column} IN (SELECT unnest({mark}))", list(values)


def _values(parameters: Parameters) -> list[Any] | dict[str, Any]:
    return dict(parameters) if isinstance(parameters, Mapping) else list(parameters)


def page(
    cursor: Connection,
    select: str,
    *,
    order: str,
    parameters: Sequence[Any],
    limit: int,
    offset: int,
) -> tuple[list[dict[str, Any]], int]:
    """Return one page of what `select` (without its order) finds, and how much there is in all."""
    total = first(cursor, f"SELECT count(*) FROM ({select})", parameters)
    shown = f"{select} ORDER BY {order} LIMIT ? OFFSET ?"
    return rows(cursor, shown, [*parameters, limit, offset]), int(total[0]) if total else 0


def record_page(
    cursor: Connection,
    kind: type[Kind],
    select: str,
    *,
    order: str,
    parameters: Sequence[Any],
    limit: int,
    offset: int,
) -> tuple[list[Kind], int]:
    """Return one page of what `select` (without its order) finds, and how much there is in all."""
    total = first(cursor, f"SELECT count(*) FROM ({select})", parameters)
    shown = f"{select} ORDER BY {order} LIMIT ? OFFSET ?"
    return records(cursor, kind, shown, [*parameters, limit, offset]), int(total[0]) if total else 0


def table_page(
    cursor: Connection,
    kind: type[Kind],
    table: str,
    where: str,
    *,
    order: str,
    parameters: Sequence[Any],
    limit: int,
    offset: int,
    select: str = "*",
) -> tuple[list[Kind], int]:
    """Return one page of the rows of `table`, and how many there are in all.

    `select` are the columns where the kind is less than the table.
    Which rows are on the page is found out first, from the columns of `where` and `order` alone: to
    read all columns of a thousand rows for the fifty that are shown costs most of a late page.
    """
    total = first(cursor, f"SELECT count(*) FROM {table} WHERE {where}", parameters)
    shown = f"SELECT rowid FROM {table} WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"
    listed = records(
        cursor,
        kind,
        f"SELECT {select} FROM {table} WHERE rowid IN ({shown}) ORDER BY {order}",
        [*parameters, limit, offset],
    )
    return listed, int(total[0]) if total else 0


Fields = Mapping[str, object]
"""What is written of a row: values by column."""


def insert(cursor: Connection, table: str, records: Sequence[Fields]) -> None:
    """Insert `records` (all with the same keys) into `table`, as one batch.

    A few rows go as one statement; more go as an Arrow frame, which DuckDB takes at bulk speed.
    """
    if not records:
        return
    names = list(records[0])
    columns = ", ".join(names)
    if len(records) < 8:
        marks = f"({', '.join('?' for _ in names)})"
        every = ", ".join(marks for _ in records)
        values = [record[name] for record in records for name in names]
        cursor.execute(f"INSERT INTO {table} ({columns}) VALUES {every}", values)  # our names
        return
    cursor.register("incoming", _frame(records))
    try:
        cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM incoming")
    finally:
        cursor.unregister("incoming")


def _frame(records: Sequence[Fields]) -> pa.Table:
    """Return records with the same keys as columns, which DuckDB casts to those of the table."""
    return pa.table({name: [record[name] for record in records] for name in records[0]})


def update(
    cursor: Connection,
    table: str,
    records: Sequence[Fields],
    *,
    key: str = "id",
    only: str = "true",
) -> None:
    """Set the given fields of the rows of `table` that have the records' `key`, as one batch.

    Args:
        cursor: an open transaction.
        table: our name of the table.
        records: the key and the new values, all with the same names.
        key: the column that rows are found by.
        only: a further condition on the rows, in SQL of ours.
    """
    if not records:
        return
    names = [name for name in records[0] if name != key]
    if len(records) < 4:
        fields = ", ".join(f"{name} = ?" for name in names)
        for record in records:
            cursor.execute(
                f"UPDATE {table} SET {fields} WHERE {key} = ? AND {only}",
                [*(record[name] for name in names), record[key]],
            )
        return
    fields = ", ".join(f"{name} = incoming.{name}" for name in names)
    cursor.register("incoming", _frame(records))
    try:
        cursor.execute(
            f"UPDATE {table} SET {fields} FROM incoming "
            f"WHERE {table}.{key} = incoming.{key} AND {only}"
        )
    finally:
        cursor.unregister("incoming")
