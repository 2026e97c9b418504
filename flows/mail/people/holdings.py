"""Data held on one contact: counted before an erasure, and exported whole."""

import asyncio
import hashlib
import hmac
from collections.abc import Sequence

from connectors.outbound.maildir import file_name
from connectors.sources.forgetting import count_records
from data.errors import ConflictError, ManifestError, NotFoundError
from data.records.mail.contacts import Holdings
from data.store.core.archive import Archive
from data.store.core.database import Connection
from data.store.mail import contact_data, contact_erasing, deliveries
from data.store.mail.contact_mentions import (
    list_blocking_deliveries,
    list_erasure_times,
    list_remains,
)
from data.store.mail.contact_scope import ContactScope, find_scope, list_plus_forms
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.legal_hold import holds


def normalize_addresses(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return addresses as they are looked for.

    Raises:
        ManifestError: one is no mail address.

    """
    plain_addresses = tuple(dict.fromkeys(raw_address.strip().lower() for raw_address in addresses))
    for address in plain_addresses:
        local, at, domain = address.rpartition("@")
        if not (local and at and domain) or any(c.isspace() or c in "<>," for c in address):
            raise ManifestError(f"{address!r} is no mail address; write it as name@domain")
    return plain_addresses


def fingerprint(workspace: Workspace, addresses: Sequence[str]) -> str:
    """Return what stands for addresses in the audit log: nobody without the secret can read it."""
    secret = workspace.keys.loop_secret.encode()
    return ",".join(
        hmac.new(secret, b"erased " + address.encode(), hashlib.sha256).hexdigest()[:20]
        for address in addresses
    )


async def holdings(house: House, workspace: Workspace, addresses: Sequence[str]) -> Holdings:
    """Return what is held on whoever has these addresses, counted.

    Raises:
        ManifestError: one is no mail address.

    """
    addresses_wanted = normalize_addresses(addresses)
    prints = fingerprint(workspace, addresses_wanted).split(",")

    def look(cursor: Connection) -> tuple[Holdings, ContactScope]:
        scope = find_scope(cursor, list_plus_forms(cursor, addresses_wanted))
        counted = Holdings(
            addresses=scope.addresses,
            rows=contact_data.count_rows(cursor, scope),
            files=len(contact_data.list_own_contents(cursor, scope)),
            replies_out=0,
            sources={},
            audit=len(contact_erasing.list_naming_events(cursor, scope)),
            on_hold=tuple(list_blocking_deliveries(cursor, scope)),
            stays=tuple(list_remains(cursor, scope)),
            erased_before=tuple(list_erasure_times(cursor, prints)),
        )
        return counted, scope

    counted, scope = await workspace.db.read(look)
    names = await replies_out(house, workspace, scope)
    held_back = (*counted.on_hold, *holds(workspace.folder, counted.addresses))
    return counted.model_copy(
        update={
            "replies_out": len(names),
            "sources": await asyncio.to_thread(count_records, workspace.sources, scope.addresses),
            "on_hold": held_back,
        }
    )


async def replies_out(house: House, workspace: Workspace, scope: ContactScope) -> list[str]:
    """Return the files of the contact's replies in the Maildir of the transport `file`."""
    folder = house.settings.home / "outgoing"

    reply_rows = await workspace.db.read(deliveries.list_maildir_rows, scope.deliveries)

    def files() -> list[str]:
        if not folder.is_dir():
            return []
        stems = {
            file_name(raw, row.mail_from, row.rcpt_to)
            for row in reply_rows
            if (raw := read_kept(workspace.archive, row.sha256)) is not None
        }
        return sorted(
            str(path.relative_to(folder))
            for part in ("new", "cur")
            for path in (folder / part).glob("*.postern*")
            if path.name.partition(":")[0] in stems
        )

    return await asyncio.to_thread(files)


def read_kept(archive: Archive, sha256: str) -> bytes | None:
    """Return the archived bytes; None when retention has removed them."""
    try:
        return archive.read(sha256)
    except NotFoundError:
        return None


def nothing_on(holdings_told: Holdings) -> str:
    """Return the sentence that says that there is nothing, and whether there was."""
    sentence = f"nothing is held on {', '.join(holdings_told.addresses)}"
    if holdings_told.erased_before:
        return f"{sentence}; it was erased on {holdings_told.erased_before[-1]:%Y-%m-%d}"
    return f"{sentence}; look the address up in the inbox"


def refuse(holdings_told: Holdings) -> None:
    """Raise if there is nothing to erase, or it may not be erased now.

    Raises:
        NotFoundError: nothing is held.
        ConflictError: something holds it back.

    """
    if holdings_told.nothing:
        raise NotFoundError(nothing_on(holdings_told))
    if holdings_told.on_hold:
        raise ConflictError(f"nothing was erased: {'; '.join(holdings_told.on_hold)}")
