"""Statements and what they give: rows as records, pages of lists, and rows written in bulk."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import pyarrow as pa
from pydantic import BaseModel

from data.errors import NotFoundError, StoreError
from data.store.core.connecting import Connection, Parameters

RowT = TypeVar("RowT", bound=NamedTuple)
"""A kind of row: its fields are the columns of a statement, in their order."""
RecordT = TypeVar("RecordT", bound=BaseModel)
"""A kind of record: its fields bear the names of the columns of a statement."""
ListedT = TypeVar("ListedT")
"""What a page lists: rows, or records."""


class RowPage(NamedTuple, Generic[ListedT]):
    """One page of a list."""

    listed: list[ListedT]
    total: int
    """How much there is in all."""


def rows(cursor: Connection, statement: str, parameters: Parameters = ()) -> list[dict[str, Any]]:
    """Run `statement` and return its rows as dictionaries by column name.

    For tables whose columns nobody here names: exports of whole tables, and rows that are written
    again as they are. Who names a column reads `records`, or `validate_rows`.
    """
    result = cursor.execute(statement, _values(parameters))
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def validate_rows(
    cursor: Connection, kind: type[RecordT], statement: str, parameters: Parameters = ()
) -> list[RecordT]:
    """Run `statement`, whose columns bear the names of the fields of `kind`; return valid records.

    For what is handed on and kept; what is looked at once is read by `records`, in half the time.
    """
    return [kind.model_validate(row) for row in rows(cursor, statement, parameters)]


def validate_one(
    cursor: Connection, kind: type[RecordT], statement: str, parameters: Parameters, missing: str
) -> RecordT:
    """Run `statement`, which names one record, and return it, valid.

    Raises:
        NotFoundError: there is none; it says `missing`.

    """
    listed = validate_rows(cursor, kind, statement, parameters)
    if not listed:
        raise NotFoundError(missing)
    return listed[0]


def records(
    cursor: Connection, kind: type[RowT], statement: str, parameters: Parameters = ()
) -> list[RowT]:
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
    cursor: Connection, kind: type[RowT], statement: str, identity: str, missing: str
) -> RowT:
    """Run `statement`, which names one record by its identity, and return the row.

    Raises:
        NotFoundError: there is none; it says `missing`.

    """
    listed = records(cursor, kind, statement, [identity])
    if not listed:
        raise NotFoundError(missing)
    return listed[0]


def read_sums(
    cursor: Connection, kind: type[RowT], statement: str, parameters: Parameters = ()
) -> RowT:
    """Run `statement`, which sums up and so gives one row whatever there is, and return the row."""
    (summed_row,) = records(cursor, kind, statement, parameters)
    return summed_row


def first(
    cursor: Connection, statement: str, parameters: Parameters = ()
) -> tuple[Any, ...] | None:
    """Run `statement` and return its first row, or None; nothing stays unread on the connection."""
    first_rows = cursor.execute(statement, _values(parameters)).fetchall()
    return first_rows[0] if first_rows else None


def match_among(column: str, values: Sequence[str], mark: str = "?") -> tuple[str, Any]:
    """Return the condition that a column holds one of some values, and what stands for `mark`.

    One value is compared: that is planned in half the time of a join, and found by an index.
    """
    if len(values) == 1:
        return f"{column} = {mark}", values[0]
    return f"{column} IN (SELECT unnest({mark}))", list(values)


def _values(parameters: Parameters) -> list[Any] | dict[str, Any]:
    return dict(parameters) if isinstance(parameters, Mapping) else list(parameters)


def _count(cursor: Connection, rows_of: str, parameters: Sequence[Any]) -> int:
    """Return how many rows a table with a condition, or a statement in brackets, gives."""
    counted = first(cursor, f"SELECT count(*) FROM {rows_of}", parameters)
    return int(counted[0]) if counted else 0


def validate_page(
    cursor: Connection,
    kind: type[RecordT],
    select: str,
    *,
    order: str,
    parameters: Sequence[Any],
    limit: int,
    offset: int,
) -> RowPage[RecordT]:
    """Return one page of what `select` (without its order) finds, and how much there is in all."""
    total = _count(cursor, f"({select})", parameters)
    shown = f"{select} ORDER BY {order} LIMIT ? OFFSET ?"
    listed = validate_rows(cursor, kind, shown, [*parameters, limit, offset])
    return RowPage(listed, total)


def record_page(
    cursor: Connection,
    kind: type[RowT],
    select: str,
    *,
    order: str,
    parameters: Sequence[Any],
    limit: int,
    offset: int,
) -> RowPage[RowT]:
    """Return one page of what `select` (without its order) finds, and how much there is in all."""
    total = _count(cursor, f"({select})", parameters)
    shown = f"{select} ORDER BY {order} LIMIT ? OFFSET ?"
    listed = records(cursor, kind, shown, [*parameters, limit, offset])
    return RowPage(listed, total)


def table_page(
    cursor: Connection,
    kind: type[RowT],
    table: str,
    where: str,
    *,
    order: str,
    parameters: Sequence[Any],
    limit: int,
    offset: int,
    select: str = "*",
) -> RowPage[RowT]:
    """Return one page of the rows of `table`, and how many there are in all.

    `select` are the columns where the kind is less than the table.
    Which rows are on the page is found out first, from the columns of `where` and `order` alone: to
    read all columns of a thousand rows for the fifty that are shown costs most of a late page.
    """
    total = _count(cursor, f"{table} WHERE {where}", parameters)
    shown = f"SELECT rowid FROM {table} WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"
    listed = records(
        cursor,
        kind,
        f"SELECT {select} FROM {table} WHERE rowid IN ({shown}) ORDER BY {order}",
        [*parameters, limit, offset],
    )
    return RowPage(listed, total)


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
