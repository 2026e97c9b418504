"""Organizations, routes and tokens; for administrators."""

import asyncio
from typing import Literal

from fastapi import APIRouter

from data.records.organization import Dkim, Organization, Route
from data.records.record import Record
from data.store import control
from flows.api.context import AdminOf, HouseOf
from flows.leaving.endpoint_keys import completed
from flows.leaving.signing import to_publish
from flows.sync import sync_one

router = APIRouter(prefix="/v1", tags=["administration"])


class NewToken(Record):
    """Whom to make a token for."""

    user: str
    role: Literal["admin", "reviewer"] = "reviewer"
    organization: str | None = None


class Signing(Record):
    """How replies are signed."""

    dkim: Dkim | None = None
    """None for not at all."""


@router.get("/organizations")
async def organizations(house: HouseOf, admin: AdminOf) -> list[Organization]:
    """List the organizations."""
    del admin
    return await house.control.read(control.organizations)


@router.post("/organizations", status_code=201)
async def add_organization(given: Organization, house: HouseOf, admin: AdminOf) -> dict[str, str]:
    """Make an organization; the answer holds its webhook secret."""
    del admin
    keys = await house.add_organization(given)
    await house.workspace(given.slug)
    return {"slug": given.slug, "webhook_secret": keys.webhook_secret}


@router.put("/organizations/{slug}/dkim")
async def set_dkim(slug: str, given: Signing, house: HouseOf, admin: AdminOf) -> Organization:
    """Say how an organization's replies are signed."""
    del admin
    if given.dkim is not None:
        await asyncio.to_thread(to_publish, house.settings, given.dkim)  # it has to be usable
    workspace = await house.workspace(slug)
    workspace.organization = await house.control.write(control.set_dkim, slug, given.dkim)
    return workspace.organization


@router.post("/organizations/{slug}/sync")
async def sync_now(slug: str, house: HouseOf, admin: AdminOf) -> dict[str, bool]:
    """Load what changed in the organization's source folder, now."""
    del admin
    return {"changed": await sync_one(house, await house.workspace(slug))}


@router.get("/routes")
async def routes(house: HouseOf, admin: AdminOf) -> list[Route]:
    """List the routes."""
    del admin
    return await house.control.read(control.routes)


@router.post("/routes", status_code=201)
async def set_route(given: Route, house: HouseOf, admin: AdminOf) -> Route:
    """Make a route, or change one; the key of an endpoint is made when it is missing."""
    del admin
    await house.control.read(control.organization, given.organization)
    route = await asyncio.to_thread(completed, house.settings, given)
    await house.control.write(control.set_route, route)
    await house.publish_routes()
    return route


@router.delete("/routes", status_code=204)
async def remove_route(pattern: str, house: HouseOf, admin: AdminOf) -> None:
    """Forget a route; its mail is refused from then on."""
    del admin
    await house.control.write(control.remove_route, pattern)
    await house.publish_routes()


@router.post("/tokens", status_code=201)
async def add_token(given: NewToken, house: HouseOf, admin: AdminOf) -> dict[str, str]:
    """Make a token; it is shown this once."""
    del admin
    token = await house.control.write(
        control.add_token, given.user, given.role, given.organization, house.clock()
    )
    return {"user": given.user, "token": token}
