"""Reports: how mail was answered in a range of days, by Polars over DuckDB."""

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import polars as pl
from fastapi import APIRouter, Depends, Query, Response

from data.errors import ConflictError, ForbiddenError
from data.records.core.principals import Permission, Principal
from data.records.core.record import Record
from data.records.core.understanding import Category
from data.records.mail.report_views import Report
from data.records.mail.vigilance import VigilanceView
from data.report_figures import latest_unanswered, report
from data.report_frames import ReportScope
from data.store.core.database import Connection
from data.store.mail import report_tables
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Day
from flows.core.workspace import Workspace
from flows.export import Format, encode, frame_of
from flows.mail.people.vigilance import vigilance_of

router = APIRouter(prefix="/v1/{org}", tags=["reports"])

USUAL, LONGEST = 28, 1100
"""Days of a report that names none, and the most that one may have."""
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "jsonl": "application/jsonlines",
}
ReportTable = Literal["periods", "categories", "people", "topics", "agents", "models", "costs"]


class ReportQuery(Record):
    """What a report is asked for: days, their grouping, and what it is narrowed to."""

    since: Day | None = None
    until: Day | None = None
    by: Literal["day", "week"] = "day"
    category: Category | None = None
    person: str = ""


def read_query(
    since: Annotated[
        Day | None, Query(description="the first day; 27 before the last without")
    ] = None,
    until: Annotated[Day | None, Query(description="the last day; today without")] = None,
    by: Literal["day", "week"] = "day",
    category: Category | None = None,
    person: Annotated[str, Query(max_length=100, description="as the audit log names them")] = "",
) -> ReportQuery:
    """Return what the query asks for."""
    return ReportQuery(since=since, until=until, by=by, category=category, person=person)


QueryOf = Annotated[ReportQuery, Depends(read_query)]


@router.get("/report")
async def read_report(
    query: QueryOf, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Report:
    """Return the figures of a range of days, in days of the organization.

    Of single people, who may not manage users sees nobody but themselves.
    """
    return await _report(query, house.clock(), workspace, principal)


@router.get("/report/export")
async def export_report(
    query: QueryOf,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    table: ReportTable = "periods",
    form: Annotated[Format, Query(alias="format")] = "csv",
) -> Response:
    """Return one of a report's tables as a file."""
    full_report = await _report(query, house.clock(), workspace, principal)
    rows = [_flatten(figures) for figures in getattr(full_report, table)]
    content = encode(pl.DataFrame(rows, infer_schema_length=None), form)
    name = f"report-{table}-{full_report.since}-{full_report.until}.{form}"
    return Response(
        content,
        media_type=MEDIA[form],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/vigilance")
async def read_vigilance(house: HouseOf, workspace: WorkspaceOf) -> VigilanceView:
    """Return how many planted faults the team has seen of late, and what follows from it."""
    return await vigilance_of(workspace, house.clock())


async def _report(
    report_query: ReportQuery, now: datetime, workspace: Workspace, principal: Principal
) -> Report:
    asked = _as_moments(report_query, now, workspace)
    only = _whose_figures(asked.person, workspace, principal)
    tables, examples = await workspace.db.read(_tables, asked)
    return await asyncio.to_thread(report, tables, asked, only, examples)


def _whose_figures(person: str, workspace: Workspace, principal: Principal) -> str | None:
    """Return whose figures the caller may see; None for everybody's.

    Raises:
        ForbiddenError: those of somebody else are asked for.

    """
    if principal.may(Permission.MANAGE_USERS, workspace.organization.slug):
        return None
    if person not in ("", principal.name):
        raise ForbiddenError(
            "your role does not permit it to see the figures of single people but your own; "
            "ask who manages the users"
        )
    return principal.name


def _as_moments(report_query: ReportQuery, now: datetime, workspace: Workspace) -> ReportScope:
    """Return the range as moments.

    Raises:
        ConflictError: it ends before it begins, or is too long.

    """
    organization = workspace.organization
    zone = ZoneInfo(organization.timezone)
    last = report_query.until or organization.day(now)
    first = report_query.since or last - timedelta(days=USUAL - 1)
    if not 0 <= (last - first).days < LONGEST:
        raise ConflictError(
            f"a report from {first} until {last} cannot be made; name a first day that is not "
            f"after the last one, and at most {LONGEST} days"
        )

    def moment(day: date) -> datetime:
        return datetime.combine(day, time(tzinfo=zone)).astimezone(UTC)

    return ReportScope(
        since=moment(first),
        until=moment(last + timedelta(days=1)),
        now=now,
        timezone=organization.timezone,
        by=report_query.by,
        category=report_query.category or "",
        person=report_query.person,
        hours=workspace.worked_hours,
    )


def _tables(
    cursor: Connection, asked: ReportScope
) -> tuple[dict[str, pl.DataFrame], dict[int, list[str]]]:
    """Return the tables that a report counts, and the newest questions that drafts left open."""
    tables = {
        name: frame_of(report_tables.read_table(cursor, name, asked.since, asked.until))
        for name in report_tables.TABLES
    }
    newest = latest_unanswered(tables, asked.category)
    return tables, report_tables.list_unanswered_texts(cursor, newest) if newest else {}


def _flatten(record: Record) -> dict[str, object]:
    """Return the fields of a record in one level, and lists as one text."""
    flat_fields: dict[str, object] = {}
    for name, value in record:
        if isinstance(value, Record):
            flat_fields |= {f"{name}_{inner}": one for inner, one in _flatten(value).items()}
        else:
            flat_fields[name] = " | ".join(value) if isinstance(value, tuple) else value
    return flat_fields
