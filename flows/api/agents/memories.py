"""Memories of agents, for the people whose they are (docs/agents.md#memory)."""

from fastapi import APIRouter, Query
from fastapi.responses import Response

from data.records.agents.memories import (
    EditMemory,
    LayerList,
    Memory,
    MemoryErased,
    MemoryExport,
    MemoryList,
    MemoryPolicy,
    MemoryView,
    NewMemory,
    PersonHoldingList,
    Recall,
    Remembered,
    ShareMemory,
)
from data.states import MemoryState
from flows.agents.erasing import erase_person, export_person, list_people_held
from flows.agents.memory_desk import PersonsMemory
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset

router = APIRouter(prefix="/v1/{org}/memories", tags=["memories"])


@router.get("")
async def list_memories(
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    layer: str = Query("", max_length=100),
    state: MemoryState = MemoryState.CURRENT,
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> MemoryList:
    """Return one page of what is known in a layer of who asks, or in all of them."""
    desk = PersonsMemory(house, workspace, principal)
    return await desk.list_page(layer, (state,), limit, offset)


@router.post("")
async def remember(
    order: NewMemory, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Remembered:
    """Remember what who asks has worded."""
    return await PersonsMemory(house, workspace, principal).remember(order.text, order.layer)


@router.get("/layers")
async def list_layers(house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf) -> LayerList:
    """Return the layers that who asks may look into."""
    return await PersonsMemory(house, workspace, principal).list_named_layers()


@router.get("/search")
async def search_memories(
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    q: str = Query(min_length=1, max_length=2000),
    limit: int = Query(10, ge=1, le=50),
) -> Recall:
    """Return what is known of a question, as an agent would recall it for who asks."""
    return await PersonsMemory(house, workspace, principal).search(q, limit)


@router.get("/proposed")
async def list_proposed(
    house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryList:
    """Return what waits for a yes of who asks."""
    return await PersonsMemory(house, workspace, principal).list_proposed()


@router.get("/export")
async def export_own(
    house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryExport:
    """Return everything that is remembered of who asks alone."""
    return await PersonsMemory(house, workspace, principal).export()


@router.get("/policy")
async def show_policy(
    house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryPolicy:
    """Return what becomes of what is picked up in chats, by layer."""
    return await PersonsMemory(house, workspace, principal).read_policy()


@router.put("/policy")
async def set_policy(
    order: MemoryPolicy, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryPolicy:
    """Change it; for who administers the organization."""
    return await PersonsMemory(house, workspace, principal).set_policy(order)


@router.get("/people")
async def list_people(
    house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> PersonHoldingList:
    """Return how much is held of each person; of who asks alone, where they manage no users."""
    return await list_people_held(house, workspace, principal)


@router.post("/people/{user_id}/export")
async def export_of_person(
    user_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryExport:
    """Return everything that is remembered of one person alone, to hand it out; audited."""
    return await export_person(house, workspace, user_id, principal)


@router.post("/people/{user_id}/erase")
async def erase_of_person(
    user_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryErased:
    """Erase what is remembered of one person, and the name in what others know; audited."""
    return await erase_person(house, workspace, user_id, principal)


@router.get("/{memory_id}")
async def show_memory(
    memory_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemoryView:
    """Return one item with the words that it rests on, and what held before."""
    return await PersonsMemory(house, workspace, principal).read_view(memory_id)


@router.put("/{memory_id}")
async def correct_memory(
    memory_id: str,
    order: EditMemory,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Remembered:
    """Put another wording in its place; the earlier one is kept with its time."""
    return await PersonsMemory(house, workspace, principal).correct(memory_id, order.text)


@router.delete("/{memory_id}", status_code=204)
async def delete_memory(
    memory_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Response:
    """Delete it for good, with the words that it rests on."""
    await PersonsMemory(house, workspace, principal).delete(memory_id)
    return Response(status_code=204)


@router.post("/{memory_id}/retire")
async def retire_memory(
    memory_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Memory:
    """Let it not be recalled any more; it is kept."""
    return await PersonsMemory(house, workspace, principal).retire(memory_id)


@router.post("/{memory_id}/restore")
async def restore_memory(
    memory_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Memory:
    """Let what was retired or replaced be known again."""
    return await PersonsMemory(house, workspace, principal).restore(memory_id)


@router.post("/{memory_id}/share")
async def share_memory(
    memory_id: str,
    order: ShareMemory,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Remembered:
    """Let a team or the organization know what was yours alone."""
    return await PersonsMemory(house, workspace, principal).share(memory_id, order.layer)


@router.post("/{memory_id}/accept")
async def accept_memory(
    memory_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Memory:
    """Say yes to what was proposed; what it contradicts ends."""
    return await PersonsMemory(house, workspace, principal).decide(memory_id, accepted=True)


@router.post("/{memory_id}/reject")
async def reject_memory(
    memory_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Memory:
    """Say no to it; it is kept, so that it is not proposed again."""
    return await PersonsMemory(house, workspace, principal).decide(memory_id, accepted=False)
