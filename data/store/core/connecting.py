"""A DuckDB connection that reads the text of each statement once.

DuckDB parses and plans a statement at every call. For the small ones that most of this is made of,
to parse takes a third of that (0.07 to 0.2 ms of processor time), and the same few hundred texts
come again and again. A parsed statement belongs to no connection and no file.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import duckdb
import pyarrow as pa

from data.errors import StoreBusyError, StoreError

ResultT = TypeVar("ResultT")
Parameters = Sequence[Any] | Mapping[str, Any]
"""Values for `?` in their order, or for `$name`."""
CONFIGURATION: dict[str, str | bool | int | float | list[str]] = {
    # Each statement runs in the thread that asks. A second thread of DuckDB's own costs processor
    # time with every small one (0.5 ms a message), and what else runs here needs the other core.
    "threads": 1,
    "memory_limit": "512MB",
    # Columns of texts that are longer on average are packed by zstd, and else not at all: results
    # of stages repeat each other's words. DuckDB's own 4096 leaves them out.
    "zstd_min_string_length": 1024,
}
_REPEATED = (
    duckdb.StatementType.SELECT,
    duckdb.StatementType.INSERT,
    duckdb.StatementType.UPDATE,
    duckdb.StatementType.DELETE,
)
_LONGEST = 4_000
"""Characters of a text that is kept parsed; longer ones are scripts, or rows in their hundreds."""
_MOST = 1_024
"""Statements that are kept, of 5 kB each; with one more, all are forgotten."""
warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)
_PARSED: dict[str, duckdb.Statement | None] = {}
"""By their texts; None for what is parsed at every call."""


class Connection:
    """A connection, or a cursor, to a DuckDB file; `plain` is DuckDB's own."""

    __slots__ = ("plain",)

    def __init__(self, plain: duckdb.DuckDBPyConnection) -> None:
        self.plain = plain

    def execute(
        self, statement: str, parameters: Parameters | None = None
    ) -> duckdb.DuckDBPyConnection:
        """Run one statement, or without parameters several; give what reads the result."""
        parsed = _parse(self.plain, statement) if len(statement) <= _LONGEST else None
        if parsed is None:
            return self.plain.execute(statement, parameters)
        return self.plain.execute(parsed, parameters)

    def executemany(self, statement: str, parameters: Sequence[Parameters]) -> None:
        """Run one statement for each of `parameters`."""
        self.plain.executemany(statement, parameters)

    def arrow(self, statement: str, parameters: Parameters | None = None) -> pa.Table:
        """Return what a `SELECT` gives as an Arrow table.

        The rows are copied once more than by `sql`, 8 µs for a thousand, but the statement is
        neither parsed nor bound twice, 0.4 to 1.9 ms: it is for what is asked often.
        """
        return self.execute(statement, parameters).to_arrow_table()

    def sql(self, statement: str, *, params: Parameters | None = None) -> duckdb.DuckDBPyRelation:
        """Return what a `SELECT` gives as a relation, which is read when it is asked."""
        return self.plain.sql(statement, params=params)

    def register(self, name: str, frame: pa.Table) -> None:
        """Let statements read an Arrow table by this name."""
        self.plain.register(name, frame)

    def unregister(self, name: str) -> None:
        """Forget an Arrow table."""
        self.plain.unregister(name)

    def begin(self) -> None:
        """Begin a transaction."""
        self.plain.begin()

    def commit(self) -> None:
        """Write what the transaction has done."""
        self.plain.commit()

    def rollback(self) -> None:
        """Take back what the transaction has done."""
        self.plain.rollback()

    def cursor(self) -> Self:
        """Return another connection to the same file, with transactions of its own."""
        return type(self)(self.plain.cursor())

    def close(self) -> None:
        """Let go of the file, or of this cursor alone."""
        self.plain.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close it."""
        self.close()


def connect(path: str, **options: Any) -> Connection:  # noqa: ANN401  # as DuckDB takes them
    """Open a file as `duckdb.connect` does."""
    return Connection(duckdb.connect(path, **options))


def open_state(path: Path) -> Connection:
    """Open a state of ours, or make it.

    Raises:
        StoreBusyError: another process holds it.
        StoreError: it cannot be read, with or without its log.

    """
    try:
        return connect(str(path), config=CONFIGURATION)
    except duckdb.IOException as error:
        if "lock" in str(error).lower():
            raise StoreBusyError(
                f"{str(path)!r} is held by another process; is an engine running? "
                "Stop it, or use its API"
            ) from error
        return _open_without_log(path, error)
    except duckdb.OutOfMemoryException as error:  # the log is whole, and counts
        raise _unopened(path, error) from error
    except duckdb.Error as error:
        return _open_without_log(path, error)


def _open_without_log(path: Path, error: Exception) -> Connection:
    """Set a write-ahead log aside that cannot be replayed, and open the last checkpoint.

    Where that does not open either, the log is not at fault, and stays what it is: the file may be
    readable again, and what was committed last is in the log alone.
    """
    log = path.with_name(path.name + ".wal")
    try:
        for file in (path, log):
            file.open("rb").close()
    except OSError:
        raise _unopened(path, error) from error
    aside = log.with_suffix(".wal.unreadable")
    log.rename(aside)
    try:
        return connect(str(path), config=CONFIGURATION)
    except duckdb.Error as again:
        aside.rename(log)
        raise _unopened(path, again) from again


def _unopened(path: Path, error: Exception) -> StoreError:
    """Return the error for a file that cannot be opened."""
    why = str(error).splitlines()[0]
    return StoreError(f"{str(path)!r} cannot be opened: {why}; restore it from a backup")


def read_state(path: Path, work: Callable[[Connection], ResultT]) -> ResultT:
    """Return what `work` reads of a state file that is opened for reading alone.

    Raises:
        StoreError: it is in use, or of another version of Postern.

    """
    try:
        with connect(str(path), read_only=True, config={"threads": 1}) as connection:
            connection.execute("SET enable_external_access = false")
            return work(connection)
    except duckdb.Error as error:
        raise StoreError(
            f"{str(path)!r} cannot be read: it is in use, or of another version of Postern"
        ) from error


def lock_down(connection: Connection) -> None:
    """Refuse file and network access from SQL for good; extensions would be fetched."""
    # For every cursor too: else each time is of the machine's zone, by a search of all zones.
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _parse(plain: duckdb.DuckDBPyConnection, statement: str) -> duckdb.Statement | None:
    """Return a statement parsed, or None for what is none that is run again and again.

    Raises:
        duckdb.ParserException: it is no SQL.

    """
    with suppress(KeyError):
        return _PARSED[statement]
    parts = plain.extract_statements(statement)
    parsed = parts[0] if len(parts) == 1 and parts[0].type in _REPEATED else None
    if len(_PARSED) >= _MOST:
        _PARSED.clear()
    _PARSED[statement] = parsed
    return parsed
