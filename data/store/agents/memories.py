"""Items of memory.

Whatever returns items takes the layers that it may see, and there is no call without: `WITHIN` is
the one filter of all of them. Only the index of the words, which holds namespaces of its own and
gives out ids alone, is filled from every layer.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from pydantic import BaseModel

from data.errors import ConflictError, StoreError
from data.records.agents.memories import Evidence, Layer, Memory, MemoryPolicy
from data.states import MemoryState, sources_of
from data.store.core import leftovers
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    RowPage,
    first,
    insert,
    validate_one,
    validate_page,
    validate_rows,
)

Layers = Collection[Layer]
WITHIN = "layer IN (SELECT unnest(?::VARCHAR[]))"
"""The filter of every read: the layers that the caller may see."""
STOOD_FOR = (
    "stood_for(id) AS (SELECT ? UNION SELECT j.joined FROM memory_joins j "
    "JOIN stood_for ON j.kept = stood_for.id WHERE NOT j.apart)"
)
"""An item, those for which it stands, and those for which they stood before."""
_COLUMNS = ", ".join(Memory.model_fields)
_EVIDENCE = ", ".join(Evidence.model_fields)


def _list_keys(layers: Layers) -> list[str]:
    return [layer.key for layer in layers]


def read_memory(cursor: Connection, layers: Layers, memory_id: str) -> Memory:
    """Return one item of these layers.

    Raises:
        NotFoundError: they have none of that id; whether another layer has is not said.

    """
    statement = f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND id = ?"
    missing = f"nothing is remembered under {memory_id!r}"
    return validate_one(cursor, Memory, statement, [_list_keys(layers), memory_id], missing)


def find_current(cursor: Connection, layers: Layers, ids: Sequence[str]) -> dict[str, Memory]:
    """Return the current items of these layers with these ids."""
    return {item.id: item for item in list_in_state(cursor, layers, ids, MemoryState.CURRENT)}


def list_in_any_state(cursor: Connection, layers: Layers, ids: Sequence[str]) -> list[Memory]:
    """Return the items of these layers with these ids, whatever states they are in."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND id IN (SELECT unnest(?::VARCHAR[]))",
        [_list_keys(layers), list(ids)],
    )


def list_in_state(
    cursor: Connection, layers: Layers, ids: Sequence[str], state: MemoryState
) -> list[Memory]:
    """Return the items of these layers with these ids that are in a state."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND state = ? "
        "AND id IN (SELECT unnest(?::VARCHAR[]))",
        [_list_keys(layers), state, list(ids)],
    )


def list_page(
    cursor: Connection,
    layers: Layers,
    *,
    states: Collection[MemoryState],
    limit: int,
    offset: int = 0,
) -> RowPage[Memory]:
    """Return one page of items of these layers, the newest first, and how many there are."""
    return validate_page(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} "
        "AND state IN (SELECT unnest(?::VARCHAR[]))",
        order="last_at DESC, id DESC",
        parameters=[_list_keys(layers), [str(state) for state in states]],
        limit=limit,
        offset=offset,
    )


def count_by_layer(cursor: Connection, layers: Layers) -> dict[str, int]:
    """Return how many items are current in each of these layers, by key."""
    counted = cursor.execute(
        f"SELECT layer, count(*) FROM memories WHERE {WITHIN} AND state = 'current' GROUP BY layer",
        [_list_keys(layers)],
    ).fetchall()
    return {layer: int(count) for layer, count in counted}


def list_proposed(cursor: Connection, layers: Layers) -> list[Memory]:
    """Return what waits for the yes of the people of these layers, the oldest first."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND state = 'proposed' ORDER BY id",
        [_list_keys(layers)],
    )


def list_earlier(cursor: Connection, layers: Layers, of: Memory) -> list[Memory]:
    """Return what held before of the same subject and slot, the newest first."""
    if not of.slot:
        return []
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND layer = ? AND subject = ? "
        "AND slot = ? AND state = 'superseded' AND id != ? ORDER BY closed_at DESC, id DESC",
        [_list_keys(layers), of.layer, of.subject, of.slot, of.id],
    )


