"""Last uses of items of memory, told to who thinks; those never used have none."""

from collections.abc import Collection, Mapping
from datetime import datetime

from data.store.core.database import Connection
from data.store.core.statements import insert


def read_last_uses(cursor: Connection, ids: Collection[str]) -> Mapping[str, datetime]:
    """Return when each of these items was told last, by id; those that never were are left out."""
    uses = cursor.execute(
        "SELECT memory_id, used_at FROM memory_uses "
        "WHERE memory_id IN (SELECT unnest(?::VARCHAR[]))",
        [list(ids)],
    ).fetchall()
    return dict(uses)


def mark_used(cursor: Connection, ids: Collection[str], now: datetime) -> None:
    """Keep that these items were told now."""
    remove_uses(cursor, ids)
    insert(cursor, "memory_uses", [{"memory_id": item_id, "used_at": now} for item_id in ids])


def remove_uses(cursor: Connection, ids: Collection[str]) -> None:
    """Keep nothing of when these items were told."""
    cursor.execute(
        "DELETE FROM memory_uses WHERE memory_id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)]
    )
