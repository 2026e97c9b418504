"""Events of calendars; every read names the person who may see them beside the organization's."""

from datetime import datetime

from data.errors import NotFoundError
from data.records.agents.calendar import CalendarEvent
from data.store.core.database import Connection, insert, rows

_KEPT = [name for name in CalendarEvent.model_fields if name != "first_at"]
_EVENT = ", ".join(_KEPT)


def put(cursor: Connection, event: CalendarEvent) -> bool:
    """Write an event in the place of the one with its identity; return whether there was none."""
    removed = cursor.execute(
        "DELETE FROM calendar_events WHERE uid = ? AND owner = ? RETURNING id",
        [event.uid, event.owner],
    ).fetchall()
    insert(cursor, "calendar_events", [event.model_dump(include=set(_KEPT))])
    return not removed


def between(
    cursor: Connection, viewer: str, begin: datetime, end: datetime, *, limit: int = 1000
) -> list[CalendarEvent]:
    """Return the events that take place in a span, the organization's and a person's own.

    Those that repeat are all that began before its end, once each, whether or not they do in it.
    """
    listed = rows(
        cursor,
        f"SELECT {_EVENT} FROM calendar_events WHERE owner IN ('', ?) "
        "AND starts_at < ? AND (ends_at > ? OR repeats <> '') "
        "ORDER BY starts_at, ends_at, id LIMIT ?",
        [viewer, end, begin, limit],
    )
    return [CalendarEvent.model_validate(row) for row in listed]


def event_of(cursor: Connection, event_id: str, viewer: str) -> CalendarEvent:
    """Return an event of the organization's or of a person.

    Raises:
        NotFoundError: the person sees none of that id; whether another does is not said.

    """
    listed = rows(
        cursor,
        f"SELECT {_EVENT} FROM calendar_events WHERE id = ? AND owner IN ('', ?)",
        [event_id, viewer],
    )
    if not listed:
        raise NotFoundError(f"your calendar has no event {event_id!r}")
    return CalendarEvent.model_validate(listed[0])


def remove(cursor: Connection, event_id: str, viewer: str) -> bool:
    """Remove an event of the organization's or of a person; return whether there was one."""
    removed = cursor.execute(
        "DELETE FROM calendar_events WHERE id = ? AND owner IN ('', ?) RETURNING id",
        [event_id, viewer],
    )
    return bool(removed.fetchall())
