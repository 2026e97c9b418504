"""Where conversations are, and whose they are: what follows from their cases and messages."""

from collections.abc import Sequence

from data.store.core.database import Connection

_STATUS = """
    CASE WHEN waiting THEN 'pending_review' WHEN busy OR unsettled THEN 'open'
         WHEN answered THEN 'resolved' WHEN closed OR kept THEN 'archived' ELSE 'open' END
"""
_FOUND = """
    SELECT t.id AS thread_id, c.assignee,
           coalesce(c.waiting, false) AS waiting, coalesce(c.busy, false) AS busy,
           coalesce(c.answered, false) AS answered, coalesce(c.closed, false) AS closed,
           coalesce(m.unsettled, false) AS unsettled, coalesce(m.kept, false) AS kept
    FROM threads t LEFT JOIN (
        SELECT thread_id,
               bool_or(state IN ('in_review', 'escalated', 'failed')) AS waiting,
               bool_or(state IN ('running', 'approved')) AS busy,
               bool_or(state = 'sent') AS answered, bool_or(state = 'archived') AS closed,
               arg_max_null(assignee, (state IN ('in_review', 'escalated', 'failed'), created_at,
                            id)) AS assignee
        FROM cases WHERE thread_id IN (SELECT unnest($1)) AND state <> 'superseded'
        GROUP BY thread_id
    ) c ON c.thread_id = t.id LEFT JOIN (
        SELECT thread_id,
               bool_or(status IN ('received', 'screening', 'threaded', 'processing', 'classified'))
                   AS unsettled,
               bool_and(status IN ('stored', 'archived', 'rejected')) AS kept
        FROM messages WHERE thread_id IN (SELECT unnest($1)) GROUP BY thread_id
    ) m ON m.thread_id = t.id WHERE t.id IN (SELECT unnest($1))
"""


def settle_threads(cursor: Connection, thread_ids: Sequence[str]) -> None:
    """Bring status and assignee of conversations up to what their cases and messages are.

    What waits for a person comes first, then what is in work; else a conversation is resolved when
    a reply has left, and archived when it was closed without one or holds only what is kept. It is
    with whom its newest case is, those that wait first.
    """
    if not thread_ids:
        return
    cursor.execute(
        f"UPDATE threads SET status = found.status, assignee = found.assignee FROM "
        f"(SELECT thread_id, assignee, {_STATUS} AS status FROM ({_FOUND})) found "
        "WHERE threads.id = found.thread_id AND (threads.status <> found.status "
        "OR threads.assignee IS DISTINCT FROM found.assignee)",
        [list(thread_ids)],
    )


def settle_threads_of_cases(cursor: Connection, case_ids: Sequence[str]) -> None:
    """Do the same for the conversations of these cases."""
    _of(cursor, "cases", case_ids)


def settle_threads_of_messages(cursor: Connection, message_ids: Sequence[str]) -> None:
    """Do the same for the conversations of these messages."""
    _of(cursor, "messages", message_ids)


def _of(cursor: Connection, table: str, ids: Sequence[str]) -> None:
    if ids:
        rows = cursor.execute(
            f"SELECT DISTINCT thread_id FROM {table} "
            "WHERE id IN (SELECT unnest(?)) AND thread_id IS NOT NULL",
            [list(ids)],
        ).fetchall()
        settle_threads(cursor, [str(row[0]) for row in rows])
