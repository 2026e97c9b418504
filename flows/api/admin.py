"""Organizations, routes and tokens; for administrators."""

from typing import Literal

from fastapi import APIRouter

from data.records.organization import Organization, Route
from data.records.record import Record
from data.store import control
from flows.api.context import AdminOf, HouseOf
from flows.sync import sync_one

router = APIRouter(prefix="/v1", tags=["administration"])


class NewToken(Record):
    """Whom to make a token for."""

    user: str
    role: Literal["admin", "reviewer"] = "reviewer"
    organization: str | None = None


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
    """Make a route, or change the mode of one."""
    del admin
    await house.control.read(control.organization, given.organization)
    await house.control.write(control.set_route, given)
    await house.publish_routes()
    return given


@router.post("/tokens", status_code=201)
async def add_token(given: NewToken, house: HouseOf, admin: AdminOf) -> dict[str, str]:
    """Make a token; it is shown this once."""
    del admin
    token = await house.control.write(
        control.add_token, given.user, given.role, given.organization, house.clock()
    )
    return {"user": given.user, "token": token}
