"""Guarded moves from state to state, each with its event in the same transaction."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection, insert


class StatePlace(NamedTuple):
    """Where a kind of thing keeps its state."""

    kind: str
    """What its events call it."""
    table: str
    column: str


def move_rows(
    cursor: Connection,
    place: StatePlace,
    ids: Sequence[str],
    target: str,
    sources: Iterable[str],
    *,
    actor: str,
    now: datetime,
    note: str | Mapping[str, str] = "",
    cases: Sequence[str] | None = None,
) -> list[str]:
    """Move the rows with these ids that are in one of `sources` to `target`, with an event each.

    With `cases` only those rows move whose `case_id` is one of them.

    Returns:
        The ids that moved.

    """
    from_states = ", ".join(f"'{state}'" for state in sources)
    within = "" if cases is None else " AND case_id IN (SELECT unnest(?))"
    parameters: list[object] = [target, list(ids)]
    parameters += [] if cases is None else [list(cases)]
    moved = [
        str(row[0])
        for row in cursor.execute(
            f"UPDATE {place.table} SET {place.column} = ? WHERE id IN (SELECT unnest(?)) "
            f"AND {place.column} IN ({from_states}){within} RETURNING id",  # our names
            parameters,
        ).fetchall()
    ]
    note_events(cursor, place.kind, moved, target, actor=actor, now=now, note=note)
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
