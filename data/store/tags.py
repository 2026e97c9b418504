"""Tags of conversations, for filters."""

from collections.abc import Iterable
from datetime import datetime

from data.store.database import Connection, insert


def add(cursor: Connection, pairs: Iterable[tuple[str, str]], actor: str, now: datetime) -> None:
    """Give conversations their tags: pairs of thread and tag; one that is there stays as it is."""
    wanted = dict.fromkeys(pairs)
    known = set(
        cursor.execute(
            "SELECT thread_id, tag FROM thread_tags WHERE thread_id IN (SELECT unnest(?))",
            [[thread for thread, _ in wanted]],
        ).fetchall()
    )
    fresh = [pair for pair in wanted if pair not in known]
    insert(
        cursor,
        "thread_tags",
        [
            {"thread_id": thread, "tag": tag, "added_by": actor, "added_at": now}
            for thread, tag in fresh
        ],
    )


def remove(cursor: Connection, thread_id: str, tag: str) -> bool:
    """Take a tag away; return whether it was there."""
    found = cursor.execute(
        "DELETE FROM thread_tags WHERE thread_id = ? AND tag = ? RETURNING tag", [thread_id, tag]
    ).fetchall()
    return bool(found)


def of_thread(cursor: Connection, thread_id: str) -> tuple[str, ...]:
    """Return a conversation's tags in alphabetical order."""
    found = cursor.execute(
        "SELECT DISTINCT tag FROM thread_tags WHERE thread_id = ? ORDER BY tag", [thread_id]
    ).fetchall()
    return tuple(str(row[0]) for row in found)


def counts(cursor: Connection) -> list[tuple[str, int]]:
    """Return every tag with the number of conversations that bear it, most used first."""
    found = cursor.execute(
        "SELECT tag, count(DISTINCT thread_id) AS many FROM thread_tags GROUP BY tag "
        "ORDER BY many DESC, tag"
    ).fetchall()
    return [(str(tag), int(many)) for tag, many in found]
