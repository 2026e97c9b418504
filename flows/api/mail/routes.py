"""Routes: which addresses lead to an organization, and how their mail is worked on."""

import asyncio

from fastapi import APIRouter

from data.records.core.organization import Route
from data.records.core.principals import Principal
from data.store.core import control
from flows.api.core.context import FOR_ADMINISTRATORS, AdminOf, HouseOf
from flows.core.house import House
from flows.core.noting import note_access_change
from flows.mail.leaving.endpoint_keys import complete_route

router = APIRouter(prefix="/v1", tags=["administration"])


@router.get("/routes", dependencies=[FOR_ADMINISTRATORS])
async def routes(house: HouseOf) -> list[Route]:
    """List the routes."""
    return await house.control.read(control.list_routes)


@router.post("/routes", status_code=201)
async def set_route(order: Route, house: HouseOf, admin: AdminOf) -> Route:
    """Make a route, or change one; the key of an endpoint is made when it is missing."""
    await house.control.read(control.read_organization, order.organization)
    route = await asyncio.to_thread(complete_route, house.settings, order)
    await house.control.write(control.set_route, route)
    await house.publish_routes()
    detail = f"{route.pattern}: {route.mode.value}"
    await _note_route(house, admin, "set-route", route.organization, detail)
    return route


@router.delete("/routes", status_code=204)
async def remove_route(pattern: str, house: HouseOf, admin: AdminOf) -> None:
    """Forget a route; its mail is refused from then on."""
    routes_known = await house.control.read(control.list_routes)
    slug = next((route.organization for route in routes_known if route.pattern == pattern), "")
    await house.control.write(control.remove_route, pattern)
    await house.publish_routes()
    if slug:
        await _note_route(house, admin, "remove-route", slug, pattern)


async def _note_route(house: House, admin: Principal, action: str, slug: str, detail: str) -> None:
    await note_access_change(
        house, [slug], admin, action=action, subject=f"organization:{slug}", detail=detail
    )