def list_replaced(cursor: Connection, layers: Layers, item_id: str) -> list[Memory]:
    """Return what an item took the place of, but for what it stands for in other words."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND state = 'superseded' "
        "AND closed_by = ? AND id NOT IN (SELECT joined FROM memory_joins WHERE NOT apart) "
        "ORDER BY closed_at DESC, id DESC",
        [_list_keys(layers), item_id],
    )


def list_successors(cursor: Connection, layer: Layer, of: Memory) -> list[Memory]:
    """Return what is current in the place of an item: what followed it, or holds its slot now."""
    return validate_rows(
        cursor,
        Memory,
        "WITH RECURSIVE line(id) AS (SELECT ? UNION SELECT m.closed_by FROM memories m "
        "JOIN line ON m.id = line.id WHERE m.state = 'superseded') "
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND state = 'current' AND id <> ? "
        "AND (id IN (SELECT id FROM line) OR (? AND slot <> '' AND subject = ? AND slot = ?))",
        [of.id, _list_keys([layer]), of.id, of.replaces, of.subject, of.slot],
    )


def list_evidence(cursor: Connection, layers: Layers, memory_id: str) -> tuple[Evidence, ...]:
    """Return the words that an item of these layers rests on, the oldest first.

    Those of the items that it stands for are among them.
    """
    listed = validate_rows(
        cursor,
        Evidence,
        f"WITH RECURSIVE {STOOD_FOR} SELECT {_EVIDENCE} FROM memory_evidence WHERE memory_id IN "
        f"(SELECT id FROM memories WHERE {WITHIN} AND id IN (SELECT id FROM stood_for)) "
        "ORDER BY said_at",
        [memory_id, _list_keys(layers)],
    )
    return tuple(listed)


def list_preferences(cursor: Connection, layers: Layers, limit: int) -> list[Memory]:
    """Return how people of these layers like things, and what they are called; the newest first."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND state = 'current' "
        "AND (kind = 'preference' OR slot = 'name' OR starts_with(slot, 'prefer')) "
        "ORDER BY last_at DESC, id DESC LIMIT ?",
        [_list_keys(layers), limit],
    )


def list_last_of_chat(
    cursor: Connection, layers: Layers, chat_id: str, author: str
) -> list[Memory]:
    """Return what a person had remembered last in a chat, as a list of one, or none."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} AND state = 'current' AND author = ? "
        "AND id IN (SELECT memory_id FROM memory_evidence WHERE chat_id = ?) "
        "ORDER BY last_at DESC, id DESC LIMIT 1",
        [_list_keys(layers), author, chat_id],
    )


def list_comparable(cursor: Connection, layer: Layer) -> list[Memory]:
    """Return what a new item of a layer may repeat or replace: current, proposed or rejected."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE {WITHIN} "
        "AND state IN ('current', 'proposed', 'rejected')",
        [_list_keys([layer])],
    )


def list_provenances(cursor: Connection, layers: Layers, ids: Collection[str]) -> list[str]:
    """Return the provenance of items that something is made from."""
    classes = cursor.execute(
        f"SELECT provenance FROM memories WHERE {WITHIN} AND id IN (SELECT unnest(?::VARCHAR[]))",
        [_list_keys(layers), list(ids)],
    ).fetchall()
    return [provenance for (provenance,) in classes]


def advance_revision(cursor: Connection) -> int:
    """Return a number that no change of an item has had.

    Raises:
        StoreError: the state has lost the row that holds it.

    """
    row = first(cursor, "UPDATE memory_revision SET newest = newest + 1 RETURNING newest")
    if row is None:  # an item without a number would never be found
        raise StoreError("the row that numbers changes of memory is missing; restore a backup")
    return int(row[0])


def add(
    cursor: Connection, item: Memory, evidence: Sequence[Evidence], lineage: Collection[str] = ()
) -> Memory:
    """Write a new item with the words that it rests on."""
    with_revision = item.model_copy(update={"revision": advance_revision(cursor)})
    insert(cursor, "memories", [_fields_of(with_revision)])
    if item.spilled:
        leftovers.settle(cursor, item.spilled)
    add_evidence(cursor, with_revision.id, evidence)
    insert(
        cursor,
        "memory_lineage",
        [{"memory_id": with_revision.id, "made_from": parent} for parent in lineage],
    )
    return with_revision


def has_evidence(cursor: Connection, memory_id: str, message_id: str) -> bool:
    """Return whether an item rests on a message already; the same words count once."""
    return bool(message_id) and bool(
        first(
            cursor,
            "SELECT 1 FROM memory_evidence WHERE memory_id = ? AND message_id = ?",
            [memory_id, message_id],
        )
    )


def add_evidence(cursor: Connection, memory_id: str, evidence: Sequence[Evidence]) -> None:
    """Write further words that an item rests on."""
    insert(
        cursor,
        "memory_evidence",
        [{"memory_id": memory_id, **_fields_of(evidence_item)} for evidence_item in evidence],
    )


def note_repeated(cursor: Connection, item: Memory, at: datetime) -> Memory:
    """Note that an item was said once more."""
    changed = item.model_copy(
        update={
            "count": item.count + 1,
            "last_at": max(at, item.last_at),
            "revision": advance_revision(cursor),
        }
    )
    _write_fields(cursor, changed, "count", "last_at")
    return changed


def set_count(cursor: Connection, item: Memory, count: int, last_at: datetime) -> Memory:
    """Note how often an item was said in all, and when last."""
    changed = item.model_copy(
        update={"count": count, "last_at": last_at, "revision": advance_revision(cursor)}
    )
    _write_fields(cursor, changed, "count", "last_at")
    return changed


