"""Numbered, forward-only migrations: `data/sql/<kind>/NNNN_name.sql`."""

from importlib.resources import files

from data.errors import StoreError
from data.store.core.connecting import Connection


def migrate(connection: Connection, kind: str) -> int:
    """Bring a file of `kind` (`control`, `organization`) to the newest shape.

    A new file gets its shape in one transaction, which takes little more than half the time of one
    for each script; a file that may have rows is brought on script by script.

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
    missing = sorted(scripts.keys() - done)
    for versions in [[version] for version in missing] if done else [missing]:
        connection.begin()
        for version in versions:
            connection.execute(scripts[version].read_text(encoding="utf-8"))
        connection.executemany(
            "INSERT INTO schema_version VALUES (?)", [[version] for version in versions]
        )
        connection.commit()
    return newest
