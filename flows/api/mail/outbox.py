"""The outbox: what is about to leave, what has left, and what nobody knows."""

from fastapi import APIRouter, Query

from data.records.core.listing import Page
from data.records.mail.orders import Resolve, ResolveForward
from data.records.mail.outgoing_views import DeliveryView, ForwardView
from data.records.mail.passing_on import Purpose
from data.states import DeliveryState, ForwardState
from data.store.core.database import Connection
from data.store.mail import attached_files, deliveries, forwards
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import delivery_view, forward_view
from flows.mail.people import forwards as forwarded
from flows.mail.people import outgoing

router = APIRouter(prefix="/v1/{org}", tags=["outbox"])


@router.get("/outbox")
async def outbox(
    workspace: WorkspaceOf,
    state: DeliveryState | None = None,
    purpose: Purpose | None = None,
    scheduled: bool = False,
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> Page[DeliveryView]:
    """Return one page of the outbox, newest first: replies, what people passed on, or both.

    With `scheduled` it is what waits for a moment that a person chose, the next to leave first.
    """
    page, total = await workspace.db.read(
        deliveries.list_page,
        state=state,
        purpose=purpose,
        scheduled=scheduled,
        limit=limit,
        offset=offset,
    )
    files = await workspace.db.read(attached_files.list_of_deliveries, [row.id for row in page])
    items = tuple(delivery_view(row, files.get(row.id, ())) for row in page)
    return Page(items=items, total=total)


@router.get("/deliveries/{delivery_id}")
async def delivery(delivery_id: str, workspace: WorkspaceOf) -> DeliveryView:
    """Return one reply of the outbox."""
    return await workspace.db.read(_shown, delivery_id)


@router.post("/deliveries/{delivery_id}/cancel")
async def cancel(
    delivery_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> DeliveryView:
    """Take a reply back before it leaves."""
    await outgoing.cancel(house, workspace, delivery_id, principal)
    return await workspace.db.read(_shown, delivery_id)


@router.post("/deliveries/{delivery_id}/resolve", dependencies=[WAKES])
async def resolve(
    delivery_id: str,
    order: Resolve,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> DeliveryView:
    """Decide on a delivery whose outcome is unknown or failed."""
    await outgoing.resolve(house, workspace, delivery_id, order.outcome, principal)
    return await workspace.db.read(_shown, delivery_id)


@router.get("/forwards")
async def list_forwards(
    workspace: WorkspaceOf,
    state: ForwardState | None = None,
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> Page[ForwardView]:
    """Return one page of what is forwarded to endpoints, newest first."""
    page, total = await workspace.db.read(
        forwards.list_page, state=state, limit=limit, offset=offset
    )
    return Page(items=tuple(forward_view(row) for row in page), total=total)


@router.get("/forwards/{forward_id}")
async def show_forward(forward_id: str, workspace: WorkspaceOf) -> ForwardView:
    """Return one message on its way to an endpoint."""
    return forward_view(await workspace.db.read(forwards.read_row, forward_id))


@router.post("/forwards/{forward_id}/resolve", dependencies=[WAKES])
async def resolve_forward(
    forward_id: str,
    order: ResolveForward,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> ForwardView:
    """Try a forward again, give it up, or take the giving up back."""
    await forwarded.resolve(house, workspace, forward_id, order.outcome, principal)
    return forward_view(await workspace.db.read(forwards.read_row, forward_id))


def _shown(cursor: Connection, delivery_id: str) -> DeliveryView:
    row = deliveries.read_shown(cursor, delivery_id)
    return delivery_view(row, attached_files.list_of_deliveries(cursor, [row.id]).get(row.id, ()))
