"""`postern config | status | export | doctor | stop-sending`, without an engine."""

import asyncio
import csv
import io
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from data.records.mail.deciding import Decision, Gate, Outcome
from data.settings import Settings, load_settings
from data.states import StepStatus
from data.store.core import journal
from data.store.core.database import Connection, Database
from data.store.core.journal import Step
from data.store.core.statements import insert
from flows.doctor.findings import examine
from flows.export import WHAT
from tests.core.commands.fixtures import Run
from tests.ports import free_port

NOON = datetime(2026, 3, 4, 12, 0, 0, 250_000, tzinfo=UTC)


def fill(cursor: Connection) -> None:
    """Write one message with odd words, and a decision of the machine and of a person."""
    message = {
        "id": "m-17", "status": "draft_ready", "mode": "agent", "channel": "smtp",
        "mail_from": "wilma@boats.example",
        "rcpt_to": ["help@harbor.example", "b@harbor.example"],
        "received_at": NOON, "envelope": "{}", "content_key": "k", "raw_sha256": "s",
        "size_bytes": 417, "subject": "=2+5\n\"Ünïcode\"", "due_at": NOON,
    }  # fmt: skip
    insert(cursor, "messages", [message])
    gates = (Gate(name="shadow_mode", passed=False, reason="Shadow."),)
    decision = Decision(outcome=Outcome.REVIEW, gates=gates, reason="Look at it.")
    step = Step(
        item_id="c-23", stage="route", attempt=1, status=StepStatus.DONE, started_at=NOON,
        milliseconds=3.0, output=decision.model_dump_json(),
    )  # fmt: skip
    journal.record_steps(cursor, [step])
    review = {
        "id": "r-1", "case_id": "c-23", "reviewer": "Odile", "action": "reject",
        "reason": "tone", "note": "too cold", "edit_distance": 0.5,
        "decided_at": NOON + timedelta(minutes=9),
    }  # fmt: skip
    insert(cursor, "reviews", [review])


@pytest.fixture
def filled(home: Path, organization: str) -> None:
    """Put a few rows into the organization's state."""

    async def write() -> None:
        path = home / "organizations" / organization / "state.duckdb"
        database = Database(path, "organization")
        await database.write(fill)
        database.close()

    asyncio.run(write())


@pytest.mark.usefixtures("filled")
def test_an_export_holds_the_rows_in_every_format(run: Run, tmp_path: Path) -> None:
    """The three formats say the same; CSV lists are words and formulas are defused."""
    as_lines = run("export", "messages")
    assert as_lines.exit_code == 0, as_lines.output
    (row,) = [json.loads(one) for one in as_lines.stdout.splitlines()]
    assert (row["id"], row["subject"], row["size_bytes"]) == ("m-17", '=2+5\n"Ünïcode"', 417)
    assert row["received_at"] == "2026-03-04T12:00:00.250000Z"
    assert row["rcpt_to"] == ["help@harbor.example", "b@harbor.example"]
    target = tmp_path / "m.parquet"
    assert run("export", "messages", "--format", "parquet", "-o", target).exit_code == 0
    frame = pl.read_parquet(target)
    assert (frame["subject"][0], frame["received_at"][0]) == (row["subject"], NOON)
    text = run("export", "messages", "--format", "csv").stdout
    (line,) = csv.DictReader(io.StringIO(text, newline=""))
    assert line["rcpt_to"] == "help@harbor.example b@harbor.example"
    assert line["subject"] == '\'=2+5\n"Ünïcode"'


@pytest.mark.usefixtures("filled")
def test_decisions_are_those_of_the_machine_and_of_people(run: Run) -> None:
    """Both kinds stand in the order of time, with what held a case back."""
    shown = run("export", "decisions").stdout
    machine, person = (json.loads(one) for one in shown.splitlines())
    assert (machine["decided_by"], machine["decision"]) == ("machine", "review")
    assert machine["failed_gates"] == ["shadow_mode"]
    assert json.loads(machine["gates"])[0]["reason"] == "Shadow."
    assert (person["decided_by"], person["decision"], person["reason"]) == (
        "Odile", "reject", "tone",
    )  # fmt: skip


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("what", WHAT)
def test_every_table_can_be_exported_as_csv(run: Run, what: str) -> None:
    """A table without rows still gives its header."""
    shown = run("export", what, "--format", "csv")
    assert shown.exit_code == 0, shown.output
    assert "id" in shown.stdout.splitlines()[0]


