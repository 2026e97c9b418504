"""From the spool into the archive and the state: the first thing that happens to a message.

Order makes it safe to be killed anywhere: the raw bytes are in the archive before the row is
committed, the row is committed before the spool file goes; coming again changes nothing.
"""

import asyncio
import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta

from connectors.spool import SpoolDamagedError, SpoolEntry
from connectors.spool.folder import MAX_TRIES
from data.errors import NotFoundError, SpoolError, StoreError
from data.records.core.envelope import Envelope
from data.records.core.organization import Route, RouteMode
from data.states import MessageStatus
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.mail import messages
from data.store.mail.messages import ArrivedRow
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.crash_retries import choose_suspects, count_deaths, explain_giving_up
from flows.mail.line.mailroom import mailroom_of

log = logging.getLogger("postern.take")
DEDUPE_DAYS = 7
#: What servers on the way put on top, other words at each attempt (RFC 5321, 7601, 8617, 7208).
_TRACE = (
    b"received:",
    b"return-path:",
    b"delivered-to:",
    b"x-original-to:",
    b"dkim-signature:",
    b"authentication-results:",
    b"received-spf:",
    b"arc-seal:",
    b"arc-message-signature:",
    b"arc-authentication-results:",
)
#: Of a message for several recipients, the mode that leaves most open to people counts.
_MODES = (RouteMode.AGENT, RouteMode.HOLD, RouteMode.ENDPOINT, RouteMode.ACCEPT)


async def take_in_waiting(house: House, limit: int) -> dict[str, int]:
    """Take in up to `limit` waiting messages; return how many came per organization.

    One over which the engine died or failed too often is kept unread, as failed; if even that
    cannot be done it is set aside in the spool. Mail of an organization that cannot store it waits
    in the spool, and that of the others is taken in past it.

    Raises:
        Exception: what went wrong first, once the others had their turn.

    """
    counts: dict[str, int] = {}
    first_error: Exception | None = None
    mailroom = mailroom_of(house)
    passed_over, listed = 0, limit
    while listed == limit and sum(counts.values()) < limit:
        entries = _list_open(house, passed_over + limit)[passed_over:]
        listed, held_before = len(entries), len(mailroom.list_held())
        try:
            await _take_in_entries(house, entries, counts)
            if len(mailroom.list_held()) == held_before:
                break
        except Exception as error:  # noqa: BLE001  # raised below, once the others had their turn
            first_error = first_error or error
            passed_over += sum(
                entry.path.exists() and entry.spool_id not in mailroom.list_held()
                for entry in entries
            )
    if first_error is not None:
        raise first_error
    return counts


def _list_open(house: House, limit: int) -> list[SpoolEntry]:
    """Return the oldest waiting messages without those of organizations that cannot be opened."""
    held = mailroom_of(house).list_held()
    listed = house.spool.list_waiting(limit + len(held))
    return [entry for entry in listed if entry.spool_id not in held][:limit]


async def _take_in_entries(
    house: House, waiting: Sequence[SpoolEntry], counts: dict[str, int]
) -> None:
    """Take in these messages, and add to `counts` how many came per organization.

    Raises:
        Exception: why an organization could not store its own; those of the others are stored.

    """
    entries = {entry.spool_id: entry for entry in waiting}
    chosen = choose_suspects(house.spool, list(entries))
    with count_deaths(house.spool, chosen) as hopeless:
        read: dict[str, tuple[Envelope, bytes]] = {}
        first_error: Exception | None = None
        for item in chosen:
            if hopeless.get(item, 0) > MAX_TRIES + 1:
                house.spool.aside.put(item, explain_giving_up(hopeless[item]))
                continue
            try:
                read_entry = await asyncio.to_thread(_read_entry, house, entries[item])
            except SpoolError as error:
                log.warning("%s waits in the spool: %s", item, error)
                first_error = first_error or error
                continue
            if read_entry is not None:
                read[item] = read_entry
        stored = set(read)
        for slug, ids in _group_by_organization(house, read).items():
            try:
                workspace = await _open_organization(house, slug)
                if workspace is None:
                    mailroom_of(house).hold(ids, slug)
                    stored -= set(ids)
                    continue
                new_count = await _store_messages(
                    house, workspace, [read[item] for item in ids], hopeless
                )
            except Exception as error:  # noqa: BLE001  # raised below, once all had their turn
                log.warning("%s cannot store its mail, which waits: %s", slug, error)
                first_error = first_error or error
                stored -= set(ids)
                continue
            counts[slug] = counts.get(slug, 0) + new_count
        await asyncio.to_thread(house.spool.done, sorted(stored))
        if first_error is not None:
            raise first_error


async def _open_organization(house: House, slug: str) -> Workspace | None:
    """Return an organization, None where its state cannot be opened, which is told elsewhere.

    One that could not be is tried again beside the rounds, and not here.
    """
    if slug in house.unopened:
        return None
    try:
        return await house.get_workspace(slug)
    except StoreError:
        if slug in house.unopened:
            return None
        raise


