"""Actions of plans: what became of each, and who decided on it.

An action is `planned`, waits for a person (`pending_review`), is `approved`, and in the end is
`executed` or `rejected`. What a plan says and nobody has to approve is executed with the plan; the
rest follows its case, in the transaction that moves it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.ids import branch_id
from data.records.mail.planning import ActionStatus, ActionType, ActionView, Plan
from data.states import CaseState
from data.store.core.database import Connection
from data.store.core.statements import columns, insert, match_among, records

_T, _S = ActionType, ActionStatus
EXECUTED_ON_PLANNING = frozenset(
    {_T.CREATE_TICKET, _T.TAG_THREAD, _T.CREATE_CONTACT, _T.ASK_OWNER, _T.WAIT}
)
"""What is done as soon as it is planned."""
_OPEN = "status IN ('planned', 'pending_review', 'approved')"


class _ActionRow(NamedTuple):
    """What became of one action of a branch."""

    branch_id: str
    position: int
    type: str
    status: str
    reviewed_by: str
    reviewed_at: datetime | None
    executed_at: datetime | None


_ACTION = columns(_ActionRow)


def write_planned(cursor: Connection, plans: Mapping[str, Sequence[Plan]], now: datetime) -> None:
    """Write down the actions of these cases' plans, in the place of earlier ones."""
    remove_actions(cursor, list(plans))
    insert(
        cursor,
        "actions",
        [
            {
                "branch_id": branch_id(case, branch),
                "position": position,
                "type": action.type,
                "argument": action.argument,
                "reason": action.reason,
                "floor": action.floor,
                "audience": action.audience,
                "money": action.money,
                "related": action.related,
                "status": _S.EXECUTED if action.type in EXECUTED_ON_PLANNING else _S.PLANNED,
                "executed_at": now if action.type in EXECUTED_ON_PLANNING else None,
                "planned_at": now,
            }
            for case, case_plans in plans.items()
            for branch, plan in enumerate(case_plans)
            for position, action in enumerate(plan.actions)
        ],
    )


def remove_actions(cursor: Connection, case_ids: Sequence[str]) -> None:
    """Remove the actions of cases that are understood anew."""
    if branches := _list_branches(cursor, case_ids):
        condition, branch_values = match_among("branch_id", branches)
        cursor.execute(f"DELETE FROM actions WHERE {condition}", [branch_values])


def _list_branches(cursor: Connection, case_ids: Sequence[str]) -> list[str]:
    """Return the ids of the branches of these cases; actions are found by them."""
    condition, case_values = match_among("case_id", case_ids)
    branch_rows = cursor.execute(
        f"SELECT id FROM branches WHERE {condition}", [case_values]
    ).fetchall()
    return [str(row[0]) for row in branch_rows]


def follow_case(
    cursor: Connection, case_ids: Sequence[str], state: CaseState, actor: str, now: datetime
) -> None:
    """Give the actions of cases that have moved to `state` the status that follows from it."""
    branches = _list_branches(cursor, case_ids) if case_ids else []
    if not branches:
        return
    condition, branch_values = match_among("branch_id", branches, "$branches")
    for change in _CHANGES.get(state, ()):
        statement = f"UPDATE actions SET {change} AND {condition}"
        parameters = {"branches": branch_values, "actor": actor, "now": now}
        # DuckDB refuses parameters that a statement does not name.
        used_parameters = {
            name: value for name, value in parameters.items() if f"${name}" in statement
        }
        cursor.execute(statement, used_parameters)


_SET_WAITING = (
    "status = 'pending_review', reviewed_by = '', reviewed_at = NULL, executed_at = NULL "
    "WHERE type IN ('reply', 'forward', 'archive', 'escalate') AND (status <> 'executed' "
    "OR type = 'archive')"
)
"""Before a person again: what was rejected or closed is open, what was carried out stays so."""
_SET_REVIEWER = "reviewed_by = $actor, reviewed_at = $now"
_CHANGES: dict[CaseState, tuple[str, ...]] = {
    CaseState.RUNNING: (
        "status = 'planned', reviewed_by = '', reviewed_at = NULL "
        "WHERE status IN ('pending_review', 'approved')",
    ),
    CaseState.IN_REVIEW: (_SET_WAITING,),
    CaseState.FAILED: (_SET_WAITING,),
    CaseState.ESCALATED: (
        _SET_WAITING,
        "status = 'executed', executed_at = $now WHERE type = 'escalate'",
    ),
    CaseState.APPROVED: (f"status = 'approved', {_SET_REVIEWER} WHERE type = 'reply' AND {_OPEN}",),
    CaseState.SENT: (
        "status = 'executed', executed_at = $now WHERE status = 'approved'",
        f"status = 'rejected' WHERE {_OPEN}",
    ),
    CaseState.ARCHIVED: (
        f"status = 'executed', executed_at = $now, {_SET_REVIEWER} "
        f"WHERE type = 'archive' AND {_OPEN}",
        f"status = 'rejected', {_SET_REVIEWER} WHERE {_OPEN}",
    ),
    CaseState.SUPERSEDED: (f"status = 'rejected' WHERE {_OPEN}",),
}
"""What a move of a case does to its actions: `SET` and `WHERE`, to which the cases are added by
`AND`, so no `OR` stands outside of parentheses."""


def list_by_branch(cursor: Connection, case_id: str) -> dict[str, tuple[ActionView, ...]]:
    """Return the actions of a case by branch, in order."""
    views_by_branch: dict[str, list[ActionView]] = {}
    for row in records(
        cursor,
        _ActionRow,
        f"SELECT {_ACTION} FROM actions "
        "WHERE branch_id IN (SELECT id FROM branches WHERE case_id = ?) "
        "ORDER BY branch_id, position",
        [case_id],
    ):
        fields = {name: getattr(row, name) for name in ActionView.model_fields}
        views_by_branch.setdefault(row.branch_id, []).append(ActionView.model_validate(fields))
    return {branch: tuple(views) for branch, views in views_by_branch.items()}
