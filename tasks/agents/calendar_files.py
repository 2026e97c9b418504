"""Calendar files (RFC 5545): events out of them and into them."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from data.errors import UnfitError
from data.records.agents.calendar import LONGEST_TITLE, CalendarEvent
from tasks.words.sentences import single_spaced

MOST = 2000
"""Events that one file may bring."""
_DAY = timedelta(days=1)


class ReadEvent(NamedTuple):
    """One event of a file."""

    uid: str
    title: str
    place: str
    starts_at: datetime
    ends_at: datetime
    whole_day: bool


def read_calendar(text: str, zone: ZoneInfo) -> tuple[list[ReadEvent], list[str]]:
    """Return the events of a file, and what was left out with its reason.

    Times without a zone are those of `zone`. Series are left out: of one that repeats, nothing here
    would know.

    Raises:
        UnfitError: it is no calendar file, or has too many events.

    """
    import icalendar  # half a second, and few requests read one

    try:
        events = [one for each in icalendar.Calendar.from_ical(text, multiple=True)
                  for one in each.walk("VEVENT")]  # fmt: skip
    except (ValueError, IndexError, KeyError) as error:
        raise UnfitError("that is no calendar file (RFC 5545)") from error
    if len(events) > MOST:
        raise UnfitError(f"a calendar file may bring {MOST} events, and this has {len(events)}")
    kept: list[ReadEvent] = []
    left_out: list[str] = []
    for event in events:
        title = single_spaced(str(event.get("SUMMARY", "")))[:LONGEST_TITLE]
        uid = str(event.get("UID", ""))
        try:
            begin = event.decoded("DTSTART")
            end = event.decoded("DTEND") if "DTEND" in event else None
            end = begin + event.decoded("DURATION") if "DURATION" in event else end
        except (ValueError, KeyError, TypeError):
            begin = end = None
        reason = _wrong(uid, title, begin, repeats="RRULE" in event or "RDATE" in event)
        if reason:
            left_out.append(f"{title or uid or 'an event'}: {reason}")
            continue
        whole_day = not isinstance(begin, datetime)
        starts = _at(begin, zone)
        ends = _at(end, zone) if end is not None else starts + (_DAY if whole_day else timedelta())
        if ends < starts:
            left_out.append(f"{title}: it ends before it begins")
            continue
        place = single_spaced(str(event.get("LOCATION", "")))[:LONGEST_TITLE]
        kept.append(ReadEvent(uid, title, place, starts, ends, whole_day))
    return kept, left_out


def write_calendar(events: Sequence[CalendarEvent], zone: ZoneInfo, now: datetime) -> bytes:
    """Return a file that holds events; those of whole days bear days and no times."""
    import icalendar

    calendar = icalendar.Calendar()
    calendar.add("PRODID", "-//Postern//Calendar//EN")
    calendar.add("VERSION", "2.0")
    for event in events:
        entry = icalendar.Event()
        entry.add("UID", event.uid)
        entry.add("DTSTAMP", now)
        entry.add("SUMMARY", event.title)
        if event.place:
            entry.add("LOCATION", event.place)
        for name, at in (("DTSTART", event.starts_at), ("DTEND", event.ends_at)):
            local = at.astimezone(zone)
            entry.add(name, local.date() if event.whole_day else at.astimezone(ZoneInfo("UTC")))
        calendar.add_component(entry)
    return bytes(calendar.to_ical())


def _wrong(uid: str, title: str, begin: date | None, *, repeats: bool) -> str:
    """Return why an event is left out; empty where it is not."""
    if begin is None:
        return "it has no beginning that can be read"
    if repeats:
        return "it repeats, which is not known here"
    return "" if uid and title else "it has no identity or no title"


def _at(moment: date, zone: ZoneInfo) -> datetime:
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), tzinfo=zone)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