def set_state(
    cursor: Connection, item: Memory, state: MemoryState, now: datetime, closed_by: str = ""
) -> Memory:
    """Bring an item into another state; what ends is kept with its time.

    Raises:
        ConflictError: it was brought into another one meanwhile.

    """
    closes = state not in (MemoryState.CURRENT, MemoryState.PROPOSED)
    changed = item.model_copy(
        update={
            "state": state,
            "asked_of": item.asked_of if state is MemoryState.PROPOSED else "",
            "closed_at": now if closes else None,
            "closed_by": closed_by if closes else "",
            "revision": advance_revision(cursor),
        }
    )
    guard = ", ".join(f"'{source}'" for source in sources_of(state))
    moved = _write_fields(
        cursor, changed, "state", "asked_of", "closed_at", "closed_by", guard=guard
    )
    if not moved:
        raise ConflictError("this was decided meanwhile; look at it again")
    return changed


def clear_meant_for(cursor: Connection, item: Memory) -> None:
    """Note that its person has decided where an item belongs."""
    changed = item.model_copy(update={"meant_for": None, "revision": advance_revision(cursor)})
    _write_fields(cursor, changed, "meant_for")


def delete(cursor: Connection, layers: Layers, ids: Sequence[str], now: datetime) -> list[str]:
    """Delete items of these layers with what they rest on; return the hashes of spilled texts.

    Those that nothing else names are noted, so that the archive loses them whatever comes between.
    """
    removed = cursor.execute(
        f"DELETE FROM memories WHERE {WITHIN} AND id IN (SELECT unnest(?::VARCHAR[])) "
        "RETURNING id, spilled",
        [_list_keys(layers), list(ids)],
    ).fetchall()
    removed_ids = [memory_id for memory_id, _ in removed]
    cursor.execute(
        "DELETE FROM memory_joins WHERE kept IN (SELECT unnest(?::VARCHAR[])) "
        "OR joined IN (SELECT unnest(?::VARCHAR[]))",
        [removed_ids, removed_ids],
    )
    for table in ("memory_evidence", "memory_lineage", "memory_uses"):
        cursor.execute(
            f"DELETE FROM {table} WHERE memory_id IN (SELECT unnest(?::VARCHAR[]))",
            [removed_ids],
        )
    advance_revision(cursor)
    spilled = {text_hash for _, text_hash in removed if text_hash}
    nobodies = leftovers.list_without_owner(cursor, sorted(spilled))
    leftovers.note(cursor, nobodies, now)
    return nobodies


def hand_over_layer(cursor: Connection, source: Layer, target: Layer, now: datetime) -> int:
    """Give every item of a layer into another's custody; return how many."""
    moved = cursor.execute(
        "UPDATE memories SET layer = $target, revision = $revision, "
        "last_at = greatest(last_at, $now), "
        "asked_of = CASE WHEN state = 'proposed' THEN $target ELSE asked_of END "
        "WHERE layer = $source RETURNING id",
        {
            "target": target.key,
            "revision": advance_revision(cursor),
            "now": now,
            "source": source.key,
        },
    )
    return len(moved.fetchall())


def list_changed_after(cursor: Connection, after: int) -> list[Memory]:
    """Return whatever changed after a revision, of every layer: for the index, and nobody else."""
    return validate_rows(
        cursor,
        Memory,
        f"SELECT {_COLUMNS} FROM memories WHERE revision > ? ORDER BY revision",
        [after],
    )


def list_revisions(cursor: Connection) -> dict[str, int]:
    """Return the revision of every current item, which the index is held to."""
    listed = cursor.execute("SELECT id, revision FROM memories WHERE state = 'current'").fetchall()
    return {memory_id: int(revision) for memory_id, revision in listed}


def read_newest_revision(cursor: Connection) -> int:
    """Return the newest revision that any item has had."""
    row = first(cursor, "SELECT newest FROM memory_revision")
    return int(row[0]) if row else 0


def read_policy(cursor: Connection) -> MemoryPolicy:
    """Return how what is picked up in chats is treated."""
    row = first(cursor, "SELECT policy FROM memory_policy")
    return MemoryPolicy.model_validate_json(row[0]) if row else MemoryPolicy()


def set_policy(cursor: Connection, memory_policy: MemoryPolicy) -> None:
    """Treat what is picked up in another way from now on."""
    cursor.execute("DELETE FROM memory_policy")
    insert(cursor, "memory_policy", [{"policy": memory_policy.model_dump_json()}])


def _fields_of(record: BaseModel) -> Fields:
    return record.model_dump()


def _write_fields(cursor: Connection, item: Memory, *fields: str, guard: str = "") -> bool:
    """Write some fields of an item and its revision; return whether it was there to be written."""
    names = (*fields, "revision")
    given = item.model_dump()
    guard_condition = f" AND state IN ({guard})" if guard else ""
    changed = cursor.execute(
        f"UPDATE memories SET {', '.join(f'{name} = ?' for name in names)} "
        f"WHERE id = ?{guard_condition} RETURNING id",
        [*(given[name] for name in names), item.id],
    )
    return bool(changed.fetchall())
