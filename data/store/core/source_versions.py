"""Versions of sources that were carried on, to contacts, history and the index of knowledge."""

from collections.abc import Mapping

from data.store.core.database import Connection
from data.store.core.statements import insert


def list_versions(cursor: Connection) -> dict[str, str]:
    """Return the version of each source that was carried on."""
    return dict(cursor.execute("SELECT source, version FROM taken").fetchall())


def note(cursor: Connection, hash_by_ref: Mapping[str, str]) -> None:
    """Write down what was carried on, in the place of what was before."""
    cursor.execute("DELETE FROM taken")
    insert(cursor, "taken", [{"source": one, "version": was} for one, was in hash_by_ref.items()])
