"""Flow *inbound*: bursts become cases; each is understood, planned, drafted, checked, routed."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from prefect import flow

from data.counting import plural
from data.records.core.organization import Mode
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.batch import Batch
from flows.core.current import get_current_house
from flows.core.garbage_collection import settle_heap
from flows.core.house import House
from flows.core.services import build_case_address
from flows.core.workspace import Workspace
from flows.mail.line.gather import count_due, gather_bursts
from flows.mail.line.mail_line import mail_line_of
from flows.mail.stages.check import CheckStage
from flows.mail.stages.classify import ClassifyStage
from flows.mail.stages.context import ContextStage
from flows.mail.stages.draft import DraftStage
from flows.mail.stages.plan import PlanStage
from flows.mail.stages.route import RouteStage
from flows.mail.stages.stage import Stage
from flows.mail.stages.stage_tasks import (
    UNKEPT,
    count_outcomes,
    publish_outcomes,
    take_through_stages,
)

log = logging.getLogger("postern.inbound")
STAGES = (
    ContextStage(),
    ClassifyStage(),
    PlanStage(),
    DraftStage(),
    CheckStage(),
    RouteStage(),
)


@flow(
    name="inbound",
    flow_run_name="inbound {organization} × {count}",
    persist_result=False,
    result_storage=UNKEPT,
)
async def inbound(organization: str = "", count: int = 0) -> dict[str, int]:
    """Work on what is due.

    Args:
        organization: slug; empty works for every organization.
        count: how many cases were due, for the run's name.

    Returns:
        How many cases were worked on per organization.

    """
    del count  # Prefect names a run by what it was called with
    house = get_current_house()
    workspaces = await house.choose_workspaces(organization)
    return {w.slug: await inbound_batch(house, w) for w in workspaces}


def window_of(house: House, workspace: Workspace) -> float:
    """Return the quiet window of an organization's bursts, seconds."""
    own_window = workspace.policy.coalesce_seconds
    return house.settings.coalesce_seconds if own_window is None else own_window


async def count_workable(house: House, workspace: Workspace) -> int:
    """Return how many bursts and cases of an organization could be worked on now, at most a batch.

    A batch may be smaller where models are waited for; whether there is any work is the same.
    """
    if workspace.policy.mode is Mode.OFF:
        return 0
    now, window = house.clock(), window_of(house, workspace)
    most_windows = house.settings.coalesce_windows

    def count(cursor: Connection) -> int:
        due = cases.list_due(cursor, now, house.settings.batch_size)
        return len(due) + count_due(cursor, now, window, most_windows)

    return await workspace.db.read(count)


async def inbound_batch(
    house: House, workspace: Workspace, stages: Sequence[Stage[Any]] = STAGES
) -> int:
    """Gather due bursts and take one batch of cases through the stages; return its size."""
    if workspace.policy.mode is Mode.OFF:
        return 0
    async with mail_line_of(workspace).cases_lock:
        ids = await _gather_and_take(house, workspace)
        if not ids:
            return 0
        batch = Batch(house=house, workspace=workspace, ids=list(ids))
        await batch.note_new()
        await take_through_stages(stages, batch)
    log.info(
        "worked on %s: %s",
        plural(len(ids), "case"),
        count_outcomes(batch.outcomes),
        extra={"fields": {"organization": workspace.slug}},
    )
    settle_heap("inbound")
    await _publish(house, workspace, ids, batch.outcomes)
    return len(ids)


async def _gather_and_take(house: House, workspace: Workspace) -> list[str]:
    """Make cases of due bursts, and return those to work on."""
    now, window = house.clock(), window_of(house, workspace)
    most_windows = house.settings.coalesce_windows

    def choose(cursor: Connection) -> list[str]:
        gather_bursts(cursor, now, window, most_windows)
        return cases.list_due(cursor, house.clock(), house.batch_size)

    return await workspace.db.write(choose)


async def _publish(
    house: House, workspace: Workspace, ids: Sequence[str], outcomes: Mapping[str, str]
) -> None:
    """Attach the table of what became of the cases to the run's page."""
    rows = await workspace.db.read(cases.read_cases, ids)
    links = {case: build_case_address(house.settings, case) for case in ids}
    await publish_outcomes(
        "inbound",
        workspace.slug,
        [
            {
                "case": case,
                "from": rows[case].contact_email,
                "subject": rows[case].subject[:80],
                "messages": len(rows[case].message_ids),
                "verdict": rows[case].verdict or "",
                "category": rows[case].category or "",
                "priority": rows[case].priority or "",
                "quality": round(rows[case].quality, 2),
                "state": rows[case].state,
                "outcome": rows[case].outcome or outcomes.get(case, ""),
                "link": links[case],
            }
            for case in ids
        ],
        f"{plural(len(ids), 'case')} of {workspace.organization.name}",
        links,
    )
