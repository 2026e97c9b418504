"""The organization's own groups, and those that are proposed as such."""

from fastapi import APIRouter, Response

from data.records.mail.orders import NameGroup
from data.records.mail.senders import GroupsView
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.mail.people.grouping import add_group, groups_of, remove_group

router = APIRouter(prefix="/v1/{org}", tags=["quarantine"])


@router.get("/groups")
async def groups(workspace: WorkspaceOf) -> GroupsView:
    """Return the groups that the profile names, and groups of its domains that mail came by."""
    return await groups_of(workspace)


@router.post("/groups", status_code=201)
async def add(
    order: NameGroup, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> GroupsView:
    """Name a group as the organization's own."""
    await add_group(house, workspace, order.address, principal)
    return await groups_of(workspace)


@router.delete("/groups/{address}", status_code=204)
async def remove(
    address: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Response:
    """Name a group no longer, or dismiss one that is proposed."""
    await remove_group(house, workspace, address, principal)
    return Response(status_code=204)
