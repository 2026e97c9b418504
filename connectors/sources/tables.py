"""Rows on their way into the tables that the sources fill, and dlt's hints for these.

What a table has is said once, by the kinds of rows in `data/store/core/loaded.py`.
"""

from datetime import date, datetime
from types import NoneType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_type_hints

from data.manifest_files import content_hash
from data.store.core.loaded import KINDS, JsonText

ColumnType = Literal["text", "json", "date", "timestamp", "double", "bigint", "bool"]
SourceRow: TypeAlias = dict[str, Any]
"""One row by column name, as dlt takes it; always with `id`, `file`, `row_hash` and `removed`."""

_TYPES: dict[object, ColumnType] = {
    str: "text",
    JsonText: "json",
    date: "date",
    datetime: "timestamp",
    float: "double",
    int: "bigint",
    bool: "bool",
}
"""dlt's names of types."""
BOOKKEEPING: dict[str, ColumnType] = {"file": "text", "row_hash": "text", "removed": "bool"}
"""Where a row came from, its fingerprint, and dlt's hard-delete mark (never true in a table)."""


def _columns(kind: type[NamedTuple]) -> dict[str, ColumnType]:
    """Return the columns of a kind of row, but for those of the bookkeeping, with their types."""
    return {
        name: _TYPES[next((part for part in get_args(hint) if part is not NoneType), hint)]
        for name, hint in get_type_hints(kind).items()
        if name not in BOOKKEEPING
    }


TABLES = {table: _columns(kind) for table, kind in KINDS.items()}


def add_fingerprint(values: SourceRow, file: str) -> SourceRow:
    """Complete a row with the file it came from and the hash of what it says."""
    shown = {key: str(value) for key, value in values.items()}
    return {**values, "file": file, "row_hash": content_hash(shown), "removed": False}


def tombstone(table: str, row_id: str) -> SourceRow:
    """Return the row that makes dlt remove the stored one."""
    row: SourceRow = dict.fromkeys(TABLES[table])
    return {**row, "id": row_id, "file": "", "row_hash": "", "removed": True}
