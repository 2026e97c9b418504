"""Every night, what says the same in other words becomes one line (docs/agents.md#memory)."""

import asyncio

from data.records.agents.memories import layer_of
from data.states import MemoryState
from data.store.agents import memories, memory_joins
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.agents.remembering.joining import Joining, list_joinings

MOST = 1_000
"""Items of a layer that are looked at in one night, the newest."""


async def consolidate_memories(house: House, workspace: Workspace) -> int:
    """Let items stand for those that say the same; return how many lines fewer there are."""
    apart = await workspace.db.read(memory_joins.list_separated_pairs)
    fewer = 0
    for key in await workspace.db.read(memory_joins.list_layers_of_several):
        items, _ = await workspace.db.read(
            memories.list_page, (layer_of(key),), states=(MemoryState.CURRENT,), limit=MOST
        )
        for joining in await asyncio.to_thread(list_joinings, items, apart):
            fewer += await workspace.db.write(_join_memories, joining, house)
    return fewer


def _join_memories(cursor: Connection, joining: Joining, house: House) -> int:
    """Join what is still as it was read; return how many lines fewer there are."""
    layer = layer_of(joining.kept.layer)
    ids_joined = (joining.kept, *joining.joined)
    now = memories.find_current(cursor, (layer,), [memory.id for memory in ids_joined])
    if any(now.get(memory.id) != memory for memory in ids_joined):
        return 0  # somebody has changed one meanwhile; the next night looks again
    memory_joins.join_memories(cursor, joining.kept, joining.joined, house.clock())
    return len(joining.joined)
