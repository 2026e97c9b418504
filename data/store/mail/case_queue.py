"""The review queue: the cases that wait for a person, and with whom they are."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from data.records.core.search import EVERYTHING, SearchQuery
from data.store.core.database import Connection
from data.store.core.statements import RowPage, records, table_page
from data.store.mail.cases import QUEUE_STATES, CaseRow
from data.store.mail.mail_search import narrow_query
from data.store.mail.service_targets import NEAREST_FIRST
from data.store.mail.snoozes import SNOOZED

_LONGEST_FIRST = "(priority = 'urgent') DESC NULLS LAST, received_at, id"


class Whose(NamedTuple):
    """With whom cases are, seen from one person."""

    email: str
    """The person's address, in lower case; empty where nobody knows one, who has no case then."""
    mine: bool
    """Whether those are meant that are with that person, or those with others."""


class QueueCounts(NamedTuple):
    """How many cases of the queue there are, by with whom they are."""

    all: int
    mine: int
    others: int
    unassigned: int
    handed: int
    """With anybody, whom a person or the line chose."""
    failed: int
    snoozed: int


_WITH_SOMEBODY = "(state = 'escalated' OR assignee IS NOT NULL)"
_MINE = "(assignee = ?)"
_WITH_OTHERS = "(assignee <> ?)"


def count_cases(cursor: Connection, email: str) -> QueueCounts:
    """Count the cases of the queue, seen by the person of that address."""
    count_rows = records(
        cursor,
        QueueCounts,
        f'SELECT count(*) FILTER (NOT put_off) AS "all", '
        "count(*) FILTER (NOT put_off AND assignee = ?) AS mine, "
        "count(*) FILTER (NOT put_off AND assignee <> ?) AS others, "
        f"count(*) FILTER (NOT put_off AND NOT {_WITH_SOMEBODY}) AS unassigned, "
        f"count(*) FILTER (NOT put_off AND {_WITH_SOMEBODY}) AS handed, "
        "count(*) FILTER (NOT put_off AND state = 'failed') AS failed, "
        "count(*) FILTER (put_off) AS snoozed "
        f"FROM (SELECT state, assignee, {SNOOZED} AS put_off FROM cases "
        "WHERE state IN (SELECT unnest(?)))",
        [email, email, list(QUEUE_STATES)],
    )
    return count_rows[0]


def list_assignees(cursor: Connection, states: Sequence[str]) -> list[str]:
    """Return with whom cases of these states lie, each once."""
    assignees = cursor.execute(
        "SELECT DISTINCT assignee FROM cases WHERE state IN (SELECT unnest(?)) "
        "AND assignee IS NOT NULL ORDER BY assignee",
        [list(states)],
    ).fetchall()
    return [str(assignee) for (assignee,) in assignees]


def list_page(
    cursor: Connection,
    *,
    states: Sequence[str],
    filters: dict[str, str],
    limit: int,
    offset: int,
    handed: bool | None = None,
    whose: Whose | None = None,
    snoozed: bool = False,
    by_target: bool = False,
    search: SearchQuery = EVERYTHING,
    with_words: Collection[str] = (),
) -> RowPage[CaseRow]:
    """Return one page of the review queue and how many cases match.

    Order: urgent first, then who has waited longest; by targets before that where it is asked for.

    Args:
        cursor: a reading cursor.
        states: case states to show.
        filters: exact values by column: category, priority, assignee, language, verdict; and a
            `tag` of the conversation.
        by_target: whether those come first that are past their service target, or near to it.
        snoozed: whether those are meant that are put off, or all others.
        search: what a person looks for in the cases' messages.
        with_words: the messages that hold the words of the search.
        limit: most rows.
        offset: rows to skip.
        handed: whether they are with somebody: handed over, or given to a person; None for all.
        whose: whether they are with the person of an address, or with somebody else; None for all.

    """
    where = ["state IN (SELECT unnest(?))", SNOOZED if snoozed else f"NOT {SNOOZED}"]
    parameters: list[Any] = [list(states)]
    for column in ("category", "priority", "assignee", "language", "verdict"):
        if filters.get(column):
            where.append(f"{column} = ?")
            parameters.append(filters[column])
    if filters.get("tag"):
        where.append("thread_id IN (SELECT thread_id FROM thread_tags WHERE tag = ?)")
        parameters.append(filters["tag"])
    if handed is not None:
        where.append(_WITH_SOMEBODY if handed else f"NOT {_WITH_SOMEBODY}")
    if whose is not None:
        where.append(_MINE if whose.mine else _WITH_OTHERS)
        parameters.append(whose.email)
    if search.asks:
        meant, values = narrow_query(cursor, search, with_words)
        where.append(
            "id IN (SELECT c.id FROM (SELECT id, unnest(message_ids) AS message FROM cases) c "
            f"WHERE c.message IN (SELECT id FROM messages WHERE {meant}))"
        )
        parameters += values
    return table_page(
        cursor,
        CaseRow,
        "cases",
        " AND ".join(where),  # columns are ours
        order=f"{NEAREST_FIRST}, {_LONGEST_FIRST}" if by_target else _LONGEST_FIRST,
        parameters=parameters,
        limit=limit,
        offset=offset,
    )
