"""Groups of an organization's own that were seen and that its profile does not name."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from data.store.core.database import Connection, insert, rows


def propose(cursor: Connection, addresses: Collection[str], now: datetime) -> None:
    """Keep the addresses, in lower case, that nobody has seen before."""
    known = {
        row["address"]
        for row in rows(
            cursor,
            "SELECT address FROM group_proposals WHERE address IN (SELECT unnest(?::VARCHAR[]))",
            [list(addresses)],
        )
    }
    new = sorted(set(addresses) - known)
    insert(
        cursor,
        "group_proposals",
        [{"address": one, "seen_at": now, "dismissed_by": ""} for one in new],
    )


def proposed(cursor: Connection) -> list[dict[str, Any]]:
    """Return the addresses that nobody has dismissed, newest first, with when they were seen."""
    return rows(
        cursor,
        "SELECT address, seen_at FROM group_proposals WHERE dismissed_by = '' "
        "ORDER BY seen_at DESC, address",
    )


def dismiss(cursor: Connection, address: str, user: str) -> bool:
    """Propose an address no longer; return whether it was proposed."""
    gone = rows(
        cursor,
        "UPDATE group_proposals SET dismissed_by = ? WHERE address = ? AND dismissed_by = '' "
        "RETURNING address",
        [user, address],
    )
    return bool(gone)
