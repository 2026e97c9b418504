"""The ids of requests to the webhook that were taken: a repeat is known by them for a day."""

from datetime import datetime

from data.store.core.database import Connection
from data.store.core.statements import first


def has_id(cursor: Connection, webhook_id: str) -> bool:
    """Whether a request of this id was taken."""
    statement = "SELECT 1 FROM webhook_ids WHERE webhook_id = ?"
    return first(cursor, statement, [webhook_id]) is not None


def note(cursor: Connection, webhook_id: str, now: datetime) -> None:
    """Note that a request was taken."""
    cursor.execute("INSERT INTO webhook_ids VALUES (?, ?)", [webhook_id, now])


def forget(cursor: Connection, before: datetime) -> None:
    """Forget the requests that were taken before then."""
    cursor.execute("DELETE FROM webhook_ids WHERE seen_at < ?", [before])
