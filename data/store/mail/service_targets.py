"""By when cases that wait for a person should be answered."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.mail.service_levels import ServiceTarget
from data.store.core.database import Connection
from data.store.core.statements import first, insert, records

NEAREST_FIRST = "(SELECT due_at FROM service_targets t WHERE t.case_id = cases.id) NULLS LAST"
"""The order of cases by their targets: broken and near ones first."""
_OPEN_PAUSES = (
    "FROM snoozes s WHERE s.case_id = t.case_id AND s.until IS NULL AND s.ended_at IS NULL"
)
PAUSED = f"EXISTS (SELECT 1 {_OPEN_PAUSES})"
"""The condition on a target `t` that its time stands still: they owe us an answer."""
PAUSED_AT = f"(SELECT min(s.snoozed_at) {_OPEN_PAUSES})"
"""Since when the time of a target `t` stands still; NULL where it runs."""
_PAUSES = "s.until IS NULL AND s.ended_at IS NOT NULL"
_MADE_FOR = (
    "? || ':' || coalesce(category, '') || ':' || coalesce(priority, '') || "
    f"(SELECT repeat('|', count(*)) FROM snoozes s WHERE s.case_id = cases.id AND {_PAUSES})"
)


class UntargetedRow(NamedTuple):
    """A case whose target has to be computed, or computed anew."""

    id: str
    thread_id: str
    category: str | None
    priority: str | None
    began_at: datetime
    """When its first message came."""
    made_for: str


class SpanRow(NamedTuple):
    """A time that counts for a conversation or a case, e.g. for which it waited for us."""

    of: str
    """The conversation, or the case."""
    began_at: datetime
    ended_at: datetime


class TargetRow(NamedTuple):
    """The target of a case."""

    case_id: str
    kind: str
    due_at: datetime
    paused: bool


def list_untargeted(cursor: Connection, mark: str, limit: int) -> list[UntargetedRow]:
    """Return cases before a person whose target was not computed from what holds now.

    `mark` stands for the policy's levels and hours; with it count category and priority.
    """
    return records(
        cursor,
        UntargetedRow,
        "SELECT c.id, c.thread_id, c.category, c.priority, coalesce((SELECT min(m.received_at) "
        "FROM messages m WHERE m.id IN (SELECT unnest(c.message_ids))), c.received_at) "
        "AS began_at, c.made_for FROM ("
        f"SELECT cases.*, {_MADE_FOR} AS made_for FROM cases "
        "LEFT JOIN service_targets t ON t.case_id = cases.id "
        "WHERE state IN ('in_review', 'escalated', 'failed') "
        f"AND t.made_for IS DISTINCT FROM {_MADE_FOR} ORDER BY id LIMIT ?) c",
        [mark, mark, limit],
    )


def list_answered(cursor: Connection, thread_ids: Sequence[str]) -> list[SpanRow]:
    """Return for how long the answered cases of these conversations waited for us."""
    return records(
        cursor,
        SpanRow,
        "SELECT c.thread_id AS of, min(coalesce(m.received_at, c.received_at)) AS began_at, "
        "max(d.sent_at) AS ended_at "
        "FROM cases c JOIN deliveries d ON d.case_id = c.id "
        "LEFT JOIN messages m ON m.case_id = c.id "
        "WHERE d.purpose = 'reply' AND d.state = 'sent' AND d.sent_at IS NOT NULL "
        "AND c.thread_id IN (SELECT unnest(?)) GROUP BY c.thread_id, c.id",
        [list(thread_ids)],
    )


def list_paused(cursor: Connection, case_ids: Sequence[str]) -> list[SpanRow]:
    """Return for how long these cases, and those that they took over, waited for an answer."""
    return records(
        cursor,
        SpanRow,
        "WITH RECURSIVE line(id, of) AS (SELECT id, id FROM cases WHERE id IN (SELECT unnest(?)) "
        "UNION SELECT c.id, line.of FROM cases c JOIN line ON c.superseded_by = line.id) "
        "SELECT line.of, s.snoozed_at AS began_at, s.ended_at FROM line "
        f"JOIN snoozes s ON s.case_id = line.id AND {_PAUSES}",
        [list(case_ids)],
    )


def keep(
    cursor: Connection, targets: Mapping[str, ServiceTarget | None], made_for: Mapping[str, str]
) -> None:
    """Keep the targets of these cases, and what each was computed from."""
    cursor.execute(
        "DELETE FROM service_targets WHERE case_id IN (SELECT unnest(?))", [list(targets)]
    )
    insert(
        cursor,
        "service_targets",
        [
            {
                "case_id": case,
                "kind": str(target.kind) if target else "",
                "due_at": target.due_at if target else None,
                "made_for": made_for[case],
            }
            for case, target in targets.items()
        ],
    )


def list_of_cases(cursor: Connection, case_ids: Sequence[str]) -> dict[str, TargetRow]:
    """Return the targets of these cases, by case."""
    statement = (
        f"SELECT case_id, kind, due_at, {PAUSED} AS paused FROM service_targets t "
        "WHERE due_at IS NOT NULL AND case_id IN (SELECT unnest(?))"
    )
    return {row.case_id: row for row in records(cursor, TargetRow, statement, [list(case_ids)])}


def forget_all(cursor: Connection) -> None:
    """Remove every target: the organization has set none any more."""
    cursor.execute("DELETE FROM service_targets")


def has_any(cursor: Connection) -> bool:
    """Return whether any target is kept."""
    return first(cursor, "SELECT 1 FROM service_targets LIMIT 1") is not None
