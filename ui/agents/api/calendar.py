"""The calendar."""

from datetime import date, datetime

from data.records.core.calendar import CalendarEvent, CalendarFile, EditEvent, EventList, Imported
from ui.agents.api.preconditions import if_standing
from ui.core.api.organization_client import OrganizationClient


class CalendarApi:
    """The part of the API about the calendar."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def events(self, first: date, last: date) -> EventList:
        """Return the events of some days that the person sees."""
        return self._client.read(EventList, self._at("calendar", "events"), first=first, last=last)

    def add(self, edit: EditEvent) -> CalendarEvent:
        """Put an event into the person's calendar or the organization's."""
        return self._client.act(CalendarEvent, self._at("calendar", "events"), edit)

    def change(self, id: str, edit: EditEvent, stood: datetime | None = None) -> CalendarEvent:
        """Write an event as the person wants it, if it has stood as it is since then."""
        path = if_standing(self._at("calendar", "events", id), stood)
        return self._client.act(CalendarEvent, path, edit, "PUT")

    def remove(self, id: str, stood: datetime | None = None) -> None:
        """Take an event out of the calendar, if it has stood as it is since then."""
        self._client.remove(if_standing(self._at("calendar", "events", id), stood))

    def file(self) -> bytes:
        """Return what the person sees as a calendar file."""
        return self._client.fetch(self._at("calendar.ics"))

    def take_over(self, calendar_file: CalendarFile) -> Imported:
        """Take over the events of a calendar file."""
        return self._client.act(Imported, self._at("calendar"), calendar_file)
