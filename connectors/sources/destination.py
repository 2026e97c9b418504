"""dlt's DuckDB destination for a connection whose settings belong to somebody else.

dlt's own client sets `checkpoint_threshold` to 1 GB, the time zone and a checkpoint pragma for the
whole database. The engine has locked its settings (and file access), so this client sets none.
Imports dlt: import it when there is work.
"""

from typing import Any

from dlt.destinations import duckdb as duckdb_destination
from dlt.destinations.impl.duckdb.duck import DuckDbClient


class _QuietClient(DuckDbClient):
    """A client that changes no setting of the database it is given."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401  # as dlt calls it
        super().__init__(*given, **named)
        self.sql_client._pragmas = []
        self.sql_client._global_config = {}


class GivenDatabase(duckdb_destination):
    """The database of a connection that is open already, and stays open."""

    @property
    def client_class(self) -> type[DuckDbClient]:
        """Return the client that changes no setting."""
        return _QuietClient
