"""`postern holiday`: listed, added, imported and removed while no engine runs."""

from datetime import UTC, datetime
from pathlib import Path

from tests.core.commands.fixtures import Run
from tests.mail.api.test_holidays import CALENDAR


def test_holidays_are_added_imported_and_removed(
    run: Run, organization: str, tmp_path: Path
) -> None:
    """A file shows its days before they are kept; a day that is none is told."""
    del organization
    assert "There is none" in run("holiday", "list").output
    assert run("holiday", "add", "2026-12-24", "Christmas Eve").exit_code == 0
    assert run("holiday", "list").output == "2026-12-24 Thu Christmas Eve\n"
    wrong = run("holiday", "add", "24.12.2026")
    assert (wrong.exit_code, "write it as 2026-12-25" in wrong.output) == (1, True)
    year = datetime.now(UTC).year
    file = tmp_path / "holidays.ics"
    file.write_text(CALENDAR.format(year=year), encoding="utf-8")
    no = run("holiday", "import", file, given=b"n\n")
    assert (no.exit_code, f"{year}-12-26" in no.output) == (1, True)
    assert len(run("holiday", "list").output.splitlines()) == 1
    yes = run("holiday", "import", file, "--yes")
    assert "Left out: Party: it does not take a whole day" in yes.output
    assert "6 days added." in yes.output
    assert "Nothing in it is new." in run("holiday", "import", file, "--yes").output
    assert run("holiday", "remove", f"{year}-12-26").exit_code == 0
    assert f"{year}-12-26" not in run("holiday", "list").output
    again = run("holiday", "remove", f"{year}-12-26")
    assert (again.exit_code, "is no holiday" in again.output) == (1, True)
