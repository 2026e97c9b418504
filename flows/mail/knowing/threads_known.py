"""The conversations that a batch may tie with, read in a few queries, whatever its size."""

from collections.abc import Sequence
from datetime import timedelta

from data.store.core.database import Connection
from data.store.mail import letterheads, threads
from data.store.mail.letterheads import HeadRow, NamingRow
from tasks.mail.thread.conversation_ties import Letterhead
from tasks.mail.thread.thread_book import SubjectSpan, ThreadBook


def book_for(cursor: Connection, heads: Sequence[Letterhead], days: float) -> ThreadBook:
    """Return the book of all conversations that these messages may tie with."""
    mine = {head.item for head in heads}
    own_ids = {head.message_id for head in heads if head.message_id}
    message_ids = {named_id for head in heads for named_id in head.named}
    senders = sorted({head.sender for head in heads if head.sender})
    holders = [
        (_letterhead(row), row.thread_id)
        for row in letterheads.list_holders(cursor, sorted(own_ids | message_ids))
        if row.item_id not in mine and row.thread_id
    ]
    holders += [
        (_letterhead(row).model_copy(update={"named": (row.named,)}), row.thread_id)
        for row in letterheads.list_namers(cursor, sorted(own_ids))
        if row.item_id not in mine and row.thread_id
    ]
    siblings: dict[tuple[str, str], set[str]] = {}
    for message_id, sender, thread in letterheads.list_siblings(
        cursor, sorted(message_ids), senders
    ):
        siblings.setdefault((message_id, sender), set()).add(thread)
    spans = _spans(cursor, heads, days)
    touched = {thread for _, thread in holders} | {span.thread_id for span in spans}
    touched |= {thread for sibling in siblings.values() for thread in sibling}
    return ThreadBook(
        holders,
        spans=spans,
        siblings=siblings,
        arranged=threads.list_arranged(cursor, sorted(touched)),
        days=days,
    )


def _spans(cursor: Connection, heads: Sequence[Letterhead], days: float) -> list[SubjectSpan]:
    """Return when conversations had the contacts and subjects of these messages."""
    keys = {key for head in heads if (key := head.subject_key)}
    if not keys:
        return []
    times = [head.came_at for head in heads]
    room = timedelta(days=days)
    span_rows = letterheads.list_spans(
        cursor,
        sorted({sender for sender, _, _ in keys}),
        sorted({subject for _, _, subject in keys}),
        min(times) - room,
        max(times) + room,
    )
    return [
        SubjectSpan(
            key=key,
            thread_id=row.thread_id,
            first_at=row.first_at,
            last_at=row.last_at,
        )
        for row in span_rows
        if (key := (row.sender, row.answers_to, row.subject)) in keys and row.thread_id
    ]


def _letterhead(row: HeadRow | NamingRow) -> Letterhead:
    return Letterhead(
        item=row.item_id,
        message_id=row.message_id,
        sender=row.sender,
        people=tuple(row.people),
        answers_to=row.answers_to,
        subject=row.subject,
        said=row.said,
        trusted=row.trusted,
        came_at=row.came_at,
    )
