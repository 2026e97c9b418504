"""Conversations of a case: its own, and those of every message that it answers.

A burst gathers what one contact writes, in several conversations perhaps, and is one case. Whatever
asks for the cases of a conversation, or for the mail of a case's conversations, asks here.
"""

from collections.abc import Collection, Sequence

from data.store.core.database import Connection


def build_thread_tables(condition: str) -> str:
    """Return the tables `chosen` and `case_threads`, for a statement that begins `WITH`.

    `chosen` has the cases to which a condition on `cases` applies, `case_threads` each of them
    (`case_id`) with each of its conversations (`thread_id`).
    """
    return (
        f"chosen AS (SELECT id, thread_id, message_ids FROM cases WHERE {condition}), "
        "case_threads AS (SELECT id AS case_id, thread_id FROM chosen "
        "UNION SELECT c.id, m.thread_id FROM "
        "(SELECT id, unnest(message_ids) AS item FROM chosen) c "
        "JOIN messages m ON m.id = c.item WHERE m.thread_id IS NOT NULL)"
    )


def list_case_threads(cursor: Connection, case_ids: Sequence[str]) -> dict[str, set[str]]:
    """Return the conversations of these cases, by case."""
    rows = cursor.execute(
        f"WITH {build_thread_tables('id IN (SELECT unnest(?))')} SELECT * FROM case_threads",
        [list(case_ids)],
    ).fetchall()
    threads_by_case: dict[str, set[str]] = {}
    for case, thread in rows:
        threads_by_case.setdefault(str(case), set()).add(str(thread))
    return threads_by_case


def list_cases_in(cursor: Connection, condition: str, threads: Collection[str]) -> list[str]:
    """Return the cases of these conversations to which a condition on `cases` applies, by id."""
    rows = cursor.execute(
        f"WITH chosen AS (SELECT id, thread_id, message_ids FROM cases WHERE {condition}), "
        "wanted AS (SELECT unnest(?::VARCHAR[]) AS thread_id) "
        "SELECT id FROM chosen WHERE thread_id IN (FROM wanted) "
        "UNION SELECT id FROM (SELECT id, unnest(message_ids) AS item FROM chosen) WHERE item IN "
        "(SELECT id FROM messages WHERE thread_id IN (FROM wanted)) ORDER BY id",
        [sorted(threads)],
    ).fetchall()
    return [str(row[0]) for row in rows]


def list_cases_met_by(cursor: Connection, condition: str, message_ids: Sequence[str]) -> list[str]:
    """Return the cases to which a condition applies in the conversations of these messages."""
    rows = cursor.execute(
        "SELECT DISTINCT thread_id FROM messages "
        "WHERE id IN (SELECT unnest(?)) AND thread_id IS NOT NULL",
        [list(message_ids)],
    ).fetchall()
    return list_cases_in(cursor, condition, [str(row[0]) for row in rows]) if rows else []
