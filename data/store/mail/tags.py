"""Tags of conversations, for filters."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import insert, records


def add(cursor: Connection, pairs: Iterable[tuple[str, str]], actor: str, now: datetime) -> None:
    """Give conversations their tags: pairs of thread and tag; one that is there stays as it is."""
    pairs_wanted = dict.fromkeys(pairs)
    pairs_known = set(
        cursor.execute(
            "SELECT thread_id, tag FROM thread_tags WHERE thread_id IN (SELECT unnest(?))",
            [[thread for thread, _ in pairs_wanted]],
        ).fetchall()
    )
    fresh = [pair for pair in pairs_wanted if pair not in pairs_known]
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
    rows = cursor.execute(
        "DELETE FROM thread_tags WHERE thread_id = ? AND tag = ? RETURNING tag", [thread_id, tag]
    ).fetchall()
    return bool(rows)


def carry(cursor: Connection, source: str, target: str) -> dict[str, list[str]]:
    """Give a conversation the tags of another, which loses them.

    Returns:
        The `tags` that went along, and those of them that were `added`, new there.

    """
    target_tags, carried = list_of_thread(cursor, target), list_of_thread(cursor, source)
    added = [tag for tag in carried if tag not in target_tags]
    cursor.execute(
        "DELETE FROM thread_tags WHERE thread_id = ? AND tag NOT IN (SELECT unnest(?::VARCHAR[]))",
        [source, added],
    )
    cursor.execute("UPDATE thread_tags SET thread_id = ? WHERE thread_id = ?", [target, source])
    return {"tags": list(carried), "added": added}


def give_back(
    cursor: Connection, target: str, source: str, moved: Mapping[str, Sequence[str]], now: datetime
) -> None:
    """Undo `carry`: what was added goes back, and what both had, both have again.

    A tag that was taken away since stays away.
    """
    still = set(list_of_thread(cursor, target))
    cursor.execute(
        "UPDATE thread_tags SET thread_id = ? WHERE thread_id = ? "
        "AND tag IN (SELECT unnest(?::VARCHAR[]))",
        [source, target, list(moved.get("added", ()))],
    )
    shared = set(moved.get("tags", ())) - set(moved.get("added", ()))
    add(cursor, [(source, tag) for tag in sorted(shared & still)], "undo", now)


def list_of_thread(cursor: Connection, thread_id: str) -> tuple[str, ...]:
    """Return a conversation's tags in alphabetical order."""
    rows = cursor.execute("SELECT tag FROM thread_tags WHERE thread_id = ?", [thread_id]).fetchall()
    return tuple(sorted({str(row[0]) for row in rows}))


def list_of_threads(cursor: Connection, thread_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of conversations, each in alphabetical order; none for those without."""
    listed = cursor.execute(
        "SELECT thread_id, list_sort(list_distinct(list(tag))) FROM thread_tags "
        "WHERE thread_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY thread_id",
        [list(thread_ids)],
    ).fetchall()
    return {str(thread): tuple(tags) for thread, tags in listed}


class TagCountRow(NamedTuple):
    """How many conversations bear a tag."""

    tag: str
    threads: int


def count_tags(cursor: Connection) -> list[TagCountRow]:
    """Return every tag with the number of conversations that bear it, most used first."""
    return records(
        cursor,
        TagCountRow,
        "SELECT tag, count(DISTINCT thread_id) AS threads FROM thread_tags GROUP BY tag "
        "ORDER BY threads DESC, tag",
    )
