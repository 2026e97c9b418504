"""Organizations and tokens; for administrators."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.security import HTTPAuthorizationCredentials

from data.records.core.first_organization import MadeOrganization, PlainOrganization
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.core.profiles import EditProfile
from data.records.core.tokens import NewToken, TokenEntry
from data.store.core import control, users
from flows.api.core.context import FOR_ADMINISTRATORS, WAKES, AdminOf, HouseOf, bearer
from flows.core.administration.making_organizations import make_another_organization
from flows.core.administration.profiling import edit_profile
from flows.core.house import House
from flows.core.noting import note_access_change

router = APIRouter(prefix="/v1", tags=["administration"])


@router.get("/organizations", dependencies=[FOR_ADMINISTRATORS])
async def organizations(house: HouseOf) -> list[Organization]:
    """List the organizations."""
    return await house.control.read(control.list_organizations)


@router.post("/organizations", status_code=201)
async def add_organization(order: Organization, house: HouseOf, admin: AdminOf) -> dict[str, str]:
    """Make an organization; the answer holds its webhook secret."""
    keys = await house.add_organization(order)
    await house.get_workspace(order.slug)
    await note_access_change(
        house,
        [order.slug],
        admin,
        action="add-organization",
        subject=f"organization:{order.slug}",
        detail=f"{order.name}, {order.addresses[0]}" if order.addresses else order.name,
    )
    return {"slug": order.slug, "webhook_secret": keys.webhook_secret}


@router.post("/organizations/plain", status_code=201, dependencies=[WAKES])
async def make_organization(
    order: PlainOrganization, house: HouseOf, admin: AdminOf
) -> MadeOrganization:
    """Make an organization of a name, an address, a language and a time zone."""
    return await make_another_organization(house, order, admin)


@router.put("/organizations/{slug}")
async def edit_organization(
    slug: str, order: EditProfile, house: HouseOf, admin: AdminOf
) -> Organization:
    """Change an organization's profile; it counts from the next batch on."""
    return await edit_profile(house, await house.get_workspace(slug), order, admin)


@router.get("/organizations/{slug}/webhook", dependencies=[FOR_ADMINISTRATORS])
async def webhook_secret(slug: str, house: HouseOf) -> dict[str, str]:
    """Return the secret with which others sign mail that they hand in for an organization."""
    await house.control.read(control.read_organization, slug)
    keys = await house.control.read(control.read_keys, slug)
    return {"webhook_secret": keys.webhook_secret}


@router.post("/tokens", status_code=201)
async def add_token(order: NewToken, house: HouseOf, admin: AdminOf) -> dict[str, str]:
    """Make a token; it is shown this once."""
    if order.organization is not None:
        await house.control.read(control.read_organization, order.organization)
    if order.user_id:
        token = await house.control.write(control.add_token_of, order.user_id, house.clock())
    else:
        token = await house.control.write(
            control.add_token, order.user, order.role, order.organization, house.clock()
        )
    owner = await house.control.read(control.read_token_principal, token)
    await _note_token(house, admin, "add-token", owner.id)
    return {"user": owner.name, "token": token}


@router.get("/tokens", dependencies=[FOR_ADMINISTRATORS])
async def tokens(house: HouseOf) -> list[TokenEntry]:
    """List the tokens: whose, since when, whether they were revoked; never the token itself."""
    return await house.control.read(control.list_tokens)


@router.delete("/tokens/{token_id}", status_code=204)
async def revoke_token(
    token_id: str,
    house: HouseOf,
    admin: AdminOf,
    own: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> None:
    """Take a token back; the window and the API refuse it from the next call on."""
    await house.control.write(
        control.revoke_token, token_id, own.credentials if own else "", house.clock()
    )
    tokens_known = await house.control.read(control.list_tokens)
    owner = next((token.user_id for token in tokens_known if token.id == token_id), "")
    if owner:
        await _note_token(house, admin, "revoke-token", owner)


async def _note_token(house: House, admin: Principal, action: str, user_id: str) -> None:
    owner = await house.control.read(users.read_user, user_id)
    await note_access_change(
        house,
        (grant.organization for grant in owner.grants),
        admin,
        action=action,
        subject=f"user:{owner.id}",
        detail=owner.name,
    )
