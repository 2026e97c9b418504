"""Conversations: looking for the right one, and what was said in it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from data.records.core.search import EVERYTHING, SearchQuery
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.statements import Fields, RowPage, insert, records, table_page, update
from data.store.mail.mail_search import NO_FILTERS, narrow_query


class ThreadRow(NamedTuple):
    """A conversation."""

    id: str
    subject: str
    normalized_subject: str
    contact_id: str
    contact_email: str
    contact_name: str
    participants: list[str]
    status: str
    assignee: str | None
    linked_to: str | None
    """Another conversation that it refers to without having a part in it."""
    message_count: int
    last_message_at: datetime
    merged_into: str | None
    arranged: bool
    """Whether a person has merged or split it."""


class SaidRow(NamedTuple):
    """Something that was said in a conversation, one way or the other."""

    kind: str
    """`message`, `delivery` or `history`."""
    ref: str
    thread_id: str | None
    contact_email: str
    outbound: bool
    occurred_at: datetime
    subject: str
    body: str | None
    """Its text; of a message its reading as JSON."""
    message_id: str | None
    case_id: str | None
    state: str
    people: list[str]
    """Whom it was addressed to, lower-case."""
    proven: bool
    """Whether nothing shows that another wrote it."""


class LinkRow(NamedTuple):
    """Two conversations of which the first refers to the other."""

    thread_id: str
    other_id: str


def find_current(cursor: Connection, ids: Collection[str]) -> dict[str, str]:
    """Return the conversation that each of these has become part of, or itself."""
    rows = cursor.execute(
        """
        WITH RECURSIVE chain(id, now_id) AS (
            SELECT DISTINCT unnest(?::VARCHAR[]), NULL::VARCHAR
            UNION
            SELECT chain.id, t.merged_into FROM chain
            JOIN threads t ON t.id = coalesce(chain.now_id, chain.id)
            WHERE t.merged_into IS NOT NULL
        )
        SELECT chain.id, chain.now_id FROM chain
        LEFT JOIN threads t ON t.id = chain.now_id
        WHERE chain.now_id IS NOT NULL AND t.merged_into IS NULL
        """,
        [list(ids)],
    ).fetchall()
    return {thread_id: thread_id for thread_id in ids} | {
        str(thread_id): str(now) for thread_id, now in rows
    }


def list_arranged(cursor: Connection, ids: Collection[str]) -> set[str]:
    """Return those of the conversations that a person has arranged."""
    rows = cursor.execute(
        "SELECT id FROM threads WHERE arranged AND id IN (SELECT unnest(?))", [list(ids)]
    ).fetchall()
    return {str(row[0]) for row in rows}


def list_own_ids(cursor: Connection, ids: Collection[str]) -> set[str]:
    """Return those of the Message-IDs that are ours."""
    rows = cursor.execute(
        "SELECT message_id FROM own_message_ids WHERE message_id IN (SELECT unnest(?))",
        [list(ids)],
    ).fetchall()
    return {str(row[0]) for row in rows}


def read_row(cursor: Connection, thread_id: str) -> ThreadRow | None:
    """Return one thread's row, or that of the one it has become part of; None without any."""
    now = find_current(cursor, [thread_id])[thread_id]
    listed = records(cursor, ThreadRow, "SELECT * FROM threads WHERE id = ?", [now])
    return next(iter(listed), None)


class ThreadLinks(NamedTuple):
    """The threads that one refers to, and the others that refer to it, the newest first."""

    refers_to: list[ThreadRow]
    referred_by: list[ThreadRow]


