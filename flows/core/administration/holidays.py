"""Holidays: the days on which nobody works, kept with the organization's profile."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from data.errors import UnfitError
from data.records.core.calendar import CalendarEvent
from data.records.core.holidays import HolidayList, HolidayReading, SetHolidays
from data.records.core.organization import MOST_HOLIDAYS, Holiday, Organization
from data.records.core.principals import Principal
from data.records.core.profiles import EditProfile
from data.store.core import control, profiles
from flows.core.administration.profiling import edit_profile
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.calendar.calendar_files import ReadEvent, read_calendar
from tasks.core.calendar.recurrence import occurrences

YEARS_AHEAD = 3
"""Years after this one for which a day that repeats is taken from a file."""
MOST_READ = 5_000
"""Days that a file may name, those that are named twice and those of the past too."""
LONGEST_EVENT = 60
"""Days of one event of a file, at most; longer ones are no holiday."""


async def list_holidays(house: House, workspace: Workspace) -> HolidayList:
    """Return the holidays, the earliest first."""
    own = await house.control.read(control.read_organization, workspace.slug)
    return HolidayList(items=sort_holidays(own.holidays), was=profiles.mark(own))


async def set_holidays(
    house: House, workspace: Workspace, order: SetHolidays, principal: Principal
) -> HolidayList:
    """Keep other holidays; what is computed in working hours follows them from now on.

    Raises:
        ConflictError: the profile has changed since it was read.

    """
    own = await house.control.read(control.read_organization, workspace.slug)
    with_holidays = own.model_copy(update={"holidays": sort_holidays(order.items)})
    was = order.was or profiles.mark(own)
    await edit_profile(house, workspace, EditProfile(profile=with_holidays, was=was), principal)
    return await list_holidays(house, workspace)


def sort_holidays(holidays: Iterable[Holiday]) -> tuple[Holiday, ...]:
    """Return holidays by their days, each day once; a later one of the same day has the name."""
    by_day = {holiday.day: holiday for holiday in holidays}
    return tuple(by_day[day] for day in sorted(by_day))


def parse_holidays(ics: str, organization: Organization, now: datetime) -> HolidayReading:
    """Return the days of a calendar file that take whole days, from this year on.

    Days that repeat are taken for this year and the three after it.

    Raises:
        UnfitError: it is no calendar file, or has too many events or days.

    """
    zone = ZoneInfo(organization.timezone)
    events, left_out = read_calendar(ics, zone)
    year = organization.day(now).year
    starts = [datetime(year + ahead, 1, 1, tzinfo=zone) for ahead in range(YEARS_AHEAD + 2)]
    days: list[Holiday] = []
    for event in events:
        if not event.whole_day:
            left_out.append(f"{event.title}: it does not take a whole day")
            continue
        if event.ends_at - event.starts_at > timedelta(days=LONGEST_EVENT):
            left_out.append(f"{event.title}: it takes more than {LONGEST_EVENT} days")
            continue
        for begin, end in pairwise(starts):  # an event has a limit of occurrences in one span
            for each in occurrences(_as_event(event), begin, end):
                days += _list_days(each, zone)
        if len(days) > MOST_READ:
            raise UnfitError(
                f"the file names more than {MOST_READ:,} days; holidays repeat by the year"
            )
    holidays = sort_holidays(day for day in days if starts[0].date() <= day.day < starts[-1].date())
    if len(holidays) > MOST_HOLIDAYS:
        left_out.append(f"{len(holidays) - MOST_HOLIDAYS} days more than {MOST_HOLIDAYS}")
    return HolidayReading(items=holidays[:MOST_HOLIDAYS], left_out=tuple(left_out))


def _as_event(event: ReadEvent) -> CalendarEvent:
    return CalendarEvent(
        **event._asdict(),
        id="",
        added_by="",
        added_at=datetime.now(UTC),
    )


def _list_days(event: CalendarEvent, zone: ZoneInfo) -> list[Holiday]:
    """Return each day of an event; its end is the midnight after the last one."""
    first = event.starts_at.astimezone(zone).date()
    last = (event.ends_at.astimezone(zone) - timedelta(seconds=1)).date()
    count = max((last - first).days, 0) + 1
    name = event.title[:100]
    return [Holiday(day=first + timedelta(days=number), name=name) for number in range(count)]
