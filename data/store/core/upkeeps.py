"""Nightly upkeeps, with what each has removed."""

from data.records.core.retention_views import Upkeep
from data.store.core.database import Connection
from data.store.core.statements import insert, validate_rows

KEPT = 30


def note(cursor: Connection, done: Upkeep) -> None:
    """Keep what an upkeep has removed, and forget the oldest."""
    insert(cursor, "upkeeps", [done.model_dump(mode="python")])
    cursor.execute(
        "DELETE FROM upkeeps WHERE tidied_at < "
        "(SELECT min(tidied_at) FROM "
        "(SELECT tidied_at FROM upkeeps ORDER BY tidied_at DESC LIMIT ?))",
        [KEPT],
    )


def list_upkeeps(cursor: Connection) -> tuple[Upkeep, ...]:
    """Return the upkeeps, the newest first."""
    return tuple(validate_rows(cursor, Upkeep, "SELECT * FROM upkeeps ORDER BY tidied_at DESC"))
