"""Calls of models: what they have used and cost, and what is left of the caps.

What a call can use is reserved before it, in the transaction that looks at the caps, and settled
after it. All writes of an organization go through one thread, so calls side by side cannot both
take what is left once.
"""

from collections.abc import Sequence
from datetime import datetime

from data.records.core.asking import Fault, ModelFaultError, TokenUsage
from data.records.core.caps import (
    Cap,
    CapPeriod,
    CapRefusal,
    CapScope,
    CapUnit,
    CapView,
    CountedCap,
    SetCap,
    caps_for,
    merge_caps,
)
from data.records.core.model_views import CallsView
from data.records.core.record import Record
from data.store.core import caps as cap_rows
from data.store.core.database import Connection
from data.store.core.statements import first, insert, update, validate_rows

ANSWERED = "answered"
RESERVED = "reserved"

_CONDITIONS = {
    CapScope.AGENT: "agent = ?",
    CapScope.USER: "principal = ?",
    CapScope.TEAM: "list_contains(teams, ?)",
    CapScope.TURN: "turn = ?",
    CapScope.SENDER: "sender = ?",
    CapScope.ITEM: "item_id = ?",
}
"""Which calls count for somebody or something; for the organization every call does."""
_SUMS = {
    CapUnit.MONEY: "coalesce(sum(cost) FILTER ({0}), 0)",
    CapUnit.TOKENS: "coalesce(sum(tokens) FILTER ({0}), 0)",
    CapUnit.REQUESTS: "count(*) FILTER ({0} AND outcome <> 'resting')",
}


class Call(Record):
    """One call, before it is made."""

    id: str
    agent: str
    """Slug of who is asked."""
    turn: str | None = None
    """The agent's turn that it belongs to."""
    principal: str | None = None
    """Id of the person in whose name it is made."""
    teams: tuple[str, ...] = ()
    """Ids of the teams that the person is in."""
    item_id: str | None = None
    """The message or case that it is about."""
    sender: str | None = None
    """Whose mail it is about."""
    provider: str
    model: str
    tier: str
    attempt: int
    started_at: datetime
    cost: float
    """The most it can cost, US dollars."""
    tokens: int
    """The most it can read and write."""
    priced: bool
    """Whether the model's price is known."""

    @property
    def subjects(self) -> dict[CapScope, tuple[str, ...]]:
        """Who the call counts for, by the scope of caps."""
        of_one = {
            CapScope.ORGANIZATION: "",
            CapScope.AGENT: self.agent,
            CapScope.USER: self.principal,
            CapScope.TURN: self.turn,
            CapScope.SENDER: self.sender,
            CapScope.ITEM: self.item_id,
        }
        subjects = {scope: (subject,) for scope, subject in of_one.items() if subject is not None}
        return {**subjects, CapScope.TEAM: self.teams}

    def uses(self, unit: CapUnit) -> float:
        """Return the most that it can take of a unit."""
        if unit is CapUnit.MONEY:
            return self.cost
        return self.tokens if unit is CapUnit.TOKENS else 1


def reserve(cursor: Connection, call: Call, settings: tuple[Cap, ...]) -> None:
    """Write the call down if the caps leave room for the most that it can use.

    Args:
        cursor: an open transaction of the writing thread.
        call: what is to be asked.
        settings: caps that hold where the organization has set none.

    Raises:
        ModelFaultError: they do not; it says which cap and until when. Or money is capped and the
            model's price is not known.

    """
    known_caps = tuple(set_cap.cap for set_cap in cap_rows.list_caps(cursor))
    caps = caps_for(merge_caps(known_caps, settings), call.subjects)
    if not call.priced and any(cap.unit is CapUnit.MONEY for cap, _ in caps):
        raise ModelFaultError(Fault.PRICE)
    used = _read_used(cursor, caps, call.started_at)
    over = [
        _find_refusal(cap, call)
        for (cap, _), before in zip(caps, used, strict=True)
        if cap.limit is not None and before + call.uses(cap.unit) > cap.limit
    ]
    if over:
        raise ModelFaultError(Fault.BUDGET, detail=max(over, key=_duration_of).sentence)
    row = {**call.model_dump(), "teams": list(call.teams), "outcome": RESERVED}
    insert(cursor, "model_calls", [row])


