"""Holidays of an organization: listing, setting, and reading them out of a calendar file."""

import asyncio

from fastapi import APIRouter

from data.records.core.holidays import HolidayFile, HolidayList, HolidayReading, SetHolidays
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.core.administration import holidays

router = APIRouter(prefix="/v1/{org}/holidays", tags=["administration"])


@router.get("")
async def list_holidays(house: HouseOf, workspace: WorkspaceOf) -> HolidayList:
    """Return the days on which nobody works, the earliest first."""
    return await holidays.list_holidays(house, workspace)


@router.put("", dependencies=[WAKES])
async def set_holidays(
    order: SetHolidays, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> HolidayList:
    """Keep other holidays, all of them (administrators)."""
    return await holidays.set_holidays(house, workspace, order, principal)


@router.post("/read")
async def read_holidays(
    order: HolidayFile, house: HouseOf, workspace: WorkspaceOf
) -> HolidayReading:
    """Return the whole days of a calendar file; nothing is kept."""
    return await asyncio.to_thread(
        holidays.parse_holidays, order.ics, workspace.organization, house.clock()
    )
