"""The ledger of promises: what replies that have left say we will do."""

from fastapi import APIRouter, Query

from data.records.core.listing import Page
from data.records.mail.promises import ClosePromise, PromiseState, PromiseView
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import promises as store
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import pick_fields

router = APIRouter(prefix="/v1/{org}/promises", tags=["promises"])


@router.get("")
async def promises(
    house: HouseOf,
    workspace: WorkspaceOf,
    state: PromiseState | None = None,
    case: str = "",
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> Page[PromiseView]:
    """Return one page of the promises, the next due first."""
    promises_listed, total = await workspace.db.read(
        store.list_page,
        state=state or "",
        case=case,
        today=workspace.organization.day(house.clock()),
        limit=limit,
        offset=offset,
    )
    return Page(items=tuple(pick_fields(PromiseView, row) for row in promises_listed), total=total)


@router.post("/{promise_id}/close")
async def close(
    promise_id: str,
    order: ClosePromise,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> dict[str, str]:
    """Say that a promise is kept, or no longer holds."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        store.close(cursor, promise_id, principal.name, order.note, now)
        audit.append(
            cursor,
            actor=principal.name,
            action="close promise",
            subject=f"promise:{promise_id}",
            detail=order.note,
            now=now,
        )

    await workspace.db.write(act)
    return {"state": "closed"}