def test_config_shows_sources_and_masks_secrets(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value says where it comes from; a key or password is never shown."""
    words = 'relay_password = "sesame-93"\nbatch_size = 31\n'
    (tmp_path / "postern.toml").write_text(words, encoding="utf-8")
    monkeypatch.setenv("LLM_API_KEY", "key-of-brass")
    monkeypatch.setenv("POSTERN_BATCH_SIZE", "37")
    shown = run("config", "--json")
    assert shown.exit_code == 0, shown.output
    assert "sesame-93" not in shown.output
    assert "key-of-brass" not in shown.output
    found = {one["name"]: one for one in map(json.loads, shown.stdout.splitlines())}
    assert list(found) == list(Settings.model_fields)
    assert (found["batch_size"]["value"], found["batch_size"]["source"]) == (
        "37", "POSTERN_BATCH_SIZE",
    )  # fmt: skip
    assert (found["relay_password"]["value"], found["relay_password"]["source"]) == (
        "********", "postern.toml",
    )  # fmt: skip
    assert found["llm_api_key"]["source"] == "LLM_API_KEY"
    assert found["home"]["source"] == "command line"
    assert found["host"]["source"] == "default"
    assert all(one["help"] for one in found.values())
    table = run("config").output
    assert "sesame-93" not in table
    assert "key-of-brass" not in table


def test_status_works_without_an_engine(run: Run, organization: str) -> None:
    """What does not run is said, and what to do about it."""
    shown = run("status")
    assert shown.exit_code == 0, shown.output
    assert "postern up" in shown.stdout
    assert "harbor" in shown.stdout
    found = json.loads(run("status", "--json").stdout)
    assert found["engine"] is False
    assert found["processes"] == dict.fromkeys(("receiver", "engine", "prefect", "ui"), False)
    assert found["organizations"] == {organization: None}


def test_the_kill_switch_is_a_file(run: Run, home: Path) -> None:
    """`stop-sending` makes the file that the sender looks at, `resume-sending` removes it."""
    switch = load_settings(home=home).stop_file
    assert run("stop-sending").exit_code == 0
    assert switch.exists()
    assert json.loads(run("status", "--json").stdout)["stopped"] is True
    assert run("resume-sending").exit_code == 0
    assert not switch.exists()
    assert "was not stopped" in run("resume-sending").output


def test_doctor_finds_a_good_house_good(run: Run, organization: str) -> None:
    """Nothing fails on a machine where the tests run; what does not run is a warning."""
    shown = run("doctor", "--json")
    assert shown.exit_code == 0, shown.output
    found = {one["name"]: one for one in map(json.loads, shown.stdout.splitlines())}
    good = ("python", "package prefect", "folder home", "organizations", "weights", "telemetry")
    assert {name: found[name]["status"] for name in good} == dict.fromkeys(good, "ok")
    assert found["engine"]["status"] == "warn"
    assert "postern up" in found["engine"]["remedy"]


def test_doctor_fails_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A home that is a file cannot be written into; the finding says which folder."""
    (tmp_path / "house").write_text("not a folder", encoding="utf-8")
    settings = load_settings(home=tmp_path / "house", api_port=free_port())
    found = {finding.name: finding for finding in examine(settings)}
    assert found["folder home"].status == "fail"
    assert "house" in found["folder home"].sentence
    assert found["folder home"].remedy


def test_status_says_what_it_can_while_an_engine_starts(
    run: Run, home: Path, organization: str
) -> None:
    """A state that is held by a process without an API is no reason to fail."""
    code = "import sys, duckdb; c = duckdb.connect(sys.argv[1]); print(1, flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(home / "control.duckdb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        shown = run("status")
        refused = run("organization", "list")
    finally:
        holder.communicate(b"\n", timeout=100)
    assert shown.exit_code == 0, shown.output
    assert "No engine answers" in shown.stdout
    assert refused.exit_code == 1
    assert "held by another process" in refused.output
