"""Users, their roles, and teams: who works with Postern, and what each may do."""

from collections.abc import Iterable

from fastapi import APIRouter

from data.records.core.principals import (
    EditUser,
    Grant,
    NewTeam,
    NewUser,
    Role,
    Team,
    User,
)
from data.store.core import control, users
from flows.api.context import FOR_ADMINISTRATORS, HouseOf, PrincipalOf, WorkspaceOf
from flows.core.house import House

router = APIRouter(prefix="/v1", tags=["users"])


@router.get("/roles")
async def list_roles(house: HouseOf, principal: PrincipalOf) -> list[Role]:
    """List the roles and what each permits."""
    del principal
    return await house.control.read(users.roles)


@router.put("/roles/{slug}", dependencies=[FOR_ADMINISTRATORS])
async def set_role(slug: str, given: Role, house: HouseOf) -> Role:
    """Make a role, or change one that did not come with Postern."""
    return await house.control.write(users.set_role, given.model_copy(update={"slug": slug}))


@router.delete("/roles/{slug}", status_code=204, dependencies=[FOR_ADMINISTRATORS])
async def remove_role(slug: str, house: HouseOf) -> None:
    """Remove a role that nobody holds."""
    await house.control.write(users.remove_role, slug)


@router.get("/users", dependencies=[FOR_ADMINISTRATORS])
async def list_users(house: HouseOf) -> list[User]:
    """List all users, those who were ended too."""
    return await house.control.read(users.users)


@router.post("/users", status_code=201, dependencies=[FOR_ADMINISTRATORS])
async def add_user(given: NewUser, house: HouseOf) -> User:
    """Make a user, with grants in any organization."""
    await _must_be_there(house, given.grants)
    return await house.control.write(users.add_user, given, house.clock())


@router.put("/users/{user_id}", dependencies=[FOR_ADMINISTRATORS])
async def edit_user(user_id: str, given: EditUser, house: HouseOf) -> User:
    """Change a user; what the user's tokens permit changes from the next call on."""
    await _must_be_there(house, given.grants or ())
    return await house.control.write(users.edit_user, user_id, given)


@router.delete("/users/{user_id}", status_code=204, dependencies=[FOR_ADMINISTRATORS])
async def end_user(user_id: str, house: HouseOf) -> None:
    """End a user: grants, teams and tokens go, what the user did stays on record."""
    await house.control.write(users.end_user, user_id, house.clock())


@router.get("/{org}/users")
async def users_of_organization(house: HouseOf, workspace: WorkspaceOf) -> list[User]:
    """List who may see an organization, without what they may do elsewhere."""
    everybody = await house.control.read(users.users)
    here = (None, workspace.slug)
    return [
        user.model_copy(
            update={"grants": tuple(one for one in user.grants if one.organization in here)}
        )
        for user in everybody
        if any(grant.organization in here for grant in user.grants)
    ]


@router.get("/{org}/teams")
async def list_teams(house: HouseOf, workspace: WorkspaceOf) -> list[Team]:
    """List the teams of an organization."""
    return await house.control.read(users.teams, workspace.slug)


@router.post("/{org}/teams", status_code=201)
async def add_team(given: NewTeam, house: HouseOf, workspace: WorkspaceOf) -> Team:
    """Make a team of users who may see the organization."""
    return await house.control.write(users.add_team, workspace.slug, given, house.clock())


@router.put("/{org}/teams/{team_id}")
async def set_team(team_id: str, given: NewTeam, house: HouseOf, workspace: WorkspaceOf) -> Team:
    """Give a team another name and other members."""
    return await house.control.write(users.set_team, workspace.slug, team_id, given)


@router.delete("/{org}/teams/{team_id}", status_code=204)
async def remove_team(team_id: str, house: HouseOf, workspace: WorkspaceOf) -> None:
    """Remove a team; its members stay users."""
    await house.control.write(users.remove_team, workspace.slug, team_id)


async def _must_be_there(house: House, grants: Iterable[Grant]) -> None:
    for grant in grants:
        if grant.organization is not None:
            await house.control.read(control.organization, grant.organization)
