"""The calendar as a file (RFC 5545): what is in it, and files that are taken over."""

from fastapi import APIRouter
from fastapi.responses import Response

from data.records.agents.calendar import CalendarFile, Imported
from flows.agents.calendar_files import export_calendar, import_calendar
from flows.api.context import HouseOf, PrincipalOf, WorkspaceOf

router = APIRouter(prefix="/v1/{org}", tags=["calendar"])


@router.get("/calendar.ics")
async def calendar_file(house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf) -> Response:
    """Return the organization's events and those of who asks as a calendar file."""
    content = await export_calendar(house, workspace, principal)
    return Response(content, media_type="text/calendar")


@router.post("/calendar")
async def take_calendar(
    given: CalendarFile, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Imported:
    """Take over the events of a calendar file, as one's own or the organization's."""
    return await import_calendar(house, workspace, given, principal)
