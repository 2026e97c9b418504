"""What a person can do with their tasks and with the calendar."""

from datetime import date, datetime
from urllib.parse import urlencode

from data.records.agents.calendar import (
    CalendarEvent,
    CalendarFile,
    EditEvent,
    EventList,
    Imported,
)
from data.records.agents.tasks import EditTask, Task, TaskList
from data.states import TaskState
from ui.api.sender_desk import SenderDesk


class AgendaDesk(SenderDesk):
    """The part of a `Desk` about tasks and events; raises what `data.refusals` lists."""

    def tasks(self, state: TaskState, limit: int = 25, offset: int = 0) -> TaskList:
        """Return one page of the person's tasks in a state."""
        return self._client.read(
            TaskList, f"{self._root}/tasks", state=state, limit=limit, offset=offset
        )

    def task(self, id: str) -> Task:
        """Return one task of the person, whatever state it is in."""
        return self._client.read(Task, self._at("tasks", id))

    def add_task(self, edit: EditTask) -> Task:
        """Note a task."""
        return self._client.act(Task, f"{self._root}/tasks", edit)

    def change_task(self, id: str, edit: EditTask, stood: datetime | None = None) -> Task:
        """Give a task another title or another time, if it has stood as it is since then."""
        return self._client.act(Task, _standing(self._at("tasks", id), stood), edit, "PUT")

    def move_task(self, id: str, act: str) -> Task:
        """Say that a task is `done`, is `open` again, or is not to be done: `drop`."""
        return self._client.act(Task, self._at("tasks", id, act), {})

    def events(self, first: date, last: date) -> EventList:
        """Return the events of some days that the person sees."""
        return self._client.read(EventList, f"{self._root}/calendar/events", first=first, last=last)

    def add_event(self, edit: EditEvent) -> CalendarEvent:
        """Put an event into the person's calendar or the organization's."""
        return self._client.act(CalendarEvent, f"{self._root}/calendar/events", edit)

    def change_event(
        self, id: str, edit: EditEvent, stood: datetime | None = None
    ) -> CalendarEvent:
        """Write an event as the person wants it, if it has stood as it is since then."""
        path = _standing(self._at("calendar", "events", id), stood)
        return self._client.act(CalendarEvent, path, edit, "PUT")

    def remove_event(self, id: str, stood: datetime | None = None) -> None:
        """Take an event out of the calendar, if it has stood as it is since then."""
        self._client.remove(_standing(self._at("calendar", "events", id), stood))

    def calendar_file(self) -> bytes:
        """Return what the person sees as a calendar file."""
        return self._client.fetch(f"{self._root}/calendar.ics")

    def take_calendar(self, calendar_file: CalendarFile) -> Imported:
        """Take over the events of a calendar file."""
        return self._client.act(Imported, f"{self._root}/calendar", calendar_file)


def _standing(path: str, stood: datetime | None) -> str:
    """Return a path that asks for a thing to stand as it has since then; None for however."""
    return path if stood is None else f"{path}?{urlencode({'stood': stood.isoformat()})}"
