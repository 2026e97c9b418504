"""The first page: numbers by Polars over DuckDB."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import polars as pl
from fastapi import APIRouter

from data import figures
from data.errors import ForbiddenError
from data.records.agents.approval_kinds import TOOL_CALL
from data.records.core.principals import Permission
from data.records.mail.orders import StopSwitch
from data.records.mail.overview_views import Overview, Waiting
from data.store.agents import turn_work
from data.store.core import approvals
from data.store.core.database import Connection
from data.store.mail import forwards, overview_tables, promises
from flows.api.core.context import FOR_WHO_SEES_IT, WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.export import frame_of
from flows.mail.people import outgoing

router = APIRouter(prefix="/v1/{org}", tags=["overview"])

SCHEMAS = {
    "messages": figures.MESSAGES,
    "cases": figures.CASES,
    "reviews": figures.REVIEWS,
    "deliveries": figures.DELIVERIES,
}


@router.get("/overview")
async def overview(house: HouseOf, workspace: WorkspaceOf) -> Overview:
    """Return what came in, where it is, and what needs a person."""
    frames = await workspace.db.read(_frames)
    forwarded = await workspace.db.read(forwards.count_pending)
    promised = await workspace.db.read(
        promises.count_open, workspace.organization.day(house.clock())
    )
    unread = await workspace.db.read(turn_work.count_unread, house.clock() - timedelta(days=7))
    return _overview(house, workspace, frames).model_copy(
        update={
            "turns_unread": unread,
            "forwards_waiting": forwarded.on_their_way,
            "forwards_failed": forwarded.failed,
            "promises_open": promised.unclosed,
            "promises_overdue": promised.overdue,
        }
    )


@router.get("/waiting")
async def count_waiting(workspace: WorkspaceOf, principal: PrincipalOf) -> Waiting:
    """Return how much waits for a person in each place, for the numbers beside their names."""
    return await workspace.db.read(_waiting, principal.id)


def _waiting(cursor: Connection, user_id: str) -> Waiting:
    waiting = overview_tables.count_waiting(cursor)
    calls = len(approvals.list_waiting_for(cursor, TOOL_CALL, user_id))
    return Waiting(
        review=waiting.cases,
        questions=waiting.questions,
        quarantine=waiting.quarantined,
        calls=calls,
    )


def _frames(cursor: Connection) -> dict[str, pl.DataFrame]:
    return {
        name: _typed(frame_of(overview_tables.read_table(cursor, name)), schema)
        for name, schema in SCHEMAS.items()
    }


def _typed(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    return frame.with_columns(pl.col(name).cast(kind) for name, kind in schema.items())


def _overview(house: House, workspace: Workspace, frames: dict[str, pl.DataFrame]) -> Overview:
    now = house.clock()
    messages, cases = frames["messages"], frames["cases"]
    deliveries = frames["deliveries"]
    waiting = cases.filter(pl.col("state").is_in(["in_review", "escalated"]), ~pl.col("snoozed"))
    zone = ZoneInfo(workspace.organization.timezone)
    today = datetime.combine(workspace.organization.day(now), time(), tzinfo=zone)
    failed = messages.filter(pl.col("status") == "failed").height
    oldest = waiting["drafted_at"].min()
    return Overview(
        received_today=messages.filter(pl.col("received_at") >= today.astimezone(UTC)).height,
        received_total=messages.height,
        in_review=waiting.height,
        urgent_in_review=waiting.filter(pl.col("priority") == "urgent").height,
        quarantined=messages.filter(pl.col("status") == "quarantined").height,
        waiting_to_send=deliveries.filter(
            pl.col("state").is_in(["queued", "deferred", "sending"])
        ).height,
        needs_decision=deliveries.filter(pl.col("state").is_in(["unknown", "failed"])).height,
        failed=failed + cases.filter(pl.col("state") == "failed").height,
        snoozed=cases["snoozed"].sum(),
        oldest_in_review_at=oldest,
        approved_unchanged=figures.approved_unchanged(frames["reviews"]),
        median_seconds_to_draft=figures.median_seconds_to_draft(cases),
        by_status=figures.by_status(messages),
        by_category=figures.by_category(cases),
        by_verdict=figures.by_verdict(messages),
        by_hour=figures.by_hour(messages, deliveries.filter(pl.col("purpose") == "reply"), now),
        mode=str(workspace.policy.mode),
        stopped=house.stopped,
        spool_waiting=house.spool.waiting(),
    )


@router.get("/stop", dependencies=[FOR_WHO_SEES_IT])
async def stopped(house: HouseOf) -> StopSwitch:
    """Say whether the kill switch is on."""
    return StopSwitch(stopped=house.stopped)


@router.post("/stop", dependencies=[WAKES])
async def stop(
    order: StopSwitch, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> StopSwitch:
    """Throw the kill switch; it stops every organization, so only an administrator releases it."""
    if not order.stopped and not principal.may(Permission.ADMINISTER):
        raise ForbiddenError("only an administrator may let sending go on; ask one")
    await outgoing.set_stopped(house, workspace, order.stopped, principal)
    return StopSwitch(stopped=house.stopped)
