"""Computing by when cases should be answered, whenever what that rests on has changed."""

from hashlib import sha256

import polars as pl

from data.records.core.organization import Organization, Policy, WorkingHours
from data.records.mail.service_levels import ServiceTarget
from data.store.core.database import Connection
from data.store.mail import service_targets
from data.store.mail.service_targets import SpanRow
from data.working_time import seconds_between
from flows.core.workspace import Workspace
from tasks.mail.service_levels import level_of, target_of

AT_ONCE = 500
"""Cases whose targets are computed in one go."""


async def set_targets(workspace: Workspace) -> bool:
    """Compute the targets that are missing or out of date; return whether there were any."""
    policy = workspace.policy
    if not policy.service_levels:
        if await workspace.db.read(service_targets.has_any):
            await workspace.db.write(service_targets.forget_all)
        return False
    mark = mark_of(policy, workspace.organization)
    if not await workspace.db.read(service_targets.list_untargeted, mark, 1):
        return False
    await workspace.db.write(_set, policy, workspace.worked_hours, mark)
    return True


def mark_of(policy: Policy, organization: Organization) -> str:
    """Return what stands for the levels and the hours of a policy, and for the holidays."""
    levels = ",".join(level.model_dump_json() for level in policy.service_levels)
    hours = policy.working_hours.model_dump_json() if policy.working_hours else ""
    if organization.holidays:  # without any the marks of before still hold
        off = ",".join(sorted(day.isoformat() for day in organization.days_off))
        hours += f"|{off}|{organization.timezone}"
    return sha256(f"{levels}|{hours}".encode()).hexdigest()[:16]


def _set(cursor: Connection, policy: Policy, hours: WorkingHours | None, mark: str) -> None:
    cases = service_targets.list_untargeted(cursor, mark, AT_ONCE)
    threads = [case.thread_id for case in cases]
    owed = _sum_spans(service_targets.list_answered(cursor, threads), hours)
    ids = [case.id for case in cases]
    paused = _sum_spans(service_targets.list_paused(cursor, ids), hours)
    targets: dict[str, ServiceTarget | None] = {}
    for case in cases:
        level = level_of(policy.service_levels, case.category, case.priority)
        targets[case.id] = target_of(
            level,
            case.began_at,
            answered=case.thread_id in owed,
            owed_seconds=owed.get(case.thread_id, 0.0),
            paused_seconds=paused.get(case.id, 0.0),
            hours=hours,
        )
    service_targets.keep(cursor, targets, {case.id: case.made_for for case in cases})


def _sum_spans(spans: list[SpanRow], hours: WorkingHours | None) -> dict[str, float]:
    """Return how much working time these spans are, by what they are of, in seconds."""
    utc = pl.Datetime("us", "UTC")
    schema = {"of": pl.String(), "began_at": utc, "ended_at": utc}
    frame = pl.DataFrame(spans, schema=schema, orient="row")
    waited = seconds_between(frame, "began_at", "ended_at", hours).alias("seconds")
    summed = frame.with_columns(waited).group_by("of").agg(pl.sum("seconds"))
    return {of: float(seconds) for of, seconds in summed.iter_rows()}
