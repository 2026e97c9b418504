"""Flow *sync*: an organization's own files into its state, and its knowledge into the index."""

import asyncio
import importlib
import logging
from functools import partial

from prefect import flow

from connectors.sources import LoadReport, load_sources
from data.records.core.record import Record
from data.store.core import source_versions, syncs
from data.store.core.database import Connection
from data.store.core.loaded import read_accounts, read_contacts, read_history, read_loaded_versions
from data.store.mail import customers
from flows.core.current import get_current_house
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.accounts import fetch_accounts
from flows.mail.knowing.all_knowledge import LEARNED, carry_knowledge, learned_version
from flows.mail.knowing.past_correspondence import add_contacts, add_history
from flows.mail.people.governing import note_file
from flows.mail.stages.stage_tasks import log_line, publish_outcomes, run_as_task

log = logging.getLogger("postern.sync")


class Synced(Record):
    """What came of loading an organization's files."""

    changed: bool
    """Whether something was carried on."""
    errors: tuple[str, ...] = ()
    """A sentence for each file or line that cannot be used; what was loaded before stays."""
    warnings: tuple[str, ...] = ()
    """What is doubtful about the knowledge."""


@flow(name="sync", flow_run_name="sync {organization}", persist_result=False)
async def sync(organization: str = "") -> dict[str, bool]:
    """Load what changed in the organizations' source folders.

    Args:
        organization: slug; empty loads for every organization.

    Returns:
        Whether anything changed, per organization.

    """
    house = get_current_house()
    workspaces = await house.choose_workspaces(organization)

    return {
        workspace.slug: await run_as_task(
            "load",
            partial(sync_one, house, workspace),
            run_name=f"load {workspace.slug}",
            retries=2,
            delays=(5.0, 30.0),
        )
        for workspace in workspaces
    }


async def sync_one(house: House, workspace: Workspace) -> bool:
    """Load one organization's files, and carry on what changed; return whether anything did."""
    return (await sync_told(house, workspace)).changed


async def sync_told(house: House, workspace: Workspace) -> Synced:
    """Load one organization's files, carry on what changed, and tell what was wrong with them.

    What was carried on is written down last, so that being killed in between means doing it again.
    Nobody is erased meanwhile, for whom it has read it would write again.
    """
    async with workspace.sync_lock:
        return await _synced(house, workspace)


async def _synced(house: House, workspace: Workspace) -> Synced:
    workspace.sources.mkdir(parents=True, exist_ok=True)
    await asyncio.to_thread(importlib.import_module, "dlt")  # 1 s that would hold up the writer

    unfetched = await fetch_accounts(house, workspace)

    def load(connection: Connection) -> LoadReport:
        return load_sources(connection, workspace.sources, workspace.folder / "dlt")

    report = await workspace.db.exclusively(load)
    versions = await workspace.db.read(read_loaded_versions)
    before = await workspace.db.read(source_versions.list_versions)
    stale = {table for table, version in versions.items() if before.get(table) != version}
    unread = await note_file(house, workspace)
    await house.reload_policy(workspace)
    versions[LEARNED] = await workspace.db.read(learned_version)
    changed = {"knowledge", LEARNED} & {s for s, v in versions.items() if before.get(s) != v}
    warned = await carry_knowledge(house, workspace, bool(changed))
    if "contacts" in stale:
        contacts = await workspace.db.read(read_contacts)
        await workspace.db.write(add_contacts, contacts, house.clock())
    if "accounts" in stale:
        accounts = await workspace.db.read(read_accounts)
        await workspace.db.write(customers.replace_accounts, accounts)
    if "history" in stale:
        earlier = await workspace.db.read(read_history)
        await workspace.db.write(add_history, earlier, house.clock())
    await workspace.db.write(source_versions.note, versions)
    warned = [*warned, unread] if unread else warned
    errors = (*report.errors, *unfetched)
    await workspace.db.write(
        partial(syncs.note, changed=bool(stale), errors=errors, warnings=warned, now=house.clock())
    )
    for error in errors:
        log.warning("source not loaded: %s", error)
    for warning in warned:
        log.warning("knowledge: %s", warning)
    loaded = ", ".join(f"{count} of {table}" for table, count in report.tables.items() if count)
    doubts = f"{len(report.errors)} not loaded, {len(warned)} doubtful"
    log_line(f"load: {loaded or 'nothing'} changed, {doubts}")
    await publish_outcomes(
        "sync",
        workspace.slug,
        [
            {"table": table, "changed": count, "removed": report.removed.get(table, 0)}
            for table, count in report.tables.items()
        ],
        "\n".join((*errors, *warned)) or f"sources of {workspace.organization.name}",
    )
    return Synced(changed=bool(stale), errors=errors, warnings=tuple(warned))
