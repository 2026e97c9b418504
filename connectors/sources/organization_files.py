"""The dlt source `organization_files`: one merge resource per table.

Imports dlt: import it when there is work.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import dlt
from dlt.sources import DltResource

from connectors.sources.changes import Changes
from connectors.sources.tables import BOOKKEEPING, TABLES, SourceRow, tombstone


@dlt.source(name="organization_files", max_table_nesting=0)
def organization_files(work: Mapping[str, Changes]) -> Iterator[DltResource]:
    """Yield one resource for each table that has changes."""
    for table, changes in work.items():
        if changes.changed or changes.removed:
            yield _resource(table, changes)


def _resource(table: str, changes: Changes) -> DltResource:
    columns: dict[str, Any] = {  # hints as dlt takes them
        name: {"data_type": kind, "nullable": name != "id"}
        for name, kind in (TABLES[table] | BOOKKEEPING).items()
    }
    columns["removed"]["hard_delete"] = True
    return dlt.resource(
        _rows(table, changes),
        name=table,
        primary_key="id",
        write_disposition="merge",
        columns=columns,
        schema_contract={"data_type": "freeze"},  # another type is a bug of ours, not a column
    )


def _rows(table: str, changes: Changes) -> Iterator[list[SourceRow]]:
    yield [*changes.changed, *(tombstone(table, row_id) for row_id in changes.removed)]
