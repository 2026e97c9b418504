"""Which conversations a case is of: its own, and those of every message that it answers.

A burst gathers what one contact writes, in several conversations perhaps, and is one case. Whatever
asks for the cases of a conversation, or for the mail of a case's conversations, asks here.
"""

from collections.abc import Sequence

from data.store.core.database import Connection


def with_threads(condition: str) -> str:
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


def threads_of(cursor: Connection, case_ids: Sequence[str]) -> dict[str, set[str]]:
    """Return the conversations of these cases, by case."""
    rows = cursor.execute(
        f"WITH {with_threads('id IN (SELECT unnest(?))')} SELECT * FROM case_threads",
        [list(case_ids)],
    ).fetchall()
    threads_by_case: dict[str, set[str]] = {}
    for case, thread in rows:
        threads_by_case.setdefault(str(case), set()).add(str(thread))
    return threads_by_case
