"""Files of the archive that no row names any more, or none yet.

Bytes and rows cannot be changed in one act. So a hash is noted before its bytes come without a row,
and in the transaction that takes the last row away; whoever is cut off in between leaves the note,
and the upkeep goes by it. Whatever keeps bytes in the archive names its column here; the parts of
Postern need not know each other for that.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from data.store.core.database import Connection, insert

_NAMING = (
    "SELECT raw_sha256 FROM messages UNION ALL SELECT sha256 FROM deliveries "
    "UNION ALL SELECT sha256 FROM attached_files UNION ALL SELECT sha256 FROM delivery_files "
    "UNION ALL SELECT spilled FROM memories"
)


def note(cursor: Connection, hashes: Sequence[str], now: datetime) -> None:
    """Note that these files may be nobody's."""
    insert(cursor, "archive_leftovers", [{"sha256": key, "noted_at": now} for key in hashes])


def settle(cursor: Connection, hashes: Sequence[str]) -> None:
    """Drop the notes of files that rows name now."""
    cursor.execute("DELETE FROM archive_leftovers WHERE sha256 IN ?", [list(hashes)])


def without_owner(cursor: Connection, hashes: Sequence[str]) -> list[str]:
    """Return those of these hashes that no row of any kind names."""
    rows = cursor.execute(
        "SELECT DISTINCT hash FROM (SELECT unnest(?::VARCHAR[]) AS hash) "
        f"WHERE hash NOT IN ({_NAMING}) ORDER BY hash",
        [list(hashes)],
    ).fetchall()
    return [str(row[0]) for row in rows]


def sweep(cursor: Connection, remove: Callable[[str], object], before: datetime) -> int:
    """Remove what was noted before then and has no owner, and drop the notes; return how many.

    For a writing transaction: the bytes go before another row can name them.
    """
    noted = cursor.execute(
        "DELETE FROM archive_leftovers WHERE noted_at < ? RETURNING sha256", [before]
    ).fetchall()
    nobodies = without_owner(cursor, [str(row[0]) for row in noted])
    for sha256 in nobodies:
        remove(sha256)
    return len(nobodies)


def remove_now(cursor: Connection, remove: Callable[[str], object], hashes: Sequence[str]) -> None:
    """Remove those of these files that have no owner, and drop the notes; as `sweep` does."""
    for sha256 in without_owner(cursor, hashes):
        remove(sha256)
    settle(cursor, hashes)