def _find_refusal(cap: Cap, call: Call) -> CapRefusal:
    assert cap.limit is not None  # noqa: S101  # such a cap refuses nothing
    return CapRefusal(
        cap=cap,
        too_large=call.uses(cap.unit) > cap.limit,
        until=cap.period.end(call.started_at),
    )


def _duration_of(refusal: CapRefusal) -> tuple[bool, float]:
    """Return what orders refusals by how long they hold: the last one is the reason."""
    until = refusal.until
    return refusal.too_large or until is None, until.timestamp() if until is not None else 0.0


def _read_used(cursor: Connection, caps: Sequence[CountedCap], now: datetime) -> list[float]:
    """Return what counts against each cap, in their order.

    Those with a period are summed in one look at the rows since the earliest start; what counts
    for ever is looked up by its subject.
    """
    used: dict[CountedCap, float] = {}
    lasting = [counted for counted in caps if counted.cap.period is CapPeriod.ONCE]
    running = [counted for counted in caps if counted.cap.period is not CapPeriod.ONCE]
    for group in (running, *([counted] for counted in lasting)):
        if group:
            used.update(zip(group, _read_sums(cursor, group, now), strict=True))
    return [used[counted] for counted in caps]


def _read_sums(cursor: Connection, caps: Sequence[CountedCap], now: datetime) -> tuple[float, ...]:
    columns, sum_values = [], []
    for counted in caps:
        conditions, values = _build_call_condition(counted, now)
        columns.append(_SUMS[counted.cap.unit].format(conditions))
        sum_values += values
    starts = [start for cap, _ in caps if (start := cap.period.start(now)) is not None]
    where, where_values = _build_call_condition(caps[0], now)
    if starts:
        where, where_values = "started_at >= ?", [min(starts)]
    row = first(
        cursor,
        f"SELECT {', '.join(columns)} FROM model_calls WHERE {where}",
        [*sum_values, *where_values],
    )
    assert row is not None  # noqa: S101  # an aggregate gives a row
    return tuple(float(amount) for amount in row)


def _build_call_condition(counted: CountedCap, now: datetime) -> tuple[str, list[datetime | str]]:
    """Return the condition, with its values, on the calls that count against a cap."""
    conditions: list[str] = []
    values: list[datetime | str] = []
    cap, subject = counted
    start = cap.period.start(now)
    if start is not None:
        conditions.append("started_at >= ?")
        values.append(start)
    if cap.scope in _CONDITIONS:
        conditions.append(_CONDITIONS[cap.scope])
        values.append(subject)
    return " AND ".join(conditions) or "true", values


def settle(
    cursor: Connection,
    call_id: str,
    outcome: str,
    usage: TokenUsage,
    *,
    cost: float,
    tokens: int,
    milliseconds: float,
) -> None:
    """Replace what was reserved by what the call has used and counts with."""
    settled_call = {"id": call_id, "outcome": outcome, "cost": cost, "tokens": tokens}
    update(
        cursor,
        "model_calls",
        [{**settled_call, "milliseconds": milliseconds, **usage.model_dump()}],
    )


def read_spent_in_turn(cursor: Connection, turn_id: str) -> float:
    """Return what a turn of an agent has cost so far, in US dollars, with what is reserved."""
    statement = "SELECT coalesce(sum(cost), 0) FROM model_calls WHERE turn = ?"
    spent = first(cursor, statement, [turn_id])
    return float(spent[0]) if spent is not None else 0.0


def read_caps_view(
    cursor: Connection, settings: tuple[Cap, ...], now: datetime
) -> tuple[CapView, ...]:
    """Return every cap with what is used of it, those that lift one of the settings too."""
    set_by_key = {set_cap.cap.key: set_cap for set_cap in cap_rows.list_caps(cursor)}
    return tuple(
        _build_view(cursor, set_by_key.get(cap.key, SetCap(cap=cap)), now)
        for cap in merge_caps(tuple(set_cap.cap for set_cap in set_by_key.values()), settings)
    )


def _build_view(cursor: Connection, set_cap: SetCap, now: datetime) -> CapView:
    cap, used = set_cap.cap, None
    if cap.scope is CapScope.ORGANIZATION or cap.subject:
        (used,) = _read_sums(cursor, [CountedCap(cap, cap.subject)], now)
    return CapView(
        cap=cap,
        set_by=set_cap.set_by,
        set_at=set_cap.set_at,
        used=used,
        begins_anew_at=cap.period.end(now),
    )


