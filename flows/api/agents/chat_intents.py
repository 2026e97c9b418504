"""Plain questions that are answered without the model, where a person has said so."""

from fastapi import APIRouter

from data.records.agents.intents import IntentList, SwitchedIntent
from data.records.core.record import Line
from flows.agents.shadowing import list_compared_intents, switch_intent
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf

router = APIRouter(prefix="/v1/{org}/chat-intents", tags=["agents"])


@router.get("")
async def list_intents(
    house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> IntentList:
    """Return the kinds of plain questions, with what would have been answered to them."""
    items = await workspace.db.read(list_compared_intents, principal.id)
    return IntentList(items=items, with_model=house.thinker is not None)


@router.put("/{intent}")
async def switch(
    intent: Line,
    order: SwitchedIntent,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> IntentList:
    """Have one kind answered without the model, or with it (who manages users)."""
    on = order.switched_on
    items = await switch_intent(house, workspace, intent, principal, switched_on=on)
    return IntentList(items=items, with_model=house.thinker is not None)
