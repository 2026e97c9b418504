"""Flow *sync*: an organization's own files into its state, and its knowledge into the index."""

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from connectors.sources import (
    LoadReport,
    load_sources,
    read_contacts,
    read_history,
    read_knowledge,
    read_saved_replies,
)
from data.store.database import Connection
from flows.current import current_house
from flows.past import add_contacts, add_history
from flows.steps import publish_outcomes
from flows.wiring import House
from flows.workspace import Workspace


@flow(name="sync", flow_run_name="sync {organization}", persist_result=False)
async def sync(organization: str = "") -> dict[str, bool]:
    """Load what changed in the organizations' source folders.

    Args:
        organization: slug; empty loads for every organization.

    Returns:
        Whether anything changed, per organization.

    """
    house = current_house()
    if organization:
        workspaces = [await house.workspace(organization)]
    else:
        workspaces = await house.all_workspaces()

    changed = {}
    for workspace in workspaces:

        @task(name="load", retries=2, retry_delay_seconds=5, cache_policy=NO_CACHE)
        async def load(workspace: Workspace = workspace) -> bool:
            return await sync_one(house, workspace)

        changed[workspace.slug] = await load()
    return changed


async def sync_one(house: House, workspace: Workspace) -> bool:
    """Load one organization's files; return whether its state says something else than before."""
    workspace.sources.mkdir(parents=True, exist_ok=True)

    def load(connection: Connection) -> LoadReport:
        return load_sources(connection, workspace.sources, workspace.folder / "dlt")

    report = await workspace.db.exclusively(load)
    await house.reload_policy(workspace.slug)
    workspace.saved_replies = tuple(await workspace.db.read(read_saved_replies))
    known = await workspace.knowledge.count()
    entries = await workspace.db.read(read_knowledge)
    if report.tables.get("knowledge") or report.removed.get("knowledge") or known != len(entries):
        await workspace.knowledge.replace(entries)
    if report.tables.get("contacts"):
        found = await workspace.db.read(read_contacts)
        await workspace.db.write(add_contacts, found, house.clock())
    if report.tables.get("history"):
        earlier = await workspace.db.read(read_history)
        await workspace.db.write(add_history, earlier, house.clock())
    await publish_outcomes(
        "sync",
        workspace.slug,
        [
            {"table": table, "changed": count, "removed": report.removed.get(table, 0)}
            for table, count in report.tables.items()
        ],
        "\n".join(report.errors) or f"sources of {workspace.organization.name}",
    )
    return report.changed
