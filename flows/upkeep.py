"""Flow *upkeep*: what has to be tidied every night."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

from prefect import flow

from data.errors import StoreError
from data.records.core.retention_views import Upkeep
from data.settings import Settings
from data.store.agents import chats
from data.store.core import histories, leftovers, notifications, upkeeps, webhook_ids
from data.store.core.archive import Archive
from data.store.core.audit_check import verify_log
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import attached_files, mail_search, messages
from flows.agents.consolidating import consolidate_memories
from flows.core.current import get_current_house
from flows.core.house import House
from flows.core.retention import FILE_DAYS, NOTIFICATION_DAYS
from flows.core.rounds import do_for_organizations, do_named_works
from flows.core.workspace import Workspace
from flows.mail.knowing.lessons import look_back
from flows.mail.knowing.mail_search import tidy_index
from flows.mail.knowing.retraining import retrain
from flows.mail.stages.stage_tasks import log_line, publish_outcomes

log = logging.getLogger("postern.upkeep")
RAW_AT_ONCE = 500
"""Raw files that are removed in one step."""
FREE_BLOCKS = 0.1
"""Share of free blocks in a state above which it is written anew."""


@flow(name="upkeep", flow_run_name="upkeep", persist_result=False)
async def upkeep() -> dict[str, int]:
    """Tidy the spool and the stores; return what was removed."""
    house = get_current_house()
    done = {"spool_leftovers": house.spool.recover()}

    async def work(workspace: Workspace) -> None:
        async def count(name: str, act: Callable[[House, Workspace], Awaitable[int]]) -> None:
            done[f"{name}_{workspace.slug}"] = await act(house, workspace)

        acts: dict[str, Callable[[House, Workspace], Awaitable[int]]] = {
            "archive": tidy,
            "audit_faults": verify_audit,
            "memories_joined": consolidate_memories,
            "trainings_taken": _train,
        }
        await do_named_works(
            (f"{name} of {workspace.slug}", partial(count, name, act)) for name, act in acts.items()
        )

    await do_for_organizations(house, work)
    log_line(", ".join(f"{name} {count}" for name, count in done.items()))
    await publish_outcomes(
        "upkeep",
        "all",
        [{"what": name, "removed": count} for name, count in done.items()],
        "what was tidied",
    )
    return done


async def _train(house: House, workspace: Workspace) -> int:
    """Fit an organization's classifier again; return how many trainings were taken over."""
    trained = await retrain(house, workspace)
    return int(trained is not None and trained.taken)


async def tidy(house: House, workspace: Workspace) -> int:
    """Apply retention to one organization and compact its stores; return the files removed."""
    removed = 0
    if house.settings.archive_days:
        before = house.clock() - timedelta(days=house.settings.archive_days)
        removed = await remove_raw(workspace, before)
        await workspace.db.write(histories.forget_before, before)
    await workspace.db.write(forget_files, workspace, house.settings, house.clock())
    await tidy_index(house, workspace)
    await look_back(house, workspace)
    program_chats = await forget_programs(house, workspace)
    await workspace.knowledge.optimize()
    await workspace.db.write(webhook_ids.forget, house.clock() - timedelta(days=1))
    told_before = house.clock() - timedelta(days=NOTIFICATION_DAYS)
    pruned = await workspace.db.write(notifications.prune, told_before)
    done = Upkeep(
        tidied_at=house.clock(),
        raw_mail=removed,
        program_chats=program_chats,
        notifications=pruned,
    )
    await workspace.db.write(upkeeps.note, done)
    await compact(workspace)
    return removed


async def remove_raw(workspace: Workspace, before: datetime) -> int:
    """Remove the raw bytes of mail from before a time; return how many files there were.

    A few hundred at a time, and each once: that they are removed is noted, so that a night looks
    at what has become old since the last one. Killed in between, the next night goes on.
    """
    removed = 0
    while old := await workspace.db.read(messages.list_raw_before, before, RAW_AT_ONCE):
        names = [row.raw_sha256 for row in old]
        ids = [message_id for row in old for message_id in row.ids]
        removed += await asyncio.to_thread(workspace.archive.count, names)
        await asyncio.to_thread(_remove_all, workspace.archive, names)
        await workspace.db.write(_note_raw_removed, ids)
    return removed


def _remove_all(archive: Archive, names: Iterable[str]) -> None:
    for name in names:
        archive.remove(name)


def _note_raw_removed(cursor: Connection, ids: Sequence[str]) -> None:
    messages.note_raw_removed(cursor, ids)
    mail_search.forget(cursor, ids)


def forget_files(
    cursor: Connection, workspace: Workspace, settings: Settings, now: datetime
) -> None:
    """Remove files of our own that are no part of a letter any more.

    These are, after a day, what was taken off a letter or never wholly attached, and with raw mail
    those of letters that were closed and never left; and whatever was noted as nobody's. The bytes
    go before another row can name them.
    """
    leftovers.sweep(cursor, workspace.archive.remove, now - timedelta(days=FILE_DAYS))
    closed = now - timedelta(days=settings.archive_days) if settings.archive_days else None
    for sha256 in attached_files.forget(cursor, now - timedelta(days=FILE_DAYS), closed):
        workspace.archive.remove(sha256)


async def forget_programs(house: House, workspace: Workspace) -> int:
    """Remove the chats of chat programs that are old enough; return how many there were."""
    if not house.settings.program_chat_days:
        return 0
    before = house.clock() - timedelta(days=house.settings.program_chat_days)

    def forget(cursor: Connection) -> int:
        old = chats.list_idle_of_programs(cursor, before)
        for chat_id in old:
            chats.remove(cursor, chat_id)
        return len(old)

    return await workspace.db.write(forget)


async def compact(workspace: Workspace) -> None:
    """Give back what is free in an organization's state, once it is a tenth of it."""
    try:
        if await workspace.db.compact(FREE_BLOCKS):
            log.info("wrote the state of %s anew", workspace.slug)
    except StoreError as error:
        log.warning("%s: %s", workspace.slug, error)


async def verify_audit(house: House, workspace: Workspace) -> int:
    """Verify an organization's audit log; tell people of what does not fit, and count it."""
    chain = await workspace.db.read(verify_log)
    for fault in chain.faults.values():
        log.error("organization %s: audit log: %s", workspace.slug, fault)
    notices = {place: f"{fault} Compare with a backup." for place, fault in chain.faults.items()}
    await workspace.db.write(notify, "audit_broken", notices, house.clock())
    return len(chain.faults)