def list_links(cursor: Connection, row: ThreadRow) -> ThreadLinks:
    """Return the threads that this one refers to, and the others that refer to it, newest first.

    What was merged refers, and is referred to, as what it has become part of.
    """
    here = [row.id, *_list_parts(cursor, row.id)]
    link_rows = records(
        cursor,
        LinkRow,
        "SELECT thread_id, other_id FROM thread_links "
        "WHERE thread_id IN (SELECT unnest(?)) OR other_id IN (SELECT unnest(?))",
        [here, here],
    )
    if not link_rows:
        return ThreadLinks([], [])
    now = find_current(cursor, {thread_id for pair in link_rows for thread_id in pair})
    to = {now[pair.other_id] for pair in link_rows if pair.thread_id in here} - {row.id}
    by = {now[pair.thread_id] for pair in link_rows if pair.other_id in here} - {row.id} - to
    newest = records(
        cursor,
        ThreadRow,
        "SELECT * FROM threads WHERE id IN (SELECT unnest(?)) ORDER BY last_message_at DESC, id",
        [sorted(to | by)],
    )
    return ThreadLinks(
        refers_to=[thread_row for thread_row in newest if thread_row.id in to],
        referred_by=[thread_row for thread_row in newest if thread_row.id in by],
    )


def _list_parts(cursor: Connection, thread_id: str) -> list[str]:
    """Return the conversations that have become part of this one."""
    rows = cursor.execute(
        """
        WITH RECURSIVE parts(id) AS (
            SELECT id FROM threads WHERE merged_into = ?
            UNION SELECT t.id FROM threads t JOIN parts ON t.merged_into = parts.id
        )
        SELECT id FROM parts
        """,
        [thread_id],
    ).fetchall()
    return [str(row[0]) for row in rows]


def add_links(cursor: Connection, pairs: Collection[tuple[str, str]]) -> None:
    """Note what conversations refer to; a pair that is noted, either way, stays as it is."""
    distinct_pairs = dict.fromkeys((one, other) for one, other in pairs if one != other)
    if not distinct_pairs:
        return
    ids = sorted({either_thread for pair in distinct_pairs for either_thread in pair})
    linked: set[tuple[str, str]] = set(
        records(
            cursor,
            LinkRow,
            "SELECT thread_id, other_id FROM thread_links "
            "WHERE thread_id IN (SELECT unnest(?)) AND other_id IN (SELECT unnest(?))",
            [ids, ids],
        )
    )
    fresh: list[LinkRow] = []
    for pair in map(LinkRow._make, distinct_pairs):
        if pair not in linked and pair[::-1] not in linked:
            linked.add(pair)
            fresh.append(pair)
    insert(cursor, "thread_links", [pair._asdict() for pair in fresh])
    firsts: dict[str, str] = {}
    for thread_id, other in distinct_pairs:
        firsts.setdefault(thread_id, other)
    changed = [{"id": one, "linked_to": other} for one, other in firsts.items()]
    update(cursor, "threads", changed, only="threads.linked_to IS NULL")


def list_page(
    cursor: Connection,
    *,
    status: str | None,
    limit: int,
    offset: int,
    search: SearchQuery = EVERYTHING,
    found: Collection[str] = (),
    tag: str = "",
    filters: Mapping[str, str] = NO_FILTERS,
) -> RowPage[ThreadRow]:
    """Return one page of the conversations, newest first, and how many there are in all.

    Args:
        cursor: a reading cursor.
        status: conversations of this status only; None for all.
        search: what a person looks for in a conversation's messages.
        found: the messages that hold the words of the search.
        limit: most rows.
        offset: rows to skip.
        tag: conversations that bear it only.
        filters: assignee; and category and priority, one of whose cases has to have them.

    """
    where = "true"
    values: list[Any] = []
    if search.asks:
        meant, values = narrow_query(cursor, search, found)
        # Conversations from before Postern have no messages of ours to be found by.
        where = (
            f"(id IN (SELECT thread_id FROM messages WHERE {meant}) OR (id NOT IN "
            "(SELECT thread_id FROM messages WHERE thread_id IS NOT NULL) AND "
            "contains(lower(concat_ws(' ', subject, contact_email, contact_name)), ?)))"
        )
        values.append(search.typed)
    for name in ("category", "priority"):
        if filters.get(name):
            where += f" AND id IN (SELECT thread_id FROM cases WHERE {name} = ?)"
            values.append(filters[name])
    if filters.get("assignee"):
        where += " AND assignee = ?"
        values.append(filters["assignee"])
    return table_page(
        cursor,
        ThreadRow,
        "threads",
        "merged_into IS NULL AND (? IS NULL OR status = ?) AND "
        f"(? = '' OR id IN (SELECT thread_id FROM thread_tags WHERE tag = ?)) AND {where}",
        order="last_message_at DESC, id",
        parameters=[status, status, tag, tag, *values],
        limit=limit,
        offset=offset,
    )


