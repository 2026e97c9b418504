"""Searching an organization's mail, and keeping the index for it.

What intake reads is noted in the same transaction; its document is written within a second, and at
the latest by the search that looks for it. Documents wait in the state, where they are searched
too, until there are enough for a part of the index.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa

from data.errors import StoreError
from data.records.core.parsed_mail import Address
from data.records.core.search import MailText, SearchQuery
from data.store.core.database import Connection
from data.store.mail import mail_search
from data.store.mail.mail_search import UnwrittenRow
from flows.core.house import House
from flows.core.rounds import do_for_organizations
from flows.core.workspace import Workspace
from flows.mail.line.mail_line import mail_line_of
from tasks.core.language.english_bridge import teller
from tasks.core.search.document import make_document
from tasks.core.search.query import understand
from tasks.mail.read import Reading

log = logging.getLogger("postern.search")
WRITTEN_AT_ONCE, INDEXED_AT_ONCE = 50, 2_000
"""Documents that are written in one go, and those that make a part of the index."""
ROUNDS = 10
"""Times that a search writes documents before it looks; what is left then is for the loop."""
LONGEST_LEFT = 20_000
"""Documents that go into the index as one part when many have come."""


@dataclass(frozen=True)
class MailMatches:
    """A search as understood, and the messages that hold its words."""

    query: SearchQuery
    ids: Any
    """An Arrow array, or nothing where no words are asked for."""
    unsearched: int = 0
    """Messages that no search finds by their words yet, while the index is being filled."""


async def search(house: House, workspace: Workspace, typed: str) -> MailMatches:
    """Return what a search means.

    Raises:
        SearchError: an operator is unknown, or its value is not valid.

    """
    query = understand(typed, ZoneInfo(workspace.organization.timezone))
    if not query.terms:
        return MailMatches(query, ())
    for _ in range(ROUNDS):
        if not await write_documents(workspace):
            break
    unsearched, _ = await workspace.db.read(mail_search.count_waiting)
    # First what waits for the index: what goes there meanwhile is then found twice, not never.
    ids = await workspace.db.read(mail_search.list_unindexed_holding, query.terms)
    try:
        indexed = await mail_line_of(workspace).mail_index.search(query.terms)
    except StoreError as error:
        log.warning("%s: %s", workspace.slug, error)
        await rebuild(house, workspace)
        raise
    waiting = pa.array(sorted(ids), pa.string())
    return MailMatches(query, pa.concat_arrays([waiting, indexed]), unsearched)


async def index_round(house: House) -> bool:
    """Write documents that are due, and take them into the index when there are enough."""

    async def work(workspace: Workspace) -> bool:
        line = mail_line_of(workspace)
        if not line.mail_index_checked:
            # After a restore there is none: it is left out of backups. An older one is of no use.
            line.mail_index_checked = True
            if not await line.mail_index.exists():
                await rebuild(house, workspace)
        waiting = await workspace.db.read(mail_search.count_waiting)
        wrote_any = bool(waiting.unwritten and await write_documents(workspace))
        if waiting.written >= INDEXED_AT_ONCE:
            await index_documents(workspace)
        return wrote_any

    return await do_for_organizations(house, work)


async def write_documents(workspace: Workspace) -> int:
    """Write the documents of a few messages that have none yet; return of how many."""
    unwritten = await workspace.db.read(mail_search.list_unwritten, WRITTEN_AT_ONCE)
    if not unwritten:
        return 0
    documents = await asyncio.to_thread(_documents, unwritten)
    await workspace.db.write(mail_search.write, documents)
    return len(documents)


async def index_documents(workspace: Workspace) -> int:
    """Take the documents that wait into the index; return how many."""
    line = mail_line_of(workspace)
    async with line.mail_index_lock:
        documents = await workspace.db.read(mail_search.list_written, LONGEST_LEFT)
        await line.mail_index.put({row.item_id: row.document for row in documents})
        noted = [(row.item_id, row.noted_at) for row in documents]
        if noted:
            await workspace.db.write(mail_search.note_indexed, noted)
    return len(noted)


async def tidy_index(house: House, workspace: Workspace) -> int:
    """Bring the index up to what it has to hold; return how many messages were added.

    The words of messages whose raw mail retention has removed go from it too.
    """
    index = mail_line_of(workspace).mail_index
    since = None
    if house.settings.archive_days:
        since = house.clock() - timedelta(days=house.settings.archive_days)
    try:
        ids_indexed = await index.ids()
        ids_wanted = await workspace.db.read(mail_search.list_searchable, None)
        await unindex(workspace, ids_indexed - ids_wanted)
        lacking = await workspace.db.read(_list_lacking, ids_indexed, since)
        await workspace.db.write(mail_search.note, lacking, house.clock())
        while await write_documents(workspace):
            pass
        added = await index_documents(workspace)
        await index.merge()
    except StoreError as error:
        log.warning("%s: %s", workspace.slug, error)
        await rebuild(house, workspace)
        return 0
    return added


async def unindex(workspace: Workspace, ids: Collection[str]) -> None:
    """Take messages out of the index, with every file that holds words of them."""
    if ids:
        line = mail_line_of(workspace)
        async with line.mail_index_lock:
            await line.mail_index.remove(sorted(ids))


async def rebuild(house: House, workspace: Workspace) -> None:
    """Remove the index, and note that everything has to be put into it again."""
    line = mail_line_of(workspace)
    async with line.mail_index_lock:
        await line.mail_index.forget()
    everything = await workspace.db.read(_list_everything)
    await workspace.db.write(mail_search.note, everything, house.clock())


def _list_everything(cursor: Connection) -> set[str]:
    """Return what the index has to hold; what is noted was perhaps written by an older release."""
    return mail_search.list_searchable(cursor, None) | mail_search.list_noted(cursor)


def _list_lacking(
    cursor: Connection, held_ids: Collection[str], since: datetime | None
) -> set[str]:
    return (
        mail_search.list_searchable(cursor, since) - set(held_ids) - mail_search.list_noted(cursor)
    )


def _documents(unwritten_rows: Sequence[UnwrittenRow]) -> list[tuple[str, datetime, str]]:
    texts = [_text(row) for row in unwritten_rows]
    codes = teller().tell_many([text.body or text.subject for text in texts])
    return [
        (row.id, row.noted_at, make_document(text, code))
        for row, text, code in zip(unwritten_rows, texts, codes, strict=True)
    ]


def _text(row: UnwrittenRow) -> MailText:
    envelope = " ".join(row.rcpt_to)
    if row.reading is None:
        return MailText(sender=row.mail_from, recipients=envelope)
    mail = Reading.model_validate_json(row.reading).mail
    writer = Address(name=row.sender_name, email=row.sender_email)
    return MailText(
        subject=mail.subject,
        sender=_join_names((writer, *mail.senders, *mail.reply_to)),
        recipients=f"{_join_names((*mail.to, *mail.cc))} {envelope}",
        files=" ".join(file.filename for file in mail.attachments),
        body=mail.text,
    )


def _join_names(addresses: Sequence[Address]) -> str:
    return " ".join(dict.fromkeys(f"{address.name} {address.email}" for address in addresses))
