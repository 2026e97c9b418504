"""Guarded moves from state to state, each with its event in the same transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from data.states import (
    BranchState,
    CaseState,
    DeliveryState,
    ForwardState,
    MessageStatus,
    State,
    sources_of,
)
from data.store import actions
from data.store.database import Connection, insert
from data.store.thread_status import settle_threads_of_cases, settle_threads_of_messages

_PLACES: dict[type[StrEnum], tuple[str, str, str]] = {
    MessageStatus: ("message", "messages", "status"),
    CaseState: ("case", "cases", "state"),
    BranchState: ("branch", "branches", "state"),
    DeliveryState: ("delivery", "deliveries", "state"),
    ForwardState: ("forward", "forwards", "state"),
}


def move(
    cursor: Connection,
    ids: Sequence[str],
    target: State,
    *,
    actor: str,
    now: datetime,
    note: str | Mapping[str, str] = "",
    of: Sequence[str] | None = None,
) -> list[str]:
    """Move the things with these ids to `target` where the table of edges allows it.

    `of` is for messages: only those move that belong to one of these cases. Where two cases answer
    parts of a message, it belongs to the one that is further from its end.

    Returns:
        The ids that moved; one that is missing has moved on since, or may not go there.

    """
    if not ids:
        return []
    kind, table, column = _PLACES[type(target)]
    given: list[object] = [str(target), list(ids)]
    sources = ", ".join(f"'{one}'" for one in sources_of(target))
    only = ""
    if of is not None:
        only = " AND case_id IN (SELECT unnest(?))"
        given.append(list(of))
    found = cursor.execute(
        f"UPDATE {table} SET {column} = ? "  # our names
        f"WHERE id IN (SELECT unnest(?)) AND {column} IN ({sources}){only} RETURNING id",
        given,
    ).fetchall()
    moved = [str(row[0]) for row in found]
    note_events(cursor, kind, moved, str(target), actor=actor, now=now, note=note)
    if isinstance(target, CaseState):
        settle_threads_of_cases(cursor, moved)
        actions.follow(cursor, moved, target, actor, now)
    elif target is MessageStatus.STORED:
        settle_threads_of_messages(cursor, moved)
    return moved


def note_events(
    cursor: Connection,
    kind: str,
    ids: Sequence[str],
    state: str,
    *,
    actor: str,
    now: datetime,
    note: str | Mapping[str, str] = "",
) -> None:
    """Write one event per id; `note` is the same for all, or one by id."""
    insert(
        cursor,
        "events",
        [
            {
                "item_kind": kind,
                "item_id": item,
                "state": state,
                "actor": actor,
                "note": note if isinstance(note, str) else note.get(item, ""),
                "occurred_at": now,
            }
            for item in ids
        ],
    )
