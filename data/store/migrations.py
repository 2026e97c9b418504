"""Numbered, forward-only migrations: `data/sql/<kind>/NNNN_name.sql`."""

from importlib.resources import files

import duckdb

from data.errors import StoreError


def migrate(connection: duckdb.DuckDBPyConnection, kind: str) -> int:
    """Bring a file of `kind` (`control`, `organization`) to the newest shape.

    Returns:
        The version reached.

    Raises:
        StoreError: the file was written by a newer Postern.

    """
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
    found = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchall()
    current = int(found[0][0])
    scripts = sorted(
        (path for path in files("data").joinpath("sql", kind).iterdir() if path.name[:4].isdigit()),
        key=lambda path: path.name,
    )
    newest = int(scripts[-1].name[:4])
    if current > newest:
        raise StoreError(
            f"the {kind} state has version {current}, this Postern knows {newest}; "
            "install the newer Postern again"
        )
    for script in scripts[current:]:
        connection.begin()
        connection.execute(script.read_text(encoding="utf-8"))
        connection.execute("INSERT INTO schema_version VALUES (?)", [int(script.name[:4])])
        connection.commit()
    return newest
