"""A week with what is on each day: events, and tasks that are due; one component."""

import json
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TypedDict

import streamlit as st

from data.records.agents.tasks import Task
from data.records.core.calendar import CalendarEvent
from ui.agents.widgets.times import read_zone
from ui.core.text.inert import one_line

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
DAYS = 7


def monday_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def week(
    first: date,
    today: date,
    events: Iterable[CalendarEvent],
    tasks: Iterable[Task],
    opened: str,
    on_open: Callable[[str, str], None],
) -> None:
    """Draw seven days from `first` on; `on_open` takes `event` or `task`, and its id."""
    known_events, known_tasks = list(events), list(tasks)
    days = [first + timedelta(days=number) for number in range(DAYS)]
    data = [
        {
            "name": f"{day:%a}",
            "date": f"{day.day} {day:%b}",
            "today": day == today,
            "entries": [
                *(_event(event, day, opened) for event in known_events if takes_place(event, day)),
                *(_task(task) for task in known_tasks if _due_on(task, day)),
            ],
        }
        for day in days
    ]

    def pressed() -> None:
        if isinstance(chosen := st.session_state["week"].open, dict):
            on_open(str(chosen["kind"]), str(chosen["id"]))

    component = st.components.v2.component("postern_week", js=_JS, isolate_styles=False)
    component(data=json.dumps(data), key="week", on_open_change=pressed)


def days_of(event: CalendarEvent) -> tuple[date, date]:
    """Return the first and the last day on which an event takes place; both included."""
    begin, end = event.starts_at.astimezone(read_zone()), event.ends_at.astimezone(read_zone())
    if end > begin and end.time() == datetime.min.time():
        end -= timedelta(seconds=1)  # it ends with the day before
    return begin.date(), end.date()


def takes_place(event: CalendarEvent, day: date) -> bool:
    """Whether an event takes place on a day."""
    first, last = days_of(event)
    return first <= day <= last


def hours(event: CalendarEvent, day: date) -> str:
    """Return the hours that an event takes on a day, *all day* where it takes all of it."""
    begin, end = event.starts_at.astimezone(read_zone()), event.ends_at.astimezone(read_zone())
    first, last = days_of(event)
    if event.whole_day or first < day < last:
        return "all day"
    if first == last:
        return f"{begin:%H:%M} to {end:%H:%M}" if end > begin else f"{begin:%H:%M}"
    return f"from {begin:%H:%M}" if day == first else f"until {end:%H:%M}"


class _DayLine(TypedDict):
    """One thing of a day, as the component takes it."""

    kind: str
    id: str
    look: str
    when: str
    title: str
    place: str
    opened: bool


def _event(event: CalendarEvent, day: date, opened: str) -> _DayLine:
    return {
        "kind": "event",
        "id": event.id,
        "look": "own" if event.owner else "ours",
        "when": hours(event, day),
        "title": one_line(event.title, 90),
        "place": one_line(event.place, 60),
        "opened": event.id == opened,
    }


def _due_on(task: Task, day: date) -> bool:
    return task.due_at is not None and task.due_at.astimezone(read_zone()).date() == day


def _task(task: Task) -> _DayLine:
    due = task.due_at.astimezone(read_zone()) if task.due_at and task.timed else None
    return {
        "kind": "task",
        "id": task.id,
        "look": "task",
        "when": f"due {due:%H:%M}" if due else "due",
        "title": one_line(task.title, 90),
        "place": "",
        "opened": False,
    }
