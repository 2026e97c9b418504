"""Calendar files go in and come out, for their owner alone."""

import httpx

from tests.agents.conftest import Office

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
RRULE:FREQ=WEEKLY
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
    """The second time the same events are there already."""
    ida = await office.sign_in("Ida")
    first = (await ida.post("/calendar", {"ics": FILE})).json()
    assert (first["added"], first["changed"]) == (2, 0)
    assert [words.partition(":")[0] for words in first["left_out"]] == ["Every week", "Backwards"]
    again = (await ida.post("/calendar", {"ics": FILE})).json()
    assert (again["added"], again["changed"]) == (0, 2)


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
