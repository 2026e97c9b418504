"""Erasures of contacts that are under way; see `flows/mail/people/erasing.py`."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import columns, first, insert, records


class ErasureRow(NamedTuple):
    """An erasure that was asked for and is not done."""

    id: str
    state: str
    """`deleting` until the rows are gone, then `rewriting` until their bytes are."""
    addresses: Sequence[str]
    """Empty from `rewriting` on: nothing but the fingerprint names the contact then."""
    fingerprint: str
    keep_learned: bool
    asked_by: str
    asked_at: datetime


def add(cursor: Connection, order: ErasureRow) -> None:
    """Write down that an erasure was asked for."""
    insert(cursor, "erasures", [order._asdict()])


def list_unfinished(cursor: Connection) -> list[ErasureRow]:
    """Return the erasures that are not done, oldest first."""
    statement = f"SELECT {columns(ErasureRow)} FROM erasures ORDER BY asked_at, id"
    return records(cursor, ErasureRow, statement)


def read_files(cursor: Connection, order_id: str) -> str:
    """Return what an erasure has to remove outside of the database, as JSON."""
    noted = first(cursor, "SELECT files FROM erasures WHERE id = ?", [order_id])
    return str(noted[0]) if noted else "{}"


def note_rows_gone(cursor: Connection, order_id: str, files: str) -> None:
    """Note that the rows are gone, and what has to be removed outside, as JSON."""
    cursor.execute(
        "UPDATE erasures SET state = 'rewriting', addresses = [], files = ? WHERE id = ?",
        [files, order_id],
    )


def forget_files(cursor: Connection, order_id: str) -> None:
    """Forget what had to be removed, before the file is written anew."""
    cursor.execute("UPDATE erasures SET files = '{}' WHERE id = ?", [order_id])


def drop_order(cursor: Connection, order_id: str) -> None:
    """Forget an erasure that is done, or cannot be."""
    cursor.execute("DELETE FROM erasures WHERE id = ?", [order_id])
