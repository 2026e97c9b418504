"""Calendar files (RFC 5545): events out of them and into them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from data.errors import UnfitError
from data.records.core.calendar import CalendarEvent
from data.records.core.titles import LONGEST_TITLE
from tasks.core.calendar.recurrence import fit_rule, rule_in_file
from tasks.core.parse.zones import zone_called
from tasks.core.words.sentences import single_spaced

if TYPE_CHECKING:
    import icalendar

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
    repeats: str
    repeats_in: str
    skipped: tuple[datetime, ...]


def read_calendar(text: str, zone: ZoneInfo) -> tuple[list[ReadEvent], list[str]]:
    """Return the events of a file, and what was left out with its reason.

    Times without a zone are those of `zone`; those of a zone that is not known are left out. One
    time of a series that was moved is an event of its own, and the series is without it.

    Raises:
        UnfitError: it is no calendar file, or has too many events.

    """
    import icalendar  # half a second, and few requests read one

    try:
        events = [vevent for each in icalendar.Calendar.from_ical(text, multiple=True)
                  for vevent in each.walk("VEVENT")]  # fmt: skip
    except (ValueError, IndexError, KeyError) as error:
        raise UnfitError("that is no calendar file (RFC 5545)") from error
    if len(events) > MOST:
        raise UnfitError(f"a calendar file may bring {MOST} events, and this has {len(events)}")
    read_events: list[ReadEvent] = []
    left_out: list[str] = []
    moved: dict[str, list[datetime]] = {}
    for event in events:
        title = single_spaced(str(event.get("SUMMARY", "")))[:LONGEST_TITLE]
        uid = str(event.get("UID", ""))
        begin, end, reason = _times(event)
        reason = reason or _wrong(uid, title, own_dates="RDATE" in event)
        if reason or begin is None:
            left_out.append(f"{title or uid or 'an event'}: {reason}")
            continue
        within = _zone_of(begin, zone)
        if "RECURRENCE-ID" in event:
            instead_of = _add_zone(event.decoded("RECURRENCE-ID"), within)
            moved.setdefault(uid, []).append(instead_of)
            uid = f"{uid}#{instead_of.astimezone(UTC):%Y%m%dT%H%M%SZ}"
            if str(event.get("STATUS", "")).upper() == "CANCELLED":
                continue
        whole_day = not isinstance(begin, datetime)
        starts = _add_zone(begin, zone)
        ends = (
            _add_zone(end, zone)
            if end is not None
            else starts + (_DAY if whole_day else timedelta())
        )
        if ends < starts:
            left_out.append(f"{title}: it ends before it begins")
            continue
        place = single_spaced(str(event.get("LOCATION", "")))[:LONGEST_TITLE]
        try:
            rule = fit_rule(_rule_text(event), starts, within) if "RRULE" in event else ""
        except UnfitError as error:
            left_out.append(f"{title}: {error}")
            continue
        skipped = _skipped(event, within) if rule else ()
        read_events.append(
            ReadEvent(
                uid,
                title,
                place,
                starts,
                ends,
                whole_day,
                rule,
                within.key if rule else "",
                skipped,
            )
        )
    return [
        _cut_moved_times(read_event, moved.get(read_event.uid, ())) for read_event in read_events
    ], left_out


def _cut_moved_times(event: ReadEvent, moved: Sequence[datetime]) -> ReadEvent:
    """Return a series without the times of it that are events of their own."""
    return event._replace(skipped=(*event.skipped, *moved)) if event.repeats else event


def _rule_text(event: "icalendar.Component") -> str:
    """Return the rule of an event as text.

    Raises:
        UnfitError: it has several.

    """
    rule: Any = event["RRULE"]
    if isinstance(rule, list):
        raise UnfitError("it has several rules")
    return bytes(rule.to_ical()).decode()


def _skipped(event: "icalendar.Component", zone: ZoneInfo) -> tuple[datetime, ...]:
    """Return when an event that repeats does not take place."""
    skipped_dates: Any = event.get("EXDATE", [])
    lists = skipped_dates if isinstance(skipped_dates, list) else [skipped_dates]
    return tuple(_add_zone(skipped.dt, zone) for each in lists for skipped in each.dts)


def _zone_of(begin: date, zone: ZoneInfo) -> ZoneInfo:
    """Return the zone in which a series is meant; that of the organization where none is named."""
    zone_given = begin.tzinfo if isinstance(begin, datetime) else None
    return zone_given if isinstance(zone_given, ZoneInfo) and zone_given.key else zone


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
        within = ZoneInfo(event.repeats_in) if event.repeats else ZoneInfo("UTC")
        for name, at in (("DTSTART", event.starts_at), ("DTEND", event.ends_at)):
            local = at.astimezone(zone)
            entry.add(name, local.date() if event.whole_day else at.astimezone(within))
        if event.repeats:
            entry.add("RRULE", icalendar.vRecur.from_ical(rule_in_file(event)))
            for at in event.skipped:
                day = at.astimezone(zone).date()
                entry.add("EXDATE", day if event.whole_day else at.astimezone(within))
        calendar.add_component(entry)
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _times(event: "icalendar.Component") -> tuple[date | None, date | None, str]:
    """Return when an event begins and ends, and why that cannot be told; empty where it can."""
    try:
        begin = event.decoded("DTSTART")
        end = event.decoded("DTEND") if "DTEND" in event else None
        end = begin + event.decoded("DURATION") if "DURATION" in event else end
    except (ValueError, KeyError, TypeError):
        return None, None, "it has no beginning that can be read"
    begin, unknown_zone = _with_zone(event, "DTSTART", begin)
    end, _ = _with_zone(event, "DTEND", end)
    return begin, end, unknown_zone


def _wrong(uid: str, title: str, *, own_dates: bool) -> str:
    """Return why an event is left out; empty where it is not."""
    if own_dates:
        return "it repeats on dates of its own, which is not known here"
    return "" if uid and title else "it has no identity or no title"


def _with_zone(
    event: "icalendar.Component", name: str, moment: date | None
) -> tuple[date | None, str]:
    """Return a time with the zone that its file calls by another name, and why there is none."""
    if not isinstance(moment, datetime) or moment.tzinfo is not None:
        return moment, ""
    params: Any = getattr(event.get(name, event["DTSTART"]), "params", {})
    called = str(params.get("TZID") or "")
    zone = zone_called(called) if called else None
    if zone is None:
        return moment, f"its time zone {called!r} is not known" if called else ""
    return moment.replace(tzinfo=zone), ""


def _add_zone(moment: date, zone: ZoneInfo) -> datetime:
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), tzinfo=zone)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
