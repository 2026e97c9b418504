"""Records of flow runs in Prefect's own database, and taking a contact out of them.

Each run's page lists its items with sender and subject. Whole tables go, because they are many
items in one text.
"""

import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from data.errors import StoreError
from data.store.core.mentioning import find_places

WAIT_SECONDS = 30.0
HOLDERS = (
    ("artifact", "data", "DELETE FROM artifact"),
    ("artifact_collection", "data", "DELETE FROM artifact_collection"),
    ("log", "message", "DELETE FROM log"),
    ("events", "payload", "UPDATE events SET payload = '{}'"),
)
"""Table, column that holds what was published, and what takes a row's part of it away."""


def forget(database: Path, words: Collection[str]) -> int:
    """Take away what Prefect published in which one of these words (lower-cased) stands.

    Returns how many rows. The file is written anew then (`VACUUM`) and its log cut, so that no byte
    of it is left in either. Prefect's server may run meanwhile.

    Raises:
        StoreError: the database is busy for longer than half a minute, or damaged.

    """
    if not database.exists():
        return 0
    wanted_words = [word.lower() for word in words]
    try:
        with closing(sqlite3.connect(database, timeout=WAIT_SECONDS)) as connection:
            done = sum(
                _forget_in(connection, table, column, change, wanted_words)
                for table, column, change in HOLDERS
                if connection.execute(
                    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table]
                ).fetchall()
            )
            if done:
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return done
    except sqlite3.Error as error:
        raise StoreError(
            f"Prefect's database {str(database)!r} cannot be cleaned: {error}; stop Postern and "
            "erase again, or remove the file, which holds no state"
        ) from error


def _forget_in(
    connection: sqlite3.Connection, table: str, column: str, change: str, words: Collection[str]
) -> int:
    theirs = [
        (row,)
        for row, text in connection.execute(f'SELECT rowid, "{column}" FROM "{table}"')
        if text and _is_any_in(str(text).lower(), words)
    ]
    connection.executemany(f"{change} WHERE rowid = ?", theirs)
    connection.commit()
    return len(theirs)


def _is_any_in(text: str, words: Collection[str]) -> bool:
    """Whether an address stands in the text, or an id is one of its words."""
    apart = set("".join(c if c.isalnum() or c == "-" else " " for c in text).split())
    return any(
        next(find_places(text, word), None) is not None if "@" in word else word in apart
        for word in words
    )
