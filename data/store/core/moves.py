"""Guarded moves from state to state, each with its event in the same transaction."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import insert, match_among


class StatePlace(NamedTuple):
    """Where a kind of thing keeps its state."""

    kind: str
    """What its events call it."""
    table: str
    column: str
    beside: str
    """The column that names what a move is to be followed up for; empty for nothing."""


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
) -> dict[str, str]:
    """Move the rows with these ids that are in one of `sources` to `target`, with an event each.

    With `cases` only those rows move whose `case_id` is one of them.

    Returns:
        The ids that moved, each with what stands beside its state; empty for nothing.

    """
    moved = _list_movable(cursor, place, ids, sources, cases)
    if moved:
        condition, these = match_among("id", list(moved))
        statement = f"UPDATE {place.table} SET {place.column} = ? WHERE {condition}"  # our names
        cursor.execute(statement, [target, these])
    note_events(cursor, place.kind, list(moved), target, actor=actor, now=now, note=note)
    return moved


def _list_movable(
    cursor: Connection,
    place: StatePlace,
    ids: Sequence[str],
    sources: Iterable[str],
    cases: Sequence[str] | None,
) -> dict[str, str]:
    """Return those of the rows that may move, each with what stands beside its state.

    In the one writing thread nothing comes between this and the update. `UPDATE … RETURNING` would
    be one statement, but takes twice the time of both: it reads every column of the rows.
    """
    condition, parameter = match_among("id", ids)
    parameters = [parameter]
    if cases is not None:
        of_cases, parameter = match_among("case_id", cases)
        condition += f" AND {of_cases}"
        parameters.append(parameter)
    from_states = ", ".join(f"'{state}'" for state in sources)
    rows = cursor.execute(
        f"SELECT id, {place.beside or 'NULL'} FROM {place.table} "
        f"WHERE {condition} AND {place.column} IN ({from_states})",  # our names
        parameters,
    ).fetchall()
    return {str(identity): str(beside or "") for identity, beside in rows}


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
