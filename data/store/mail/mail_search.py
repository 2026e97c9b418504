"""Searching mail: what the full-text index still lacks, and which messages a search means.

A message is noted here in the transaction that read it, with its document soon after, and goes from
here when the index holds it. A search looks into both, so that mail is found as soon as it is read.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow as pa

from data.records.core.search import SearchCondition, SearchQuery, SearchTerm
from data.store.core.database import Connection
from data.store.core.statements import columns, insert, read_sums, records


class UnwrittenRow(NamedTuple):
    """A message whose document is not written yet."""

    id: str
    noted_at: datetime
    mail_from: str
    rcpt_to: list[str]
    sender_email: str
    sender_name: str
    reading: str | None
    """As JSON; None where the message could not be read."""


class WrittenRow(NamedTuple):
    """A document that waits for the index."""

    item_id: str
    noted_at: datetime
    document: str


NO_FILTERS: Mapping[str, str] = {}
"""What narrows a list beside a search: category, priority, assignee; here nothing does."""
_FOUND = "found_mail"


def note(cursor: Connection, ids: Collection[str], now: datetime) -> None:
    """Note that the index has to hold these messages as they are now read."""
    if not ids:
        return
    forget(cursor, ids)
    insert(cursor, "mail_to_index", [{"item_id": item, "noted_at": now} for item in ids])


def forget(cursor: Connection, ids: Collection[str]) -> None:
    """Note that the index need not hold these messages."""
    cursor.execute(
        "DELETE FROM mail_to_index WHERE item_id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)]
    )


def list_unwritten(cursor: Connection, limit: int) -> list[UnwrittenRow]:
    """Return messages whose documents are not written yet, oldest first."""
    return records(
        cursor,
        UnwrittenRow,
        "SELECT m.id, w.noted_at, m.mail_from, m.rcpt_to, m.sender_email, m.sender_name, "
        "s.output AS reading FROM (SELECT * FROM mail_to_index WHERE document = '' "
        "ORDER BY noted_at, item_id LIMIT ?) w JOIN messages m ON m.id = w.item_id "
        "LEFT JOIN steps s ON s.item_id = m.id AND s.stage = 'parse' AND s.status = 'done' "
        "AND NOT s.superseded",
        [limit],
    )


def write(cursor: Connection, documents: Sequence[tuple[str, datetime, str]]) -> None:
    """Keep the documents of messages, given with when each was noted."""
    rows = cursor.execute(
        "DELETE FROM mail_to_index WHERE document = '' AND (item_id, noted_at) IN "
        "(SELECT unnest(?::VARCHAR[]), unnest(?::TIMESTAMPTZ[])) RETURNING item_id",
        [[item for item, _, _ in documents], [at for _, at, _ in documents]],
    ).fetchall()
    # What was noted anew meanwhile, or erased, is left alone.
    still = {str(row[0]) for row in rows}
    written = [
        {"item_id": item, "noted_at": at, "document": text}
        for item, at, text in documents
        if item in still
    ]
    insert(cursor, "mail_to_index", written)


class WaitingDocuments(NamedTuple):
    """How many messages wait to be found by a search."""

    unwritten: int
    """Their documents have still to be written."""
    written: int
    """Their documents wait for the index."""


def count_waiting(cursor: Connection) -> WaitingDocuments:
    """Return how many documents have still to be written, and how many wait for the index."""
    return read_sums(
        cursor,
        WaitingDocuments,
        "SELECT count(*) FILTER (document = '') AS unwritten, "
        "count(*) FILTER (document <> '') AS written FROM mail_to_index",
    )


def list_written(cursor: Connection, limit: int) -> list[WrittenRow]:
    """Return the oldest documents that wait for the index, in no order.

    Only the times are sorted: with the documents beside them, 200,000 need more memory than the
    database may take.
    """
    return records(
        cursor,
        WrittenRow,
        f"SELECT {columns(WrittenRow)} FROM mail_to_index WHERE rowid IN "
        "(SELECT rowid FROM mail_to_index WHERE document <> '' ORDER BY noted_at, item_id LIMIT ?)",
        [limit],
    )


def note_indexed(cursor: Connection, noted: Sequence[tuple[str, datetime]]) -> None:
    """Note that the index holds these messages as they were noted at those times."""
    cursor.execute(
        "DELETE FROM mail_to_index WHERE document <> '' AND (item_id, noted_at) IN "
        "(SELECT unnest(?::VARCHAR[]), unnest(?::TIMESTAMPTZ[]))",
        [[item for item, _ in noted], [at for _, at in noted]],
    )


def list_noted(cursor: Connection) -> set[str]:
    """Return the messages that are noted here."""
    rows = cursor.execute("SELECT item_id FROM mail_to_index").fetchall()
    return {str(row[0]) for row in rows}


def list_searchable(cursor: Connection, since: datetime | None) -> set[str]:
    """Return the messages that a search has to find, of those that came since then.

    Words of a message whose raw form retention has removed are found no more.
    """
    rows = cursor.execute(
        "SELECT id FROM messages WHERE status <> 'received' AND duplicate_of IS NULL "
        "AND NOT raw_removed AND (? IS NULL OR received_at >= ?)",
        [since, since],
    ).fetchall()
    return {str(row[0]) for row in rows}


def list_unindexed_holding(cursor: Connection, terms: Sequence[SearchTerm]) -> set[str]:
    """Return which of the messages that the index lacks hold the terms."""
    where, values = ["document <> ''"], []
    for term in terms:
        any_token = " OR ".join(["contains(document, ?)"] * len(term.alternatives))
        where.append(f"{'NOT ' if term.excluded else ''}({any_token})")
        values += [f" {' '.join(tokens)} " for tokens in term.alternatives]
    rows = cursor.execute(
        f"SELECT item_id FROM mail_to_index WHERE {' AND '.join(where)}", values
    ).fetchall()
    return {str(row[0]) for row in rows}


def narrow_query(
    cursor: Connection, query: SearchQuery, ids: Collection[str]
) -> tuple[str, list[Any]]:
    """Return a condition on the table `messages` for what a search means, and its values.

    Args:
        cursor: the cursor that the condition is for; it holds `ids` from now on.
        query: what was asked for.
        ids: the messages that hold the query's words, where it has any; an Arrow array, or few.

    """
    where, where_values = ["true"], []
    if query.terms:
        ids_array = ids if isinstance(ids, pa.Array) else pa.array(list(ids), pa.string())
        cursor.register(_FOUND, pa.table({"id": ids_array}))
        where.append(f"id IN (SELECT id FROM {_FOUND})")
    for condition in query.conditions:
        clause, values = _build_condition(condition)
        where.append(f"NOT coalesce({clause}, false)" if condition.excluded else clause)
        where_values += values
    return " AND ".join(f"({clause_text})" for clause_text in where), where_values


def _build_condition(condition: SearchCondition) -> tuple[str, list[Any]]:
    value = condition.value
    if condition.field == "before":
        return "received_at < ?", [condition.at]
    if condition.field == "after":
        return "received_at >= ?", [condition.at]
    if condition.field == "has":
        return "attachments > 0", []
    if condition.field == "tag":
        tagged = "thread_id IN (SELECT thread_id FROM thread_tags WHERE lower(tag) = ?)"
        return tagged, [value]
    if value in ("clean", "flagged"):
        return "verdict = ?", [value]
    if value == "automated":
        return "automated_kind <> 'none'", []
    if value == "urgent":
        return "urgent OR case_id IN (SELECT id FROM cases WHERE priority = 'urgent')", []
    return (
        "status = ? OR case_id IN (SELECT id FROM cases WHERE state = ?) "
        "OR thread_id IN (SELECT id FROM threads WHERE status = ?)",
        [value] * 3,
    )
