"""`postern filters` and `postern retention`, without an engine."""

from pathlib import Path

import pytest

from tests.core.commands.fixtures import Run


def test_filters_and_retention_are_told(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is off says how it is switched on; what is on is asked when that is wanted."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    off = run("filters")
    assert (off.exit_code, 'rspamd_url = "http://127.0.0.1:11334"' in off.output) == (0, True)
    monkeypatch.setenv("POSTERN_SPAMASSASSIN_ADDRESS", "127.0.0.1:9")
    assert "was not asked now" in run("filters").output
    assert "does not answer" in run("filters", "--ask").output
    monkeypatch.setenv("POSTERN_ARCHIVE_DAYS", "400")
    kept = run("retention")
    assert kept.exit_code == 0, kept.output
    assert "400 days" in kept.output
    assert "has not run yet" in kept.output


def test_how_replies_leave_is_told_and_changed(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Files at first; a relay by its name, asked when that is wanted; files again."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    first = run("outgoing")
    assert (first.exit_code, "reach nobody" in first.output) == (0, True), first.output
    secret = tmp_path / "relay.txt"
    secret.write_text("shuttle-17\n")
    named = run("outgoing", "--relay", "127.0.0.1", "--port", "9", "--tls", "none", "--user", "me",
                "--password-file", str(secret))  # fmt: skip
    assert "handed to 127.0.0.1:9. It was not asked now." in named.output
    assert "It does not let us in" in run("outgoing", "--ask").output
    assert "shuttle" not in run("config").output
    assert run("outgoing", "--relay", "a.example", "--files").exit_code == 1
    assert "reach nobody" in run("outgoing", "--files").output
    assert run("outgoing", "--default").exit_code == 0
    assert "kept in Postern" not in run("config").output


def test_who_thinks_is_told_tried_and_changed(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Postern by itself at first; a server that is away is told by a test, and kept if meant."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("LLM_API_KEY", raising=False)
    assert "Postern by itself" in run("model-setup").output
    secret = tmp_path / "key.txt"
    secret.write_text("shuttle-key-19ab\n")
    choice = ("--provider", "openai", "--base-url", "http://127.0.0.1:9/v1", "--model", "lathe",
              "--key-file", str(secret), "--price", "* 0 0")  # fmt: skip
    tried = run("model-setup", *choice, "--test", "fast")
    assert (tried.exit_code, "lathe was asked" in tried.output) == (1, True), tried.output
    assert "Postern by itself" in run("model-setup").output
    kept = run("model-setup", *choice)
    assert kept.exit_code == 0, kept.output
    assert "Fast: lathe. Capable: lathe." in kept.output
    assert "There is a key." in kept.output
    assert "shuttle" not in run("config").output
    moved = run("model-setup", "--base-url", "http://127.0.0.1:10/v1")
    assert (moved.exit_code, "not carried to a new one" in moved.output) == (1, True)
    assert run("model-setup", "--key-file", str(secret), "--no-key").exit_code == 1
    assert run("model-setup", "--default").exit_code == 0
    assert "kept in Postern" not in run("config").output


def test_they_are_changed_and_what_another_place_names_is_not(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change says what it does and asks; `config` says where a value is kept."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    no = run("retention", "--raw-mail", "365", given=b"n\n")
    assert (no.exit_code, "Nothing is that old now." in no.output) == (1, True)
    assert "365 days" not in run("retention").output
    yes = run("retention", "--raw-mail", "365", "--yes")
    assert (yes.exit_code, "365 days" in yes.output) == (0, True)
    kept = run("filters", "--spamassassin", "127.0.0.1:9")
    assert "SpamAssassin at 127.0.0.1:9 was not asked now." in kept.output
    shown = run("config").output
    assert shown.count("kept in Postern") == 2
    back = run("retention", "--default", "raw-mail", "--yes")
    assert "365 days" not in back.output
    assert run("filters", "--default").exit_code == 0
    assert "kept in Postern" not in run("config").output
    wrong = run("retention", "--default", "notifications")
    assert (wrong.exit_code, "raw-mail and program-chats" in wrong.output) == (1, True)
    monkeypatch.setenv("POSTERN_ARCHIVE_DAYS", "400")
    refused = run("retention", "--raw-mail", "10", "--yes")
    assert (refused.exit_code, "'archive_days' is set outside" in refused.output) == (1, True)
    assert "400 days" in run("retention").output
    assert run("filters", "--spamassassin", "").exit_code == 0
    assert "SpamAssassin is off" in run("filters").output


def test_the_machine_is_named(run: Run, organization: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is kept and given up; one that is none is refused, as is another place's."""
    del organization
    assert "postern.localdomain (default)" in run("hostname").output
    assert "mx.harbor.example (kept in Postern)" in run("hostname", "mx.harbor.example").output
    assert run("hostname", "no name").exit_code == 1
    assert run("hostname", "mx.example", "--default").exit_code == 1
    assert "postern.localdomain (default)" in run("hostname", "--default").output
    monkeypatch.setenv("POSTERN_SMTP_HOSTNAME", "mx.out.example")
    assert "'smtp_hostname' is set outside" in run("hostname", "mx.harbor.example").output
