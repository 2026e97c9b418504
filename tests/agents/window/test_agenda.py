"""The page of tasks and calendar over the real engine."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, lines, says, tell, texts
from tests.core.window.real_engine import Engine, engine, window
from ui.agents.widgets.week import monday_of
from ui.core.text.inert import make_inert

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def test_a_task_is_noted_ticked_off_taken_back_and_changed(
    engine: Engine,  # pytest's way of asking for a fixture
    window: Opener,
) -> None:
    """Each step shows on the list; what is overdue says so."""
    app = window("agenda")
    assert says(app, "Nothing is to be done.")
    app.text_input(key="task-title").input("Call Ana")
    app.date_input(key="task-day").set_value(date(2020, 3, 2)).run()
    app.time_input(key="task-time").set_value(time(9, 30)).run()
    button(app, "task-add").click().run()
    assert not app.exception
    assert {"Call Ana", "overdue"} <= set(texts(app))
    assert "Mon 2 Mar 2020, 09:30" in texts(app)
    (task,) = engine.run(engine.line.rows("SELECT id, owner FROM tasks"))

    app.checkbox(key=f"tick-{task['id']}-open").check().run()
    assert says(app, "Nothing is to be done.")
    button(app, "undo-approval").click().run()
    assert "Call Ana" in texts(app)

    tell(app, "postern_lines", "open", task["id"])
    app.text_input(key=f"title-{task['id']}").input("Call Ana and Tom").run()
    button(app, "task-save").click().run()
    assert "Call Ana and Tom" in texts(app)
    assert not app.exception


def test_an_event_is_put_in_shown_in_its_week_changed_and_removed(
    engine: Engine, window: Opener
) -> None:
    """The week and the list have it; an event that was removed can be put back."""
    app = window("agenda")
    app.text_input(key="event-new-title").input("Loom inspection").run()
    button(app, "event-new-save").click().run()
    assert not app.exception
    assert says(app, "In the calendar: Loom inspection.")
    assert shown(app) == ["Loom inspection"]
    (event,) = engine.run(engine.line.rows("SELECT id, owner FROM calendar_events"))
    assert event["owner"]

    tell(app, "postern_week", "open", {"kind": "event", "id": event["id"]})
    assert says(app, "Nobody else sees it.")
    app.toggle(key=f"event-{event['id']}-everybody").set_value(True).run()
    button(app, f"event-{event['id']}-save").click().run()
    app.segmented_control(key="agenda-view").set_value("list").run()
    (row,) = [one for one in lines(app) if one["subject"] == "Loom inspection"]
    assert [label["text"] for label in row["labels"]] == ["the organization's"]

    app.segmented_control(key="agenda-view").set_value("week").run()
    tell(app, "postern_week", "open", {"kind": "event", "id": event["id"]})
    by_another = "UPDATE calendar_events SET place = 'Hall 2', changed_at = now()"
    engine.run(engine.line.workspace.db.write(lambda cursor: cursor.execute(by_another)))
    button(app, "event-remove").click().run()
    assert says(app, "“Loom inspection” was changed meanwhile; look at it")
    assert shown(app) == ["Loom inspection"]
    button(app, "event-remove").click().run()
    assert shown(app) == []
    button(app, "undo-approval").click().run()
    assert shown(app) == ["Loom inspection"]
    assert not app.exception


def test_a_calendar_file_is_taken_over(engine: Engine, window: Opener) -> None:
    """Its events stand in their week; what was left out is named."""
    monday = monday_of(datetime.now(UTC).date() + timedelta(days=7))
    file = (
        "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a@b.example\nSUMMARY:Holiday\n"
        f"DTSTART;VALUE=DATE:{monday:%Y%m%d}\nEND:VEVENT\n"
        f"BEGIN:VEVENT\nUID:c@b.example\nSUMMARY:Every week\nDTSTART:{monday:%Y%m%d}T090000Z\n"
        "RRULE:FREQ=SECONDLY\nEND:VEVENT\nBEGIN:VEVENT\nUID:d@b.example\nSUMMARY:Odd zone\n"
        f"DTSTART;TZID=Nowhere/None:{monday:%Y%m%d}T090000\nEND:VEVENT\nEND:VCALENDAR\n"
    ).replace("\n", "\r\n")
    app = window("agenda")
    app.file_uploader(key="calendar-in").upload("ours.ics", file.encode(), "text/calendar").run()
    button(app, "calendar-take").click().run()
    assert says(app, "1 event put in, 0 events changed.")
    assert says(app, "Left out: Every week")
    (notice,) = app.warning
    assert make_inert("Odd zone: its time zone 'Nowhere/None'", 120) in notice.value
    button(app, "agenda-on").click().run()
    assert shown(app) == ["Holiday"]


def shown(app: AppTest) -> list[str]:
    """Return the titles of what the week shows."""
    (week,) = [one for one in app.get("bidi_component") if "week" in one.proto.component_name]
    days = json.loads(json.loads(week.proto.json))
    return [entry["title"] for day in days for entry in day["entries"]]
