"""The command line teaches, and fails in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli.application import app
from flows.core.services import check_ports
from tests.core.commands.fixtures import Run

COMMANDS = (
    *(
        "organization",
        "business",
        "holiday",
        "route",
        "dkim",
        "up",
        "engine",
        "receive",
        "ui",
        "demo",
        "ingest",
        "send",
        "write",
        "try",
    ),
    *("status", "export", "config", "doctor", "stop-sending", "resume-sending"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    """`--help` of a command says what it does and ends well."""
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert "Usage: postern" in shown.output or f"{command} [OPTIONS]" in shown.output
    assert len(shown.output.splitlines()) > 5


def test_help_lists_every_command(run: Run) -> None:
    """The overview names all commands and no other."""
    shown = run("--help").output
    assert all(f"\n  {command} " in shown for command in COMMANDS)
    named = {command.name for command in app.registered_commands}
    assert named - {None} <= set(COMMANDS)


def test_help_needs_little() -> None:
    """Help loads none of the heavy packages."""
    heavy = ("prefect", "lancedb", "dlt", "polars", "duckdb", "pydantic", "httpx", "streamlit")
    code = f"import sys, flows.cli\nprint([name for name in {heavy!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert shown.stdout.strip() == b"[]"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ingest", "nowhere.mbox"), "organization add"),
        (("try", "nowhere.eml"), "no file or folder 'nowhere.eml'"),
        (("try", "a.eml", "--until", "magic"), "parse, segment, automated, screen"),
        (("try",), "--jsonl"),
        (
            ("export", "everything"),
            "messages, threads, cases, branches, actions, decisions, deliveries",
        ),
        (("export", "messages", "--format", "xlsx"), "jsonl, parquet, csv"),
        (("export", "messages"), "organization add"),
        (("organization", "show", "harbor"), "organization add"),
        (("organization", "add", "harbor"), "--address"),
        (("organization", "add", "Har bor", "--address", "a@b.example"), "'slug'"),
        (("organization", "add", "harbor", "--address", "nobody"), "'nobody' is no mail address"),
        (("organization", "add", "harbor", "--signature-file", sys.executable), "as UTF-8 text"),
        (("agent", "import", sys.executable, "--why", "x"), "as UTF-8 text"),
        (("agent", "set", "desk", sys.executable, "--why", "x"), "as UTF-8 text"),
        (
            ("agent", "library", "set", "template", "x", sys.executable, "--why", "x"),
            "as UTF-8 text",
        ),
    ],
)
def test_an_error_is_one_sentence_that_says_what_to_do(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    """An expected failure ends with status 1 and one line, never with a traceback."""
    failed = run(*words)
    assert failed.exit_code == 1
    assert told in failed.output
    assert failed.output.startswith("postern: ")
    assert failed.output.count("\n") == 1


def test_a_home_that_cannot_be_made_is_told_in_a_sentence(run: Run, home: Path) -> None:
    """The machine's own failures show no traceback either."""
    home.write_text("not a folder", encoding="utf-8")
    failed = run("organization", "add", "harbor", "--address", "help@harbor.example")
    assert failed.exit_code == 1
    assert failed.output.startswith("postern: ")
    assert str(home) in failed.output
    assert "Traceback" not in failed.output


def test_a_wrong_setting_names_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that cannot be used is named."""
    monkeypatch.setenv("POSTERN_API_PORT", "seventy")
    failed = run("status")
    assert failed.exit_code == 1
    assert "'api_port'" in failed.output


def test_up_names_the_setting_of_a_taken_port(run: Run, home: Path, organization: str) -> None:
    """A port that is in use stops `up` before anything is started."""
    import socket

    from data.settings import load_settings

    port = load_settings(home=home).ui_port
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        failed = run("up")
    assert failed.exit_code == 1
    assert f"port {port}" in failed.output
    assert "'ui_port'" in failed.output
    assert not (home / "prefect").exists()


def test_two_settings_of_one_port_are_refused(home: Path) -> None:
    """Two processes cannot be given the same port."""
    from data.errors import PortTakenError
    from data.settings import load_settings

    port = load_settings(home=home).api_port
    with pytest.raises(PortTakenError, match="'api_port' and 'ui_port'"):
        check_ports(load_settings(home=home, api_port=port, ui_port=port))