SUMS = (
    "count(*) AS calls, count(*) FILTER (outcome <> 'answered') AS failed, "
    "coalesce(sum(tokens_in), 0)::BIGINT AS tokens_in, "
    "coalesce(sum(cache_read), 0)::BIGINT AS cache_read, "
    "coalesce(sum(cache_write), 0)::BIGINT AS cache_write, "
    "coalesce(sum(tokens_out), 0)::BIGINT AS tokens_out, "
    "coalesce(sum(cost), 0) AS cost, "
    "count(*) FILTER (NOT priced) AS unpriced, "
    "coalesce(avg(milliseconds) FILTER (outcome = 'answered'), 0) AS milliseconds"
)
"""What is told of any group of calls."""
GROUPS = ("agent", "model", "sender", "principal", "outcome")
"""What calls can be added up by."""


def read_totals(cursor: Connection, since: datetime, by: str = "") -> list[CallsView]:
    """Return the sums since a time, in all or by one of `GROUPS`; who has no such is left out.

    Raises:
        ValueError: calls are not kept by that.

    """
    if by not in ("", *GROUPS):
        raise ValueError(f"calls are not told by {by!r}")
    statement = f"SELECT {SUMS} FROM model_calls WHERE started_at >= ?"
    if by:
        statement = (
            f"SELECT {by} AS name, {SUMS} FROM model_calls WHERE started_at >= ? "
            f"AND {by} IS NOT NULL GROUP BY {by} ORDER BY cost DESC, calls DESC, name LIMIT 20"
        )
    return validate_rows(cursor, CallsView, statement, [since])


def list_by_day(cursor: Connection, since: datetime) -> list[CallsView]:
    """Return the sums of each day (UTC) since a time on which something was asked, newest first."""
    return validate_rows(
        cursor,
        CallsView,
        f"SELECT strftime(timezone('UTC', started_at), '%Y-%m-%d') AS name, {SUMS} "
        "FROM model_calls WHERE started_at >= ? GROUP BY name ORDER BY name DESC",
        [since],
    )


def read_of_call(cursor: Connection, call_id: str) -> CallsView:
    """Return what one call has used and counts with; zeros where there is no such call."""
    statement = f"SELECT {SUMS} FROM model_calls WHERE id = ?"
    return validate_rows(cursor, CallsView, statement, [call_id])[0]


def read_of_turn(cursor: Connection, turn_id: str) -> CallsView:
    """Return the sums of what a turn of an agent has asked models; zeros where it asked none."""
    statement = f"SELECT {SUMS} FROM model_calls WHERE turn = ?"
    return validate_rows(cursor, CallsView, statement, [turn_id])[0]


def list_of_items(cursor: Connection, ids: Sequence[str]) -> list[CallsView]:
    """Return the sums by agent for these messages and cases together, in the order of asking."""
    if first(cursor, "SELECT 1 FROM model_calls WHERE item_id IN ? LIMIT 1", [list(ids)]) is None:
        return []  # which is told at a fifth of the price of sums
    return validate_rows(
        cursor,
        CallsView,
        f"SELECT agent AS name, {SUMS} FROM model_calls "
        "WHERE item_id IN (SELECT unnest(?)) GROUP BY agent ORDER BY min(started_at)",
        [list(ids)],
    )


Sums = tuple[int, int, float]
"""Tokens in, tokens out, cost in US dollars."""


def list_of_agents(
    cursor: Connection, agents: Sequence[str], ids: Sequence[str], since: datetime
) -> dict[str, Sums]:
    """Return what agents were asked since a time, for each item that they were asked about."""
    sums_by_item = cursor.execute(
        "SELECT item_id, sum(tokens_in)::BIGINT, sum(tokens_out)::BIGINT, sum(cost) "
        "FROM model_calls WHERE agent IN (SELECT unnest(?)) AND started_at >= ? "
        "AND item_id IN (SELECT unnest(?)) "
        "GROUP BY item_id",
        [list(agents), since, list(ids)],
    ).fetchall()
    return {
        item: (int(tokens_in), int(tokens_out), float(cost))
        for item, tokens_in, tokens_out, cost in sums_by_item
    }