def _read_entry(house: House, entry: SpoolEntry) -> tuple[Envelope, bytes] | None:
    try:
        return house.spool.read(entry)
    except (SpoolDamagedError, NotFoundError) as error:
        log.warning("set aside: %s", error, extra={"fields": {"item": entry.spool_id}})
        return None


def _group_by_organization(
    house: House, read: Mapping[str, tuple[Envelope, bytes]]
) -> dict[str, list[str]]:
    """Group the entries by the organizations of their recipients; one may belong to several."""
    grouped: dict[str, list[str]] = {}
    for item, (envelope, _) in read.items():
        slugs = {route.organization for route in _list_routes(house, envelope)}
        if not slugs:
            house.spool.aside.put(item, f"no route for any of {', '.join(envelope.rcpt_to)}")
            log.error(
                "no route for %r; set aside", envelope.rcpt_to, extra={"fields": {"item": item}}
            )
        for slug in slugs:
            grouped.setdefault(slug, []).append(item)
    return grouped


def _list_routes(house: House, envelope: Envelope) -> list[Route]:
    """Return the routes of an envelope's recipients; those without one are left out."""
    routes = (house.routes.match(address) for address in envelope.rcpt_to)
    return [route for route in routes if route is not None]


async def _store_messages(
    house: House,
    workspace: Workspace,
    read: Sequence[tuple[Envelope, bytes]],
    hopeless: Mapping[str, int],
) -> int:
    hashes = await asyncio.to_thread(workspace.archive.keep, [raw for _, raw in read])
    arrived = [
        _build_row(house, workspace, envelope, raw, sha256, hopeless.get(envelope.spool_id, 0))
        for (envelope, raw), sha256 in zip(read, hashes, strict=True)
    ]
    return await workspace.db.write(_insert_new, arrived, house)


def _build_row(
    house: House, workspace: Workspace, envelope: Envelope, raw: bytes, sha256: str, tries: int
) -> ArrivedRow:
    modes = {
        route.mode
        for route in _list_routes(house, envelope)
        if route.organization == workspace.slug
    }
    mode = next((mode for mode in _MODES if mode in modes), RouteMode.HOLD)
    return ArrivedRow(
        id=envelope.spool_id,
        status=MessageStatus.FAILED if tries else MessageStatus.RECEIVED,
        mode=mode,
        channel=envelope.channel,
        mail_from=envelope.mail_from,
        rcpt_to=list(envelope.rcpt_to),
        received_at=envelope.received_at,
        bare_eol=envelope.bare_eol,
        envelope=envelope.model_dump_json(),
        content_key=f"unread {envelope.spool_id}" if tries else build_content_key(envelope, raw),
        raw_sha256=sha256,
        size_bytes=len(raw),
        duplicate_of=None,
        note=explain_giving_up(tries) if tries else "",
        due_at=house.clock(),
    )


def _insert_new(cursor: Connection, arrived: Sequence[ArrivedRow], house: House) -> int:
    """Insert what is new; a copy of a message of the last days is stored, not worked on."""
    now = house.clock()
    keys = {row.content_key for row in arrived}
    known_contents = messages.find_by_content(cursor, keys, now - timedelta(days=DEDUPE_DAYS))
    stored = [_as_copy(row, known_contents.setdefault(row.content_key, row.id)) for row in arrived]
    fresh = messages.take_in(cursor, stored)
    for status in (MessageStatus.RECEIVED, MessageStatus.STORED, MessageStatus.FAILED):
        ids = [row.id for row in stored if row.id in fresh and row.status == status]
        note_events(cursor, "message", ids, status, actor="take", now=now)
    return len(fresh)


def _as_copy(row: ArrivedRow, first: str) -> ArrivedRow:
    """Return a message as a copy of the first with its content; itself where it is the first."""
    if first == row.id:
        return row
    note = f"duplicate of {first}"
    return row._replace(duplicate_of=first, status=MessageStatus.STORED, note=note)


def build_content_key(envelope: Envelope, raw: bytes) -> str:
    """Return what is the same for every copy of one message that a sender repeats.

    Message-ID alone is not safe: an attacker can use a known one before its owner does. So the
    key is a hash over envelope sender, sorted recipients, and everything below the trace headers
    that a relay adds on top.
    """
    digest = hashlib.sha256()
    digest.update(envelope.mail_from.lower().encode())
    digest.update("\0".join(sorted(address.lower() for address in envelope.rcpt_to)).encode())
    digest.update(_cut_trace(raw))
    return digest.hexdigest()


def _cut_trace(raw: bytes) -> bytes:
    """Cut the leading run of trace header fields, with their folded lines."""
    position, length = 0, len(raw)
    while position < length:
        end = raw.find(b"\n", position) + 1 or length
        line = raw[position:end]
        folded = position > 0 and line[:1] in (b" ", b"\t")
        if not folded and not line.lower().startswith(_TRACE):
            break
        position = end
    return raw[position:]
