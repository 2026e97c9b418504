"""Messages that are forwarded to endpoints; see docs/pipeline.md#forwarding."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    first,
    insert,
    one_record,
    read_sums,
    record_page,
    records,
    update,
)


class ForwardRow(NamedTuple):
    """A message on its way to an endpoint."""

    id: str
    message_id: str
    rcpt_to: list[str]
    url: str
    secret: str
    state: str
    due_at: datetime
    attempts: int
    failures: int
    http_status: int | None
    response: str
    created_at: datetime
    delivered_at: datetime | None
    subject: str
    envelope: str
    """The message's, as JSON."""


class DueForwardRow(NamedTuple):
    """A message whose next attempt may start, and what is sent of it."""

    id: str
    message_id: str
    rcpt_to: list[str]
    url: str
    secret: str
    state: str
    attempts: int
    failures: int
    envelope: str
    raw_sha256: str
    size_bytes: int


_SHOWN = "SELECT f.*, m.subject, m.envelope FROM forwards f JOIN messages m ON m.id = f.message_id"
_DUE = ", ".join(f"f.{name}" for name in DueForwardRow._fields[:-3])

PER_URL = 4
"""Attempts at one URL at the same time: one that hangs must not take every place."""


def add(cursor: Connection, queued: Sequence[Fields]) -> list[str]:
    """Insert the forwards whose message is not on its way to that URL yet; return their ids."""
    forwarded_pairs = {
        (row[0], row[1])
        for row in cursor.execute(
            "SELECT message_id, url FROM forwards WHERE message_id IN (SELECT unnest(?))",
            [[record["message_id"] for record in queued]],
        ).fetchall()
    }
    fresh = [
        record for record in queued if (record["message_id"], record["url"]) not in forwarded_pairs
    ]
    insert(cursor, "forwards", fresh)
    return [str(record["id"]) for record in fresh]


def list_due(cursor: Connection, now: datetime, limit: int) -> list[DueForwardRow]:
    """Return forwards whose next attempt may start, oldest first, with the size of the message.

    Of one URL no more than `PER_URL` are under way. A row that is `sending` and due has outlived
    its lease: whoever had begun it is gone.
    """
    return records(
        cursor,
        DueForwardRow,
        f"""
        WITH busy AS (
            SELECT url, count(*) AS under_way FROM forwards
            WHERE state = 'sending' AND due_at > ? GROUP BY url
        )
        SELECT {_DUE}, m.envelope, m.raw_sha256, m.size_bytes
        FROM forwards f JOIN messages m ON m.id = f.message_id LEFT JOIN busy ON busy.url = f.url
        WHERE f.state IN ('queued', 'deferred', 'sending') AND f.due_at <= ?
        QUALIFY row_number() OVER (PARTITION BY f.url ORDER BY f.due_at, f.id)
            <= ? - coalesce(busy.under_way, 0)
        ORDER BY f.due_at, f.id LIMIT ?
        """,
        [now, now, PER_URL, limit],
    )


def list_interrupted(cursor: Connection) -> list[str]:
    """Return the ids of forwards that an engine which is gone had begun."""
    rows = cursor.execute("SELECT id FROM forwards WHERE state = 'sending'").fetchall()
    return [str(row[0]) for row in rows]


def read_row(cursor: Connection, forward_id: str) -> ForwardRow:
    """Return one forward's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return one_record(
        cursor,
        ForwardRow,
        f"{_SHOWN} WHERE f.id = ?",
        forward_id,
        f"no message is forwarded under the id {forward_id!r}",
    )


def read_state_before_giving_up(cursor: Connection, forward_id: str) -> str:
    """Return the state that a forward was in when a person gave it up."""
    row = first(
        cursor,
        "SELECT note FROM events WHERE item_kind = 'forward' AND item_id = ? "
        "AND state = 'cancelled' ORDER BY occurred_at DESC LIMIT 1",
        [forward_id],
    )
    return str(row[0]) if row and row[0] else "failed"


def list_page(
    cursor: Connection, *, state: str | None, limit: int, offset: int
) -> RowPage[ForwardRow]:
    """Return one page of the forwards, newest first, and how many there are in all."""
    return record_page(
        cursor,
        ForwardRow,
        f"{_SHOWN} WHERE (? IS NULL OR f.state = ?)",
        order="created_at DESC, id",
        parameters=[state, state],
        limit=limit,
        offset=offset,
    )


class PendingForwards(NamedTuple):
    """How many forwarded messages have not arrived."""

    on_their_way: int
    failed: int


def count_pending(cursor: Connection) -> PendingForwards:
    """Return how many are on their way, and how many have failed."""
    return read_sums(
        cursor,
        PendingForwards,
        "SELECT count(*) FILTER (state IN ('queued', 'sending', 'deferred')) AS on_their_way, "
        "count(*) FILTER (state = 'failed') AS failed FROM forwards",
    )


def change(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of forwards, each given with its `id`, as one batch."""
    update(cursor, "forwards", changed)
