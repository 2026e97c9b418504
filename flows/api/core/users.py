"""Users and their roles: who works with Postern, and what each may do."""

from collections.abc import Iterable

from fastapi import APIRouter

from data.records.core.principals import (
    EditUser,
    Grant,
    NewUser,
    Principal,
    Role,
    User,
)
from data.store.core import control, users
from flows.api.core.context import (
    FOR_ADMINISTRATORS,
    FOR_WHO_IS_SIGNED_IN,
    AdminOf,
    HouseOf,
    WorkspaceOf,
)
from flows.core.house import House
from flows.core.noting import note_access_change

router = APIRouter(prefix="/v1", tags=["users"])


@router.get("/roles", dependencies=[FOR_WHO_IS_SIGNED_IN])
async def list_roles(house: HouseOf) -> list[Role]:
    """List the roles and what each permits."""
    return await house.control.read(users.list_roles)


@router.put("/roles/{slug}")
async def set_role(slug: str, order: Role, house: HouseOf, admin: AdminOf) -> Role:
    """Make a role, or change one that did not come with Postern."""
    role_set = await house.control.write(users.set_role, order.model_copy(update={"slug": slug}))
    permits = ", ".join(role_set.permissions)
    await note_access_change(
        house, [None], admin, action="set-role", subject=f"role:{slug}", detail=permits
    )
    return role_set


@router.delete("/roles/{slug}", status_code=204)
async def remove_role(slug: str, house: HouseOf, admin: AdminOf) -> None:
    """Remove a role that nobody holds."""
    await house.control.write(users.remove_role, slug)
    await note_access_change(house, [None], admin, action="remove-role", subject=f"role:{slug}")


@router.get("/users", dependencies=[FOR_ADMINISTRATORS])
async def list_users(house: HouseOf) -> list[User]:
    """List all users, those who were ended too."""
    return await house.control.read(users.list_users)


@router.post("/users", status_code=201)
async def add_user(order: NewUser, house: HouseOf, admin: AdminOf) -> User:
    """Make a user, with grants in any organization."""
    await _must_be_there(house, order.grants)
    added_user = await house.control.write(users.add_user, order, house.clock())
    await _note_user(house, admin, "add-user", added_user)
    return added_user


@router.put("/users/{user_id}")
async def edit_user(user_id: str, order: EditUser, house: HouseOf, admin: AdminOf) -> User:
    """Change a user; what the user's tokens permit changes from the next call on."""
    await _must_be_there(house, order.grants or ())
    before = await house.control.read(users.read_user, user_id)
    edited_user = await house.control.write(users.edit_user, user_id, order)
    await _note_user(house, admin, "edit-user", edited_user, before)
    return edited_user


@router.delete("/users/{user_id}", status_code=204)
async def end_user(user_id: str, house: HouseOf, admin: AdminOf) -> None:
    """End a user: grants, teams and tokens go, what the user did stays on record."""
    before = await house.control.read(users.read_user, user_id)
    ended_user = await house.control.write(users.end_user, user_id, house.clock())
    await _note_user(house, admin, "end-user", ended_user, before)


@router.get("/{org}/users")
async def users_of_organization(house: HouseOf, workspace: WorkspaceOf) -> list[User]:
    """List who may see an organization, without what they may do elsewhere."""
    everybody = await house.control.read(users.list_users)
    here = (None, workspace.slug)
    return [
        user.model_copy(
            update={
                "grants": tuple(
                    own_grant for own_grant in user.grants if own_grant.organization in here
                )
            }
        )
        for user in everybody
        if any(grant.organization in here for grant in user.grants)
    ]


async def _note_user(
    house: House, admin: Principal, action: str, user: User, before: User | None = None
) -> None:
    """Write to the log of every organization that the user sees, or has seen, what changed there.

    What the user may do in others stands in the logs of those.
    """
    grants = (*user.grants, *(before.grants if before else ()))
    concerned = {grant.organization for grant in grants}
    if None in concerned:
        known_organizations = await house.control.read(control.list_organizations)
        concerned = {organization.slug for organization in known_organizations}
    for slug in concerned:
        held_there = ", ".join(
            f"{grant.role} in {grant.organization or 'all'}"
            for grant in user.grants
            if grant.organization in (None, slug)
        )
        await note_access_change(
            house,
            [slug],
            admin,
            action=action,
            subject=f"user:{user.id}",
            detail=f"{user.name}: {held_there or 'no role'}",
        )


async def _must_be_there(house: House, grants: Iterable[Grant]) -> None:
    for grant in grants:
        if grant.organization is not None:
            await house.control.read(control.read_organization, grant.organization)
