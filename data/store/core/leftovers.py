"""Files of the archive that no row names any more, or none yet.

Bytes and rows cannot be changed in one act. So a hash is noted before its bytes come without a row,
and in the transaction that takes the last row away; whoever is cut off in between leaves the note,
and the upkeep goes by it. Whatever keeps bytes in the archive names its column here; the parts of
Postern need not know each other for that.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from data.store.core.database import Connection
from data.store.core.statements import insert

_NAMING = (
    "SELECT raw_sha256 FROM messages UNION ALL SELECT sha256 FROM deliveries "
    "UNION ALL SELECT sha256 FROM attached_files UNION ALL SELECT sha256 FROM delivery_files "
    "UNION ALL SELECT spilled FROM memories"
)


def note(cursor: Connection, hashes: Sequence[str], now: datetime) -> None:
    """Note that these files may be nobody's."""
    insert(cursor, "archive_leftovers", [{"sha256": key, "noted_at": now} for key in hashes])


def settle(cursor: Connection, sha256: str) -> None:
    """Drop one note of a file that a row names from now on; another's may be of a row to come."""
    cursor.execute(
        "DELETE FROM archive_leftovers WHERE rowid IN "
        "(SELECT min(rowid) FROM archive_leftovers WHERE sha256 = ?)",
        [sha256],
    )


def list_without_owner(cursor: Connection, hashes: Sequence[str]) -> list[str]:
    """Return those of these hashes that no row of any kind names."""
    rows = cursor.execute(
        "SELECT DISTINCT hash FROM (SELECT unnest(?::VARCHAR[]) AS hash) "
        f"WHERE hash NOT IN ({_NAMING}) ORDER BY hash",
        [list(hashes)],
    ).fetchall()
    return [str(row[0]) for row in rows]


def sweep(cursor: Connection, remove: Callable[[str], object], before: datetime) -> int:
    """Remove what was noted before then and has no owner, and drop the notes; return how many.

    For a writing transaction: the bytes go before another row can name them. What was noted again
    since is left, for its row may be yet to come.
    """
    noted = cursor.execute(
        "DELETE FROM archive_leftovers WHERE noted_at < ? RETURNING sha256", [before]
    ).fetchall()
    hashes = {str(row[0]) for row in noted}
    nobodies = list_without_owner(cursor, sorted(hashes - _is_noted_again(cursor, hashes, 1)))
    for sha256 in nobodies:
        remove(sha256)
    return len(nobodies)


def remove_now(cursor: Connection, remove: Callable[[str], object], hashes: Sequence[str]) -> None:
    """Remove those of these noted files that have no owner, and drop their notes; as `sweep` does.

    One that somebody else has noted too is left to the upkeep.
    """
    nobodies = list_without_owner(cursor, sorted(set(hashes) - _is_noted_again(cursor, hashes, 2)))
    for sha256 in nobodies:
        remove(sha256)
    cursor.execute("DELETE FROM archive_leftovers WHERE sha256 IN ?", [nobodies])


def _is_noted_again(cursor: Connection, hashes: Collection[str], least: int) -> set[str]:
    """Return those of these hashes of which there are at least so many notes."""
    rows = cursor.execute(
        "SELECT sha256 FROM archive_leftovers WHERE sha256 IN ? GROUP BY sha256 "
        "HAVING count(*) >= ?",
        [list(hashes), least],
    ).fetchall()
    return {str(row[0]) for row in rows}