def find_newest(cursor: Connection, address: str) -> ThreadRow | None:
    """Return the conversation with a contact that somebody wrote in last; None without any."""
    rows = records(
        cursor,
        ThreadRow,
        "SELECT * FROM threads WHERE merged_into IS NULL AND contact_email = ? "
        "ORDER BY last_message_at DESC, id LIMIT 1",
        [address],
    )
    return rows[0] if rows else None


def list_earlier(
    cursor: Connection, thread_ids: Sequence[str], emails: Sequence[str], per_contact: int
) -> list[SaidRow]:
    """Return what was said in these threads and with these contacts, both ways, newest first.

    What the screen has not let through is not among them, nor what has not left.
    """
    earlier_rows = records(
        cursor,
        SaidRow,
        """
        SELECT * FROM (
            SELECT 'message' AS kind, m.id AS ref, m.thread_id, p.email AS contact_email,
                   false AS outbound, m.received_at AS occurred_at, m.subject,
                   NULL AS body, m.message_id, m.case_id, m.status AS state,
                   coalesce(l.people, []) AS people, coalesce(l.trusted, false) AS proven
            FROM messages m JOIN contacts p ON p.id = m.contact_id
                 LEFT JOIN letterheads l ON l.item_id = m.id
                 JOIN steps s ON s.item_id = m.id AND s.stage = 'parse'
                 AND s.status = 'done' AND NOT s.superseded
            WHERE m.status NOT IN ('received', 'screening', 'quarantined', 'rejected')
              AND (m.thread_id IN (SELECT unnest($1)) OR p.email IN (SELECT unnest($2)))
            UNION ALL
            SELECT 'delivery', d.id, c.thread_id, c.contact_email, true,
                   coalesce(d.sent_at, d.created_at), d.subject, d.body, d.message_id, d.case_id,
                   d.state, list_transform(d.rcpt_to, lambda one: lower(one)), true
            FROM deliveries d JOIN cases c ON c.id = d.case_id
            WHERE d.state IN ('sending', 'dot_sent', 'sent', 'unknown') AND d.purpose = 'reply'
              AND (c.thread_id IN (SELECT unnest($1)) OR c.contact_email IN (SELECT unnest($2)))
            UNION ALL
            SELECT 'history', h.ref, h.thread_id, h.contact_email, h.outbound, h.occurred_at,
                   h.subject, h.body, h.message_id, NULL, '', [lower(h.contact_email)],
                   true
            FROM history h
            WHERE h.thread_id IN (SELECT unnest($1)) OR h.contact_email IN (SELECT unnest($2))
        )
        QUALIFY row_number() OVER (PARTITION BY contact_email ORDER BY occurred_at DESC) <= $3
             OR thread_id IN (SELECT unnest($1))
        ORDER BY occurred_at DESC
        """,
        [list(thread_ids), list(emails), per_contact],
    )
    # The texts are read for what is wanted alone: they are most of the largest table.
    message_refs = [row.ref for row in earlier_rows if row.kind == "message"]
    readings = journal.read_results(cursor, "parse", message_refs) if message_refs else {}
    as_read = [row._replace(body=readings.get(row.ref, row.body)) for row in earlier_rows]
    return [row for row in as_read if row.body is not None]


def add(cursor: Connection, fresh: Sequence[Fields]) -> None:
    """Insert new conversations, as one batch."""
    insert(cursor, "threads", fresh)


def change(cursor: Connection, changed: Sequence[Fields]) -> None:
    """Set fields of conversations, each given with its `id`, as one batch."""
    update(cursor, "threads", changed)


def find_known(cursor: Connection, ids: Collection[str]) -> set[str]:
    """Return those of the conversations that there are."""
    rows = cursor.execute(
        "SELECT id FROM threads WHERE id IN (SELECT unnest(?))", [sorted(ids)]
    ).fetchall()
    return {str(row[0]) for row in rows}
