"""The work of turns behind their answers: calls, requests, time and cost, for many at once."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, groupby
from typing import NamedTuple

from pydantic import TypeAdapter

from data.records.agents.chats import ChartBar
from data.records.agents.turn_work import CallShown, StatedClaim, TurnWork
from data.records.agents.turns import GateAnswer, MoveKind, Permit
from data.records.core.tools import Change
from data.states import MoveState
from data.store.core.database import Connection
from data.store.core.statements import first, records

CLAIM_CHECK = "check"
"""Name of the move in which what an answer states is held against its sources."""
_GATES: TypeAdapter[tuple[GateAnswer, ...]] = TypeAdapter(tuple[GateAnswer, ...])
_CLAIMS: TypeAdapter[tuple[StatedClaim, ...]] = TypeAdapter(tuple[StatedClaim, ...])
_CHANGES: TypeAdapter[tuple[Change, ...]] = TypeAdapter(tuple[Change, ...])
_BARS: TypeAdapter[tuple[ChartBar, ...]] = TypeAdapter(tuple[ChartBar, ...])
_DONE = """
SELECT m.turn_id, m.kind, m.name, m.state, m.gates, t.agent_version AS version,
    CASE WHEN m.kind = 'act' AND m.state = 'done'
        AND json_type(m.result, '$.chart.data.values') = 'ARRAY'
        THEN (m.result->'$.chart.data.values')::VARCHAR END AS bars,
    CASE WHEN m.kind IN ('act', 'extract') AND m.state = 'done'
        AND json_array_length(m.result, '$.changes') > 0
        THEN (m.result->'$.changes')::VARCHAR END AS changes,
    coalesce(date_diff('millisecond', t.started_at, t.ended_at), 0) / 1000 AS seconds,
    CASE WHEN m.name = 'check' AND m.kind = 'think' THEN m.result::VARCHAR
        WHEN m.kind = 'extract' OR m.state IN ('failed', 'unknown')
        THEN coalesce(m.result->>'$.sentence', m.result->>'$') END AS told
FROM turn_moves AS m JOIN turns AS t ON t.id = m.turn_id
WHERE m.turn_id IN (SELECT unnest(?))
ORDER BY m.turn_id, m.ordinal
"""
_COSTS = """
SELECT turn, CASE WHEN bool_and(priced) THEN sum(cost) END AS cost
FROM model_calls WHERE turn IN (SELECT unnest(?)) GROUP BY turn
"""


class _MoveRow(NamedTuple):
    """A move of a turn, as far as it is shown, with what holds for its whole turn."""

    turn_id: str
    kind: str
    name: str
    state: str
    gates: str | None
    """JSON: what each gate said of a call."""
    version: str
    """Of the turn's agent."""
    bars: str | None
    """JSON: the chart that a call has given."""
    changes: str | None
    """JSON: what a call has changed at the person's word, or was picked up of it."""
    seconds: float
    """How long the turn took."""
    told: str | None
    """JSON of the claims of a check; else what a call or reading came to, as a sentence."""


def count_unread(cursor: Connection, since: datetime) -> int:
    """Return in how many turns reading for what to remember has failed since a moment."""
    failed = first(
        cursor,
        "SELECT count(DISTINCT turn_id) FROM turn_moves "
        "WHERE kind = 'extract' AND state = 'failed' AND ended_at >= ?",
        [since],
    )
    return int(failed[0]) if failed is not None else 0


class ShownWork(NamedTuple):
    """What is shown below the answer of a turn."""

    work: TurnWork
    """What the turn did; of tools it has the names alone."""
    bars: tuple[ChartBar, ...]
    """The chart that its calls have given; the last of several."""
    changes: tuple[Change, ...]
    """What its calls have changed at the person's word, or was picked up of it, in order."""


def list_shown_work(cursor: Connection, turn_ids: Sequence[str]) -> dict[str, ShownWork]:
    """Return what is shown below the answers of these turns, by their ids."""
    if not turn_ids:  # as in most chats of people among themselves
        return {}
    moves = records(cursor, _MoveRow, _DONE, [list(turn_ids)])
    asked = {row.turn_id for row in moves if row.kind == MoveKind.THINK}
    costs = dict(cursor.execute(_COSTS, [list(asked)]).fetchall()) if asked else {}
    return {
        turn_id: _build_shown_work(list(of_turn), costs.get(turn_id, 0.0))
        for turn_id, of_turn in groupby(moves, key=lambda row: row.turn_id)
    }


def _build_shown_work(moves: Sequence[_MoveRow], cost: float | None) -> ShownWork:
    charts = [row.bars for row in moves if row.bars is not None]
    bars = _BARS.validate_json(charts[-1]) if charts else ()
    calls = [_CHANGES.validate_json(row.changes) for row in moves if row.changes is not None]
    return ShownWork(_build_work(moves, cost), bars, tuple(chain.from_iterable(calls)))


def _build_work(moves: Sequence[_MoveRow], cost: float | None) -> TurnWork:
    reading = [row for row in moves if row.kind == MoveKind.EXTRACT]
    checked = next((row.told for row in moves if row.name == CLAIM_CHECK), None)
    picking_up = reading[-1] if reading else None
    return TurnWork(
        version=moves[0].version,
        requests=sum(row.kind == MoveKind.THINK and row.name == "ask" for row in moves),
        calls=tuple(
            CallShown(tool=row.name, state=row.state, why=tuple(_list_reasons(row)))
            for row in moves
            if row.kind == MoveKind.ACT
        ),
        claims=_CLAIMS.validate_json(checked) if checked else (),
        remembering=MoveState(picking_up.state) if picking_up else None,
        remembered=(picking_up.told or "") if picking_up else "",
        seconds=moves[0].seconds,
        cost=cost,
    )


def _list_reasons(row: _MoveRow) -> Iterator[str]:
    """Yield why a call did not simply happen, each reason once."""
    gates = _GATES.validate_json(row.gates) if row.gates else ()
    reasons = [gate.reason for gate in gates if gate.permit is not Permit.ALLOW]
    yield from reasons
    sentence = row.told or ""
    if sentence and sentence != " ".join(reasons):
        yield sentence
