"""Events of calendars; every read names the person who may see them beside the organization's."""

from datetime import datetime

from data.records.core.calendar import CalendarEvent
from data.store.core.database import Connection
from data.store.core.statements import insert, validate_one, validate_rows

_KEPT = [name for name in CalendarEvent.model_fields if name != "first_at"]
_EVENT = ", ".join(_KEPT)


def put_event(cursor: Connection, event: CalendarEvent) -> bool:
    """Write an event in the place of the one with its identity; return whether there was none.

    It has the id of the one before, which links and messages name.
    """
    removed = cursor.execute(
        "DELETE FROM calendar_events WHERE uid = ? AND owner = ? RETURNING id",
        [event.uid, event.owner],
    ).fetchall()
    event_row = event.model_dump(include=set(_KEPT))
    if removed:
        event_row["id"] = removed[0][0]
    insert(cursor, "calendar_events", [event_row])
    return not removed


def list_between(
    cursor: Connection, viewer: str, begin: datetime, end: datetime
) -> list[CalendarEvent]:
    """Return the events that take place in a span, the organization's and a person's own.

    Those that repeat are all that began before its end, once each, whether or not they do in it.
    None is left out, however many there are: who is told of free time is told of all that is busy.
    """
    return validate_rows(
        cursor,
        CalendarEvent,
        f"SELECT {_EVENT} FROM calendar_events WHERE owner IN ('', ?) "
        "AND starts_at < ? AND (ends_at > ? OR repeats <> '') "
        "ORDER BY starts_at, ends_at, id",
        [viewer, end, begin],
    )


def read_event(cursor: Connection, event_id: str, viewer: str) -> CalendarEvent:
    """Return an event of the organization's or of a person.

    Raises:
        NotFoundError: the person sees none of that id; whether another does is not said.

    """
    statement = f"SELECT {_EVENT} FROM calendar_events WHERE id = ? AND owner IN ('', ?)"
    missing = f"your calendar has no event {event_id!r}"
    return validate_one(cursor, CalendarEvent, statement, [event_id, viewer], missing)


def find_event(cursor: Connection, event: CalendarEvent, viewer: str) -> CalendarEvent | None:
    """Return an event as it is now, or what stands in its place since a file brought it again."""
    listed = validate_rows(
        cursor,
        CalendarEvent,
        f"SELECT {_EVENT} FROM calendar_events WHERE owner IN ('', ?) "
        "AND (id = ? OR uid = ? AND owner = ?)",
        [viewer, event.id, event.uid, event.owner],
    )
    return listed[0] if listed else None


def remove_event(cursor: Connection, event_id: str, viewer: str) -> bool:
    """Remove an event of the organization's or of a person; return whether there was one."""
    removed = cursor.execute(
        "DELETE FROM calendar_events WHERE id = ? AND owner IN ('', ?) RETURNING id",
        [event_id, viewer],
    )
    return bool(removed.fetchall())
