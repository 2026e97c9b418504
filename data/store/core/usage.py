"""What models were asked, what that has used and cost, and what is left of the caps.

Money is reserved before a call, in the transaction that looks at the caps, and settled after it.
All writes of an organization go through one thread, so calls side by side cannot both take
what is left once.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from data.asking import Fault, Usage
from data.records.core.record import Record
from data.store.core.database import Connection, first, insert, rows, update

ANSWERED = "answered"
RESERVED = "reserved"


class Caps(Record):
    """How much may be spent, US dollars, and how often one item may be worked on; 0 is no cap."""

    daily: float = 0.0
    monthly: float = 0.0
    sender: float = 0.0
    """For the mail of one sender in a day."""
    item_calls: int = 0
    """Calls for one message or case."""

    @property
    def money(self) -> bool:
        """Whether any sum is capped."""
        return bool(self.daily or self.monthly or self.sender)


class Call(Record):
    """One call, before it is made."""

    id: str
    item_id: str
    task: str
    sender: str
    provider: str
    model: str
    tier: str
    attempt: int
    started_at: datetime
    cost: float
    """The most it can cost, US dollars."""
    priced: bool
    """Whether the model's price is known."""


def reserve(cursor: Connection, call: Call, caps: Caps) -> Fault | None:
    """Write the call down if the caps leave room for the most that it can cost, else say why."""
    day = call.started_at.replace(hour=0, minute=0, second=0, microsecond=0)
    spent = first(
        cursor,
        "SELECT coalesce(sum(cost) FILTER (started_at >= ?), 0), coalesce(sum(cost), 0), "
        "coalesce(sum(cost) FILTER (started_at >= ? AND sender = ?), 0) "
        "FROM model_calls WHERE started_at >= ?",
        [day, day, call.sender, day.replace(day=1)],
    )
    assert spent is not None  # noqa: S101  # an aggregate gives a row
    for cap, sum_ in zip((caps.daily, caps.monthly, caps.sender), spent, strict=True):
        if cap and sum_ + call.cost > cap:
            return Fault.BUDGET
    if caps.item_calls:
        asked = first(
            cursor,
            "SELECT count(*) FROM model_calls WHERE item_id = ? AND outcome <> 'resting'",
            [call.item_id],
        )
        if asked is not None and asked[0] >= caps.item_calls:
            return Fault.BUDGET
    insert(cursor, "model_calls", [call.model_dump(mode="python") | {"outcome": RESERVED}])
    return None


def settle(
    cursor: Connection, call_id: str, outcome: str, usage: Usage, cost: float, milliseconds: float
) -> None:
    """Replace what was reserved by what the call has used and cost."""
    update(
        cursor,
        "model_calls",
        [
            {
                "id": call_id,
                "outcome": outcome,
                "cost": cost,
                "milliseconds": milliseconds,
                **usage.model_dump(),
            }
        ],
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


def totals(cursor: Connection, since: datetime, by: str = "") -> list[dict[str, Any]]:
    """Return the sums since a time, in all or by `task`, `model`, `sender` or `outcome`.

    Raises:
        ValueError: calls are not kept by that.

    """
    if by not in ("", "task", "model", "sender", "outcome"):
        raise ValueError(f"calls are not told by {by!r}")
    name = f"{by} AS name, " if by else ""
    group = f"GROUP BY {by} ORDER BY cost DESC, calls DESC, name LIMIT 20" if by else ""
    return rows(
        cursor, f"SELECT {name}{SUMS} FROM model_calls WHERE started_at >= ? {group}", [since]
    )


def of_items(cursor: Connection, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return the sums by task for these messages and cases together, in the order of asking."""
    if (
        first(cursor, "SELECT task FROM model_calls WHERE item_id IN ? LIMIT 1", [list(ids)])
        is None
    ):
        return []  # which is told at a fifth of the price of sums
    return rows(
        cursor,
        f"SELECT task AS name, {SUMS} FROM model_calls "
        "WHERE item_id IN (SELECT unnest(?)) GROUP BY task ORDER BY min(started_at)",
        [list(ids)],
    )


TASKS = {"screen": ("guard",), "context": ("summarize",), "plan": ("plan", "extract")}
"""What a stage asks of models, where that is not called as the stage is."""

Sums = tuple[int, int, float]
"""Tokens in, tokens out, cost in US dollars."""


def of_step(cursor: Connection, stage: str, ids: Sequence[str], since: datetime) -> dict[str, Sums]:
    """Return what a stage has asked of models since a time, for each item that it asked about."""
    found = rows(
        cursor,
        "SELECT item_id, sum(tokens_in)::BIGINT AS i, sum(tokens_out)::BIGINT AS o, sum(cost) AS c "
        "FROM model_calls WHERE task IN (SELECT unnest(?)) AND started_at >= ? "
        "AND item_id IN (SELECT unnest(?)) "
        "GROUP BY item_id",
        [list(TASKS.get(stage, (stage,))), since, list(ids)],
    )
    return {row["item_id"]: (int(row["i"]), int(row["o"]), float(row["c"])) for row in found}
