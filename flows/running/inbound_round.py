"""A round of the work on cases: one run for each organization that has something due."""

from flows.core.house import House
from flows.core.rounds import do_for_organizations
from flows.core.workspace import Workspace
from flows.inbound import count_workable, inbound
from flows.running.prefect_client import patient_client


async def inbound_round(house: House) -> bool:
    """Run the flow for every organization with something due; return whether there was anything.

    Raises:
        Exception: what a run has raised first, once each organization has had its turn.

    """

    async def work(workspace: Workspace) -> bool:
        due = await count_workable(house, workspace)
        if due:
            async with house.turn_of_run("inbound"), patient_client():
                await inbound(organization=workspace.slug, count=due)
        return bool(due)

    return await do_for_organizations(house, work)
