"""`postern calendar`: files of other calendars in and out, while no engine runs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.core.commands.fixtures import Run

FILE = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//EN
BEGIN:VEVENT
UID:stocktaking@example
DTSTAMP:20260101T120000Z
DTSTART:{day}T090000Z
DTEND:{day}T103000Z
SUMMARY:Stocktaking
END:VEVENT
BEGIN:VEVENT
UID:sometimes@example
DTSTAMP:20260101T120000Z
DTSTART:{day}T120000Z
RRULE:FREQ=HOURLY
SUMMARY:Sometimes
END:VEVENT
END:VCALENDAR
"""


def test_a_calendar_file_is_taken_over_and_given_out(
    run: Run, organization: str, tmp_path: Path
) -> None:
    """Again it changes what is there; what cannot be taken over is named."""
    del organization
    file, out = tmp_path / "in.ics", tmp_path / "out.ics"
    day = f"{datetime.now(UTC) + timedelta(days=3):%Y%m%d}"
    text = FILE.format(day=day).replace("\n", "\r\n")
    file.write_text(text, encoding="utf-8", newline="")
    first = run("calendar", "import", file, "--everybody")
    assert "1 event added, 0 changed." in first.output
    assert "Left out: Sometimes" in first.output
    again = run("calendar", "import", file, "--everybody")
    assert "0 events added, 1 changed." in again.output
    assert run("calendar", "export", out).exit_code == 0
    written = out.read_text(encoding="utf-8")
    assert written.count("BEGIN:VEVENT") == 1
    assert "UID:stocktaking@example" in written
    file.write_text("nonsense", encoding="utf-8")
    wrong = run("calendar", "import", file)
    assert (wrong.exit_code, "no calendar file" in wrong.output) == (1, True)
