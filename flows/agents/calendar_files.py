"""A person's calendar as a file, and files of others taken over into it."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from data.counting import plural
from data.ids import new_id
from data.records.core.calendar import CalendarEvent, CalendarFile, Imported
from data.records.core.principals import Principal
from data.store.agents import calendar
from flows.agents.agenda import owner_of_event
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.calendar.calendar_files import read_calendar, write_calendar

_BACK, _AHEAD = timedelta(days=366), timedelta(days=2 * 366)


async def import_calendar(
    house: House, workspace: Workspace, calendar_file: CalendarFile, principal: Principal
) -> Imported:
    """Take over the events of a file; those that are there already become as the file has them.

    Raises:
        UnfitError: it is no calendar file.
        ForbiddenError: it is for the organization's calendar, which the person may not change.

    """
    now = house.clock()
    owner = owner_of_event(workspace, principal, for_everybody=calendar_file.for_everybody)
    read_events, left_out = read_calendar(
        calendar_file.ics, ZoneInfo(workspace.organization.timezone)
    )
    events = [
        CalendarEvent(
            id=new_id(now),
            owner=owner,
            added_by=principal.name,
            added_at=now,
            **event._asdict(),
        )
        for event in read_events
    ]

    def write(act: Act) -> int:
        added = sum(calendar.put_event(act.cursor, event) for event in events)
        whose = "their own" if owner else "of the organization"
        act.note("import calendar", "calendar", f"{plural(len(events), 'event')}, {whose}")
        return added

    added = await carry_out(house, workspace, principal, write)
    return Imported(added=added, changed=len(events) - added, left_out=tuple(left_out))


async def export_calendar(house: House, workspace: Workspace, principal: Principal) -> bytes:
    """Return the organization's events and a person's own, of a year back and two ahead."""
    now = house.clock()
    events = await workspace.db.read(calendar.list_between, principal.id, now - _BACK, now + _AHEAD)
    return write_calendar(events, ZoneInfo(workspace.organization.timezone), now)
