"""Computing by when cases should be answered, whenever what that rests on has changed."""

from datetime import datetime
from hashlib import sha256

import polars as pl

from data.records.core.organization import Policy
from data.records.mail.service_levels import ServiceTarget
from data.store.core.database import Connection
from data.store.mail import service_targets
from data.store.mail.service_targets import OwedRow
from data.working_time import countable, seconds_between
from flows.core.workspace import Workspace
from tasks.service_levels import level_of, target_of

AT_ONCE = 500
"""Cases whose targets are computed in one go."""


async def set_targets(workspace: Workspace) -> bool:
    """Compute the targets that are missing or out of date; return whether there were any."""
    policy = workspace.policy
    if not policy.service_levels:
        if await workspace.db.read(service_targets.any_kept):
            await workspace.db.write(service_targets.forget_all)
        return False
    mark = mark_of(policy)
    if not await workspace.db.read(service_targets.untargeted, mark, 1):
        return False
    await workspace.db.write(_set, policy, mark)
    return True


def mark_of(policy: Policy) -> str:
    """Return what stands for the levels and the hours of a policy."""
    levels = ",".join(level.model_dump_json() for level in policy.service_levels)
    hours = policy.working_hours.model_dump_json() if policy.working_hours else ""
    return sha256(f"{levels}|{hours}".encode()).hexdigest()[:16]


def _set(cursor: Connection, policy: Policy, mark: str) -> None:
    cases = service_targets.untargeted(cursor, mark, AT_ONCE)
    owed = service_targets.list_answered(cursor, [case.thread_id for case in cases])
    answered = {row.thread_id for row in owed}
    hours = countable(policy.working_hours)
    targets: dict[str, ServiceTarget | None] = {}
    for case in cases:
        level = level_of(policy.service_levels, case.category, case.priority)
        targets[case.id] = target_of(
            level,
            case.began_at,
            answered=case.thread_id in answered,
            owed_seconds=_owed_seconds(owed, case.thread_id, policy),
            hours=hours,
        )
    service_targets.keep(cursor, targets, {case.id: case.made_for for case in cases})


def _owed_seconds(owed: list[OwedRow], thread_id: str, policy: Policy) -> float:
    """Return for how long, in working time, answered cases of a conversation waited for us."""
    spans: list[tuple[datetime, datetime]] = [
        (row.began_at, row.sent_at) for row in owed if row.thread_id == thread_id
    ]
    if not spans:
        return 0.0
    utc = pl.Datetime("us", "UTC")
    frame = pl.DataFrame(spans, schema={"began_at": utc, "sent_at": utc}, orient="row")
    waited = seconds_between(frame, "began_at", "sent_at", countable(policy.working_hours))
    return float(waited.sum())
