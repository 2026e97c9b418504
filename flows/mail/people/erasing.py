"""Erasing what is held on one contact, so that not a byte of it is left in the organization.

Killed at any moment, it goes on at the engine's next start. First the order is written down. Then,
in one transaction, the rows go, and what they named outside is noted; files go; the two indexes
and the database are written anew, because they keep the bytes of what was deleted. From the
transaction on the order holds no address: only a keyed hash, as the audit log does.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import orjson

from connectors.sources.forgetting import forget
from data.errors import ConflictError, PosternError
from data.ids import new_id
from data.records.core.principals import Principal
from data.records.mail.contacts import EraseContact, Erased
from data.store.core import log_lines, run_records, turn_seals
from data.store.core.database import Connection
from data.store.core.retold import end_turns_in_work
from data.store.mail import contact_data, contact_erasing, erasures
from data.store.mail.contact_scope import find_scope, list_plus_forms
from data.store.mail.erasures import ErasureRow
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.all_knowledge import refresh
from flows.mail.knowing.mail_search import unindex
from flows.mail.line.mail_line import mail_line_of
from flows.mail.people.holdings import (
    fingerprint,
    holdings,
    normalize_addresses,
    refuse,
    replies_out,
)

log = logging.getLogger("postern.erasing")
QUIET_SECONDS = 120.0


async def erase(
    house: House,
    workspace: Workspace,
    given: EraseContact,
    principal: Principal,
    end_others: Callable[[], Awaitable[None]] | None = None,
) -> Erased:
    """Erase everything that is held on the contact, in the name of `principal`.

    Args:
        house: of the engine.
        workspace: the organization.
        given: whom to erase.
        principal: in whose name.
        end_others: ends what others may be at with the contact's words, just before; nothing of
            the kind begins between that and the erasure.

    Raises:
        ManifestError: an address is none.
        NotFoundError: nothing is held.
        ConflictError: it is on hold, or what is in work does not end.
        OutsidePermanentError: a file of contacts, accounts or history cannot be written.

    """
    addresses_wanted = normalize_addresses((given.address, *given.also))
    holdings_told = await holdings(house, workspace, addresses_wanted)
    refuse(holdings_told)
    order = ErasureRow(
        id=new_id(house.clock()),
        state="deleting",
        addresses=list(addresses_wanted),
        fingerprint=fingerprint(workspace, addresses_wanted),
        keep_learned=given.keep_learned,
        asked_by=principal.name,
        asked_at=house.clock(),
    )
    async with _quiet(workspace):
        await workspace.db.write(erasures.add, order)
        try:
            async with workspace.erasing:
                if end_others is not None:
                    await end_others()
                await _delete(house, workspace, order)
                house.streams.forget_ended()
        except PosternError:
            await workspace.db.write(erasures.drop_order, order.id)
            raise
        note = ""
        try:
            await _finish(house, workspace, order.id)
        except PosternError as error:
            note = f"{error}. The rest is done at the engine's next start"
            log.warning("erasure %s: %s", order.id, error)
    return Erased(
        id=order.id,
        finished=not note,
        rows=holdings_told.rows,
        files=holdings_told.files + holdings_told.replies_out,
        stays=holdings_told.stays,
        note=note,
    )


async def finish_erasures(house: House, workspace: Workspace) -> int:
    """Go on with what was cut off; return how many erasures are done now."""
    unfinished = await workspace.db.read(erasures.list_unfinished)
    done = 0
    for order in unfinished:
        try:
            if order.state == "deleting":
                await _delete(house, workspace, order)
            await _finish(house, workspace, order.id)
            done += 1
        except PosternError as error:
            log.warning("erasure %s is not finished: %s", order.id, error)
    return done


async def _finish(house: House, workspace: Workspace, order: str) -> None:
    """Remove what is outside of the rows, and the bytes of what was deleted."""
    outside = orjson.loads(await workspace.db.read(erasures.read_files, order))
    await asyncio.to_thread(_remove_files, house, workspace, outside)
    await refresh(workspace)
    async with workspace.knowledge_lock:
        await workspace.knowledge.renew()
    await unindex(workspace, outside.get("mail", ()))
    await workspace.memory_index.forget()
    await workspace.db.write(erasures.forget_files, order)
    await workspace.db.renew()
    await workspace.db.write(erasures.drop_order, order)
    for log_aside in workspace.folder.glob("*.wal.unreadable"):
        log_aside.unlink(missing_ok=True)
    log.info("erased a contact's data", extra={"fields": {"organization": workspace.slug}})


async def _delete(house: House, workspace: Workspace, order: ErasureRow) -> None:
    """Delete the rows; what has to go outside of the database is noted with it."""
    addresses_wanted = await workspace.db.read(list_plus_forms, order.addresses)
    await asyncio.to_thread(forget, workspace.sources, addresses_wanted)
    scope = await workspace.db.read(find_scope, addresses_wanted)
    outgoing = await replies_out(house, workspace, scope)

    def act(cursor: Connection) -> None:
        scope = find_scope(cursor, addresses_wanted)
        archive = contact_data.list_own_contents(cursor, scope)
        words = [*scope.addresses, *scope.messages, *scope.cases, *scope.deliveries]
        files = {"archive": archive, "outgoing": outgoing, "runs": words}
        files["logs"] = list(scope.addresses)
        files["mail"] = list(scope.messages)
        number = sum(contact_data.count_rows(cursor, scope).values())
        contact_erasing.note_erasure(
            cursor,
            scope,
            fingerprint=order.fingerprint,
            user=order.asked_by,
            summary=f"{len(scope.messages)} messages, {number} rows, {len(archive)} files",
            now=house.clock(),
        )
        end_turns_in_work(cursor, house.clock())
        with turn_seals.seal_rewritten(cursor, house.clock(), "words of a contact were erased"):
            spilled = contact_erasing.delete_rows(cursor, scope, keep_learned=order.keep_learned)
        files["archive"] = [*archive, *spilled]
        erasures.note_rows_gone(cursor, order.id, orjson.dumps(files).decode())

    await workspace.db.write(act)


def _remove_files(house: House, workspace: Workspace, outside: dict[str, list[str]]) -> None:
    for sha256 in outside.get("archive", ()):
        workspace.archive.remove(sha256)
    for name in outside.get("outgoing", ()):
        (house.settings.home / "outgoing" / name).unlink(missing_ok=True)
    if addresses := outside.get("logs"):
        log_lines.blot_addresses(house.settings.logs, addresses)
    if words := outside.get("runs"):
        run_records.forget(house.settings.home / "prefect" / "prefect.db", words)


@asynccontextmanager
async def _quiet(workspace: Workspace) -> AsyncIterator[None]:
    """Wait until nothing is in work, and let nothing begin.

    Raises:
        ConflictError: it does not end within two minutes.

    """
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                for lock in (
                    workspace.sync_lock,
                    mail_line_of(workspace).cases_lock,
                    mail_line_of(workspace).intake_lock,
                    mail_line_of(workspace).delivery_lock,
                ):
                    await stack.enter_async_context(lock)
        except TimeoutError as error:
            raise ConflictError(
                "mail or a sync is in work that does not end within two minutes, nothing was "
                "erased; "
                "see `postern status`, and try again"
            ) from error
        yield
