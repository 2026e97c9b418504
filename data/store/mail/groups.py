"""Groups of an organization's own that were seen and that its profile does not name."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import columns, insert, records


class SeenGroupRow(NamedTuple):
    """An address that may be a group of ours, and when it was seen."""

    address: str
    seen_at: datetime


def propose(cursor: Connection, addresses: Collection[str], now: datetime) -> None:
    """Keep the addresses, in lower case, that nobody has seen before."""
    rows = cursor.execute(
        "SELECT address FROM group_proposals WHERE address IN (SELECT unnest(?::VARCHAR[]))",
        [list(addresses)],
    ).fetchall()
    addresses_known = {row[0] for row in rows}
    new = sorted(set(addresses) - addresses_known)
    insert(
        cursor,
        "group_proposals",
        [{"address": address, "seen_at": now, "dismissed_by": ""} for address in new],
    )


def list_proposed(cursor: Connection) -> list[SeenGroupRow]:
    """Return the addresses that nobody has dismissed, newest first, with when they were seen."""
    return records(
        cursor,
        SeenGroupRow,
        f"SELECT {columns(SeenGroupRow)} FROM group_proposals WHERE dismissed_by = '' "
        "ORDER BY seen_at DESC, address",
    )


def dismiss(cursor: Connection, address: str, user: str) -> bool:
    """Propose an address no longer; return whether it was proposed."""
    rows = cursor.execute(
        "UPDATE group_proposals SET dismissed_by = ? WHERE address = ? AND dismissed_by = '' "
        "RETURNING address",
        [user, address],
    ).fetchall()
    return bool(rows)
