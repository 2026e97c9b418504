"""The result of the played inbox: nothing lost, nothing doubled, and what was decided."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NotRequired, TypedDict

import polars as pl

from flows.demo.player import PlayedMail

UNFINISHED = frozenset({"received", "screening", "threaded", "processing", "classified"})
_RANK = {"clean": 0, "flagged": 1, "quarantine": 2}


class Waits(TypedDict):
    """Figures of acceptance to draft, seconds; None without any case."""

    cases: int
    median: float | None
    p95: float | None
    max: float | None


class Summary(TypedDict):
    """The figures of a run."""

    sent: int
    accepted: int
    final_states: dict[str, int]
    verdicts: dict[str, int]
    case_states: dict[str, int]
    drafts: int
    lost: int
    duplicated: int
    unfinished: int
    seconds: float
    seconds_to_draft: Waits
    verdicts_as_expected: int
    verdicts_unexpected: list[dict[str, str]]
    refused: list[dict[str, str]]
    lost_ids: list[str]
    seconds_to_ready: NotRequired[float]
    """Of the service that the demo has started."""
    seconds_played: NotRequired[float]
    seconds_to_drain: NotRequired[float]
    seconds_talked: NotRequired[float]
    answers_of_agents: NotRequired[int]


def summarize(
    ledger: Sequence[PlayedMail],
    messages: pl.DataFrame,
    cases: pl.DataFrame,
    *,
    window: float,
    seconds: float,
) -> Summary:
    """Return the figures of a run.

    Args:
        ledger: what was sent and accepted.
        messages: the export of that name.
        cases: the export of that name.
        window: quiet window of a burst, which the latency does not count, seconds.
        seconds: how long the whole run took.

    """
    rows = {row["id"]: row for row in messages.iter_rows(named=True)}
    accepted = [line for line in ledger if line.accepted]
    lost = [line for line in accepted if line.spool_id not in rows]
    worked = cases.filter(pl.col("state") != "superseded")
    verdicts = _compare(accepted, rows)
    return {
        "sent": len(ledger),
        "accepted": len(accepted),
        "final_states": _count(row["status"] for row in rows.values()),
        "verdicts": _count(row["verdict"] or "none" for row in rows.values()),
        "case_states": _count(cases["state"]),
        "drafts": int(worked["has_draft"].sum()),
        "lost": len(lost),
        "duplicated": _duplicated(accepted, messages, worked),
        "unfinished": sum(1 for row in rows.values() if row["status"] in UNFINISHED),
        "seconds": round(seconds, 1),
        "seconds_to_draft": _latency(worked, window),
        "verdicts_as_expected": len(accepted) - len(verdicts),
        "verdicts_unexpected": verdicts,
        "refused": [{"id": s.entry.id, "answer": s.answer} for s in ledger if not s.accepted],
        "lost_ids": [line.entry.id for line in lost],
    }


def _duplicated(
    accepted: Sequence[PlayedMail], messages: pl.DataFrame, worked: pl.DataFrame
) -> int:
    """Count messages that stand twice in the state, and contents worked on in two cases."""
    twice = messages.height - messages["id"].n_unique()
    content = {line.spool_id: line.content for line in accepted}
    places: dict[str, set[str]] = {}
    for case, ids in worked.select("id", "message_ids").iter_rows():
        for item in ids:
            places.setdefault(content.get(item, item), set()).add(case)
    return twice + sum(len(place) - 1 for place in places.values())


def _latency(worked: pl.DataFrame, window: float) -> Waits:
    """Return figures of acceptance to draft, the quiet window excluded, seconds."""
    with_draft = worked.filter(pl.col("drafted_at").is_not_null())
    waits = [
        max(0.0, (drafted - received).total_seconds() - (0 if reason == "urgent" else window))
        for drafted, received, reason in with_draft.select(
            "drafted_at", "received_at", "burst_reason"
        ).iter_rows()
    ]
    if not waits:
        return {"cases": 0, "median": None, "p95": None, "max": None}
    waits.sort()
    at95 = waits[min(len(waits) - 1, int(len(waits) * 0.95))]
    return {
        "cases": len(waits),
        "median": round(median(waits), 2),
        "p95": round(at95, 2),
        "max": round(waits[-1], 2),
    }


def _compare(
    accepted: Iterable[PlayedMail], rows: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, str]]:
    """Return the entries whose verdict is another than a careful person's.

    An exact copy is stored without being screened again, so it is not compared.
    """
    unexpected = []
    for line in accepted:
        row, expected = rows.get(line.spool_id), line.entry.expect.verdict
        if row is None or row["duplicate_of"]:
            continue
        actual = row["verdict"] or "none"
        at_least = expected == "flagged" and _RANK.get(actual, -1) >= _RANK["flagged"]
        if actual != expected and not at_least:
            unexpected.append({"id": line.entry.id, "expected": expected, "got": actual})
    return unexpected


def _count(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
