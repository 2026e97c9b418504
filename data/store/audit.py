"""What people did, as a chain: each event's hash covers the one before it."""

import hashlib
import json
from datetime import datetime

from data.store.database import Connection, first, rows


def append(
    cursor: Connection, *, actor: str, action: str, subject: str, detail: str, now: datetime
) -> None:
    """Write one event in the transaction of the action itself."""
    last = first(cursor, "SELECT sequence, hash FROM audit_events ORDER BY sequence DESC LIMIT 1")
    sequence, previous = (int(last[0]) + 1, str(last[1])) if last else (1, "")
    digest = _hash(sequence, now, actor, action, subject, detail, previous)
    cursor.execute(
        "INSERT INTO audit_events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [sequence, now, actor, action, subject, detail, previous, digest],
    )


def broken_at(cursor: Connection) -> int | None:
    """Return the sequence of the first event that does not fit the chain, or None."""
    previous, expected = "", 1
    for row in rows(cursor, "SELECT * FROM audit_events ORDER BY sequence"):
        digest = _hash(
            row["sequence"],
            row["occurred_at"],
            row["actor"],
            row["action"],
            row["subject"],
            row["detail"],
            previous,
        )
        if row["sequence"] != expected or row["hash"] != digest:
            return int(row["sequence"])
        previous, expected = digest, expected + 1
    return None


def _hash(
    sequence: int,
    at: datetime,
    actor: str,
    action: str,
    subject: str,
    detail: str,
    previous: str,
) -> str:
    content = [sequence, int(at.timestamp() * 1_000_000), actor, action, subject, detail]
    canonical = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256((previous + canonical).encode()).hexdigest()
