"""Tables that the organization's files are loaded into, in a schema that dlt keeps."""

from collections.abc import Sequence
from typing import Any

from duckdb import BinderException, CatalogException

from data.store.core.database import Connection


def rows_of(
    connection: Connection, schema: str, table: str, columns: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the rows of a loaded table by id, with these columns; none before the first load."""
    cursor = connection.cursor()  # leaves the caller's transaction and pending result alone
    try:
        try:
            loaded_rows = _fetch(cursor, schema, table, columns, set(columns))
        except BinderException:  # an older release has loaded it: newer columns come with a load
            loaded_rows = _fetch(cursor, schema, table, columns, _columns(cursor, schema, table))
    except CatalogException:  # nothing has been loaded into it yet
        return []
    finally:
        cursor.close()
    return [dict(zip(columns, values, strict=True)) for values in loaded_rows]


def _fetch(
    cursor: Connection, schema: str, table: str, columns: Sequence[str], known_columns: set[str]
) -> list[tuple[Any, ...]]:
    """Return the rows of a table by id; None for those of the columns that it does not have."""
    names = ", ".join(f'"{column}"' if column in known_columns else "NULL" for column in columns)
    statement = f'SELECT {names} FROM "{schema}"."{table}" ORDER BY id'
    return cursor.execute(statement).fetchall()


def _columns(cursor: Connection, schema: str, table: str) -> set[str]:
    rows = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE schema_name = ? AND table_name = ?",
        [schema, table],
    ).fetchall()
    return {str(name) for (name,) in rows}
