"""Items of memory for which another one stands, because it says what they say."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.agents.memories import Layer, Memory
from data.states import MemoryState
from data.store.agents import memories
from data.store.core.database import Connection
from data.store.core.statements import first, insert, records


def list_layers_of_several(cursor: Connection) -> list[str]:
    """Return the keys of the layers in which several items are current."""
    layers = cursor.execute(
        "SELECT layer FROM memories WHERE state = 'current' GROUP BY layer HAVING count(*) > 1 "
        "ORDER BY layer"
    ).fetchall()
    return [layer for (layer,) in layers]


class SeparatedPairRow(NamedTuple):
    """Two items that a person has said are two things, by their ids."""

    kept: str
    joined: str


def list_separated_pairs(cursor: Connection) -> frozenset[SeparatedPairRow]:
    """Return the pairs of items that a person has said are two things."""
    statement = "SELECT kept, joined FROM memory_joins WHERE apart"
    return frozenset(records(cursor, SeparatedPairRow, statement))


def join_memories(
    cursor: Connection, joined_memory: Memory, joined: Sequence[Memory], now: datetime
) -> Memory:
    """Let an item stand for others: it counts what they counted, and their words are behind it.

    Raises:
        ConflictError: one of them was decided on meanwhile.

    """
    for item in joined:
        memories.set_state(cursor, item, MemoryState.SUPERSEDED, now, joined_memory.id)
    insert(
        cursor,
        "memory_joins",
        [
            {"kept": joined_memory.id, "joined": item.id, "apart": False, "joined_at": now}
            for item in joined
        ],
    )
    last = max(memory.last_at for memory in (joined_memory, *joined))
    return memories.set_count(
        cursor, joined_memory, joined_memory.count + sum(memory.count for memory in joined), last
    )


def separate_memory(cursor: Connection, memory: Memory, joined: Memory, now: datetime) -> Memory:
    """Let an item be known beside the one that stood for it; they are never joined again.

    Raises:
        ConflictError: it was decided on meanwhile.

    """
    restored = memories.set_state(cursor, joined, MemoryState.CURRENT, now)
    cursor.execute(
        "UPDATE memory_joins SET apart = true WHERE kept = ? AND joined = ?", [memory.id, joined.id]
    )
    memories.set_count(cursor, memory, max(1, memory.count - joined.count), memory.last_at)
    return restored


def list_joined(cursor: Connection, layers: Collection[Layer], memory_id: str) -> list[Memory]:
    """Return the items of these layers for which one stands, the newest first.

    Those for which one of them stood before are among them.
    """
    statement = f"WITH RECURSIVE {memories.STOOD_FOR} SELECT id FROM stood_for"
    joined = cursor.execute(statement, [memory_id]).fetchall()
    ids = [joined_id for (joined_id,) in joined if joined_id != memory_id]
    listed = memories.list_in_state(cursor, layers, ids, MemoryState.SUPERSEDED)
    return sorted(listed, key=lambda item: (item.last_at, item.id), reverse=True)


def find_stand_in(cursor: Connection, memory_id: str) -> str:
    """Return the id of the item that stands for one; empty where none does."""
    statement = "SELECT kept FROM memory_joins WHERE joined = ? AND NOT apart"
    row = first(cursor, statement, [memory_id])
    return str(row[0]) if row else ""
