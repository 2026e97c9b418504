"""Syncs of an organization's files: when they were loaded, and what was said of them."""

from collections.abc import Sequence
from datetime import datetime

from data.records.core.syncs import SyncEntry
from data.store.core.database import Connection
from data.store.core.statements import insert, validate_rows

KEPT = 50


def note(
    cursor: Connection,
    *,
    changed: bool,
    errors: Sequence[str],
    warnings: Sequence[str],
    now: datetime,
) -> None:
    """Keep what came of a sync, and forget the oldest."""
    insert(
        cursor,
        "syncs",
        [
            {
                "synced_at": now,
                "changed": changed,
                "errors": list(errors),
                "warnings": list(warnings),
            }
        ],
    )
    cursor.execute(
        "DELETE FROM syncs WHERE synced_at < "
        "(SELECT min(synced_at) FROM "
        "(SELECT synced_at FROM syncs ORDER BY synced_at DESC LIMIT ?))",
        [KEPT],
    )


def list_syncs(cursor: Connection) -> tuple[SyncEntry, ...]:
    """Return the syncs, the newest first."""
    return tuple(validate_rows(cursor, SyncEntry, "SELECT * FROM syncs ORDER BY synced_at DESC"))
