"""Teams of an organization; one goes only when agents hold nothing that is its alone."""

from fastapi import APIRouter

from data.counting import plural
from data.errors import ConflictError
from data.records.agents.memories import Layer, LayerKind
from data.records.core.principals import EditTeam, NewTeam, Principal, Team
from data.store.agents import chats, memories
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.core.house import House
from flows.core.noting import note_access_change

router = APIRouter(prefix="/v1", tags=["users"])


@router.get("/{org}/teams")
async def list_teams(house: HouseOf, workspace: WorkspaceOf) -> list[Team]:
    """List the teams of an organization."""
    return await house.control.read(team_store.list_teams, workspace.slug)


@router.post("/{org}/teams", status_code=201)
async def add_team(
    order: NewTeam, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Team:
    """Make a team of users who may see the organization."""
    added_team = await house.control.write(
        team_store.add_team, workspace.slug, order, house.clock()
    )
    await _note_team(house, principal, "add-team", added_team)
    return added_team


@router.put("/{org}/teams/{team_id}")
async def set_team(
    team_id: str, order: EditTeam, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Team:
    """Give a team another name and other members."""
    edited_team = await house.control.write(team_store.set_team, workspace.slug, team_id, order)
    await _note_team(house, principal, "edit-team", edited_team)
    return edited_team


@router.delete("/{org}/teams/{team_id}", status_code=204)
async def remove_team(
    team_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> None:
    """Remove a team of which nothing is there that its members alone see; they stay users."""
    held_here = await workspace.db.read(_belongings_of_team, team_id)
    if any(held_here):
        chats_there, memories_there = held_here
        raise ConflictError(
            f"{plural(chats_there, 'chat')} and {plural(memories_there, 'thing')} that agents "
            "remember are this team's alone; its members remove them first, or it stays, "
            "without members"
        )
    await house.control.write(team_store.remove_team, workspace.slug, team_id)
    await note_access_change(
        house, [workspace.slug], principal, action="remove-team", subject=f"team:{team_id}"
    )


def _belongings_of_team(cursor: Connection, team_id: str) -> tuple[int, int]:
    """Return how many chats, and how many remembered things, a team's members alone see."""
    layer = Layer(kind=LayerKind.TEAM, owner=team_id)
    sizes = memories.count_by_layer(cursor, [layer])
    return chats.count_team_chats(cursor, team_id), sum(sizes.values())


async def _note_team(house: House, principal: Principal, action: str, team: Team) -> None:
    detail = f"{team.name}, members: {len(team.members)}"
    await note_access_change(
        house,
        [team.organization],
        principal,
        action=action,
        subject=f"team:{team.id}",
        detail=detail,
    )
