"""Calendar files go in and come out, for their owner alone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import httpx

from tasks.core.calendar.calendar_files import read_calendar
from tests.agents.conftest import Office, Talking

FILE = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Heron//EN
BEGIN:VEVENT
UID:one@heron.example
SUMMARY:Loom inspection
LOCATION:Mill Lane 4
DTSTART:20990302T140000Z
DTEND:20990302T150000Z
END:VEVENT
BEGIN:VEVENT
UID:two@heron.example
SUMMARY:Holiday
DTSTART;VALUE=DATE:20990303
END:VEVENT
BEGIN:VEVENT
UID:three@heron.example
SUMMARY:Every week
DTSTART:20990304T140000Z
RRULE:FREQ=HOURLY
END:VEVENT
BEGIN:VEVENT
UID:four@heron.example
SUMMARY:Backwards
DTSTART:20990304T140000Z
DTEND:20990304T130000Z
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")


async def test_a_file_is_taken_over_once_and_its_series_are_named(office: Office) -> None:
    """The second time the same events are there already, and keep their ids."""
    ids = "SELECT id FROM calendar_events ORDER BY id"
    ida = await office.sign_in("Ida")
    first = (await ida.post("/calendar", {"ics": FILE})).json()
    assert (first["added"], first["changed"]) == (2, 0)
    assert [words.partition(":")[0] for words in first["left_out"]] == ["Every week", "Backwards"]
    before = await office.line.rows(ids)
    again = (await ida.post("/calendar", {"ics": FILE})).json()
    assert (again["added"], again["changed"]) == (0, 2)
    assert await office.line.rows(ids) == before


def test_a_zone_by_another_name_is_that_zone_and_an_unknown_one_is_left_out() -> None:
    """Outlook's names in any language are read; a time in a zone nobody knows is not guessed."""
    template = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Heron//EN\r\nBEGIN:VEVENT\r\nUID:1@h.example\r\n"
        'SUMMARY:Loom\r\nDTSTART;TZID="{zone}":20990714T100000\r\n'
        'DTEND;TZID="{zone}":20990714T110000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
    )
    for zone in (
        "Mitteleuropäische Zeit",
        "(UTC+01:00) Amsterdam, Berlin",
        "Romance Standard Time",
    ):
        (event,), left_out = read_calendar(template.format(zone=zone), ZoneInfo("America/Lima"))
        assert event.starts_at.astimezone(UTC) == datetime(2099, 7, 14, 8, tzinfo=UTC)
        assert event.ends_at.astimezone(UTC) == datetime(2099, 7, 14, 9, tzinfo=UTC)
        assert not left_out
    events, left_out = read_calendar(template.format(zone="Mill time"), ZoneInfo("Europe/Oslo"))
    assert not events
    assert left_out == ["Loom: its time zone 'Mill time' is not known"]


async def test_what_is_no_calendar_is_refused(office: Office) -> None:
    """And nothing is written."""
    ida = await office.sign_in("Ida")
    for text in ("", "BEGIN:VEVENT", "hello"):
        answer = await ida.post("/calendar", {"ics": text})
        taken = answer.json().get("added", 0)
        assert answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY or taken == 0
    assert b"VEVENT" not in (await ida.get("/calendar.ics")).content


async def test_events_of_a_person_are_in_no_file_of_another(office: Office) -> None:
    """Those of the organization are in everybody's."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    near = FILE.replace("2099", f"{office.line.clock().year + 1}")
    await ida.post("/calendar", {"ics": near})
    assert "Loom inspection" in (await ida.get("/calendar.ics")).text
    assert "Loom inspection" not in (await tom.get("/calendar.ics")).text
    await ida.post("/calendar", {"ics": near, "for_everybody": True})
    shared = (await tom.get("/calendar.ics")).text
    assert "Loom inspection" in shared
    assert "DTSTART;VALUE=DATE:" in shared


SERIES = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Heron//EN
BEGIN:VEVENT
UID:stand-up@heron.example
SUMMARY:Stand-up
DTSTART;TZID=Europe/Berlin:20260302T090000
DTEND;TZID=Europe/Berlin:20260302T093000
RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=8
EXDATE;TZID=Europe/Berlin:20260316T090000
END:VEVENT
BEGIN:VEVENT
UID:stand-up@heron.example
RECURRENCE-ID;TZID=Europe/Berlin:20260323T090000
SUMMARY:Stand-up, later
DTSTART;TZID=Europe/Berlin:20260323T110000
DTEND;TZID=Europe/Berlin:20260323T113000
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")


async def _march(who: Talking) -> list[str]:
    asked = "/calendar/events?first=2026-03-01&last=2026-04-30"
    return [
        f"{one['title']} {one['starts_at'][5:16]}" for one in (await who.get(asked)).json()["items"]
    ]


async def test_a_series_takes_place_each_time_but_those_it_leaves_out(office: Office) -> None:
    """At nine on the clock of its zone whatever clocks do; one was moved, one is out."""
    ida = await office.sign_in("Ida")
    assert (await ida.post("/calendar", {"ics": SERIES})).json()["left_out"] == []
    expected = [
        "Stand-up 03-02T08:00", "Stand-up 03-09T08:00", "Stand-up, later 03-23T10:00",
        "Stand-up 03-30T07:00", "Stand-up 04-06T07:00", "Stand-up 04-13T07:00",
        "Stand-up 04-20T07:00",
    ]  # fmt: skip
    assert await _march(ida) == expected


async def test_a_series_goes_out_and_comes_in_again_the_same(office: Office) -> None:
    """Another person who takes the file over has the same times; the file names its zone."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    office.line.clock.ahead = datetime(2026, 3, 1, tzinfo=UTC) - datetime.now(UTC)
    await ida.post("/calendar", {"ics": SERIES})
    out = (await ida.get("/calendar.ics")).text
    assert "BEGIN:VTIMEZONE" in out
    assert "RRULE:FREQ=WEEKLY;UNTIL=20260420T070000Z;BYDAY=MO" in out
    assert (await tom.post("/calendar", {"ics": out})).json()["left_out"] == []
    assert await _march(tom) == await _march(ida)
