"""Numbered, forward-only migrations: `data/sql/<kind>/NNNN_name.sql`."""

from importlib.resources import files

from data.errors import StoreError
from data.store.core.connecting import Connection


def migrate(connection: Connection, kind: str) -> int:
    """Bring a file of `kind` (`control`, `organization`) to the newest shape.

    Returns:
        The version reached.

    Raises:
        StoreError: the file was written by a newer Postern.

    """
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
    done = {
        int(version)
        for (version,) in connection.execute("SELECT version FROM schema_version").fetchall()
    }
    scripts = {
        int(path.name[:4]): path
        for path in files("data").joinpath("sql", kind).iterdir()
        if path.name[:4].isdigit()
    }
    newest = max(scripts)
    if unknown := done - scripts.keys():
        raise StoreError(
            f"the {kind} state has version {max(unknown)}, this Postern knows {newest}; "
            "install the newer Postern again"
        )
    for version in sorted(scripts.keys() - done):
        connection.begin()
        connection.execute(scripts[version].read_text(encoding="utf-8"))
        connection.execute("INSERT INTO schema_version VALUES (?)", [version])
        connection.commit()
    return newest
