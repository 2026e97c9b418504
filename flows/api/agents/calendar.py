"""The calendar: its events, and files of events (RFC 5545) that are given out and taken over."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from data.errors import UnfitError
from data.records.core.calendar import (
    CalendarEvent,
    CalendarFile,
    EditEvent,
    EventList,
    Imported,
)
from flows.agents import agenda
from flows.agents.calendar_files import export_calendar, import_calendar
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Day, StandsSince

router = APIRouter(prefix="/v1/{org}", tags=["calendar"])
_MOST_DAYS = 366


@router.get("/calendar.ics")
async def calendar_file(house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf) -> Response:
    """Return the organization's events and those of who asks as a calendar file."""
    content = await export_calendar(house, workspace, principal)
    return Response(content, media_type="text/calendar")


@router.post("/calendar")
async def take_calendar(
    order: CalendarFile, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Imported:
    """Take over the events of a calendar file, as one's own or the organization's."""
    return await import_calendar(house, workspace, order, principal)


@router.get("/calendar/events")
async def list_events(
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    first: Annotated[Day, Query(description="the first day")],
    last: Annotated[Day, Query(description="the last day, itself included")],
) -> EventList:
    """Return the organization's events of some days, and those of who asks."""
    if not 0 <= (last - first).days < _MOST_DAYS:
        raise UnfitError(f"name a first day and a last one, at most {_MOST_DAYS} days in all")
    items = await agenda.list_events_between(workspace, first, last, principal.id)
    return EventList(items=tuple(items), zone=workspace.organization.timezone)


@router.post("/calendar/events")
async def new_event(
    order: EditEvent, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CalendarEvent:
    """Put an event into one's own calendar, or the organization's."""
    return await agenda.add_event(house, workspace, order, principal)


@router.put("/calendar/events/{event_id}")
async def change_event(
    event_id: str,
    order: EditEvent,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    stood: StandsSince = None,
) -> CalendarEvent:
    """Write an event as one wants it; of one that repeats, every time of it."""
    changed = await agenda.change_event(house, workspace, event_id, order, principal, stood)
    return changed.after


@router.delete("/calendar/events/{event_id}")
async def remove_event(
    event_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    stood: StandsSince = None,
) -> None:
    """Take an event out of the calendar; of one that repeats, every time of it."""
    await agenda.remove_event(house, workspace, event_id, principal, stood)
