"""`postern report`, without an engine."""

import asyncio
import json
from pathlib import Path

import polars as pl
import pytest

from data.store.core.database import Database
from tests.core.commands.fixtures import Run
from tests.mail.reports.test_reports import fill

WEEK = ("--since", "2026-03-02", "--until", "2026-03-08")


@pytest.fixture
def filled(home: Path, organization: str) -> None:
    """Put a week whose figures are known into the organization's state."""

    async def write() -> None:
        database = Database(home / "organizations" / organization / "state.duckdb", "organization")
        await database.write(fill)
        database.close()

    asyncio.run(write())


@pytest.mark.usefixtures("filled")
def test_a_report_is_drawn_told_as_json_and_written_to_a_file(run: Run, tmp_path: Path) -> None:
    """The three say the same of the same week."""
    drawn = run("report", *WEEK)
    assert drawn.exit_code == 0, drawn.output
    lines = {line[:22].strip(): line[22:].strip() for line in drawn.stdout.splitlines()}
    assert lines["answered"] == "3, of them by itself 1"
    assert lines["first answer"] == "median 3.0 h, 90% within 3.8 h (2)"
    assert lines["would have left alone"] == "3, people agreed 0%"
    assert lines["left open in drafts"] == "3 questions"
    told = json.loads(run("report", *WEEK, "--by", "week", "--json").stdout)
    (week,) = told["periods"]
    assert (week["received"], week["waiting"]) == (7, 2)
    target = tmp_path / "week.parquet"
    wanted = ("--table", "categories", "--format", "parquet", "-o", target)
    assert run("report", *WEEK, *wanted).exit_code == 0
    assert pl.read_parquet(target)["received"].sum() == 5


@pytest.mark.usefixtures("organization")
def test_a_range_that_ends_before_it_begins_is_refused_in_a_sentence(run: Run) -> None:
    """And nothing is drawn."""
    refused = run("report", "--since", "2026-03-08", "--until", "2026-03-02")
    assert refused.exit_code == 1
    assert "name a first day" in refused.output


@pytest.mark.usefixtures("organization")
def test_the_audit_log_is_shown_narrowed_and_written_to_a_file(run: Run, tmp_path: Path) -> None:
    """What changed who may do what is told, newest first, and by person, action and words."""
    given = ("--email", "maud@harbor.example", "--grant", "viewer@harbor")
    assert run("user", "add", "Maud Reed", *given).exit_code == 0
    assert run("user", "set", "maud@harbor.example", "--grant", "lead@harbor").exit_code == 0
    shown = run("audit").stdout.splitlines()
    assert ["edit-user" in shown[0], "add-user" in shown[1]] == [True, True]
    (only,) = run("audit", "--action", "add-user", "--words", "MAUD").stdout.splitlines()
    assert only.endswith("Maud Reed: viewer in harbor")
    assert run("audit", "--words", "somebody else").stdout == ""
    assert run("audit", "--until", "2020-01-01").stdout == ""
    target = tmp_path / "audit.parquet"
    assert run("audit", "--format", "parquet", "-o", target).exit_code == 0
    frame = pl.read_parquet(target)
    chained = zip(frame["hash"][:-1], frame["previous_hash"][1:], strict=True)
    assert frame["sequence"].is_sorted()
    assert all(one == other for one, other in chained)
