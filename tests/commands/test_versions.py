"""Versions of the business profile and of mailboxes, shown and restored while no engine runs."""

from pathlib import Path

import pytest

from tests.commands.conftest import Run


@pytest.fixture(autouse=True)
def wide(organization: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give tables the room to be read, in a home with an organization."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")


def test_the_business_profile_is_written_compared_and_restored(run: Run, tmp_path: Path) -> None:
    """Each wording is a version, and an earlier one becomes the newest."""
    assert "Nobody has written it yet." in run("business", "show").output
    for words in ("We lend boats.", "We lend boats and oars."):
        (tmp_path / "profile.md").write_text(words, encoding="utf-8")
        assert run("business", "set", tmp_path / "profile.md").exit_code == 0
    shown = run("business", "diff", "1", "2").output
    assert "-We lend boats.\n+We lend boats and oars.\n" in shown
    assert "as version 3" in run("business", "restore", "1").output
    assert run("business", "show").output == "We lend boats.\n"
    assert "on the command line" in run("business", "versions").output
    missing = run("business", "restore", "9")
    assert (missing.exit_code, "no version 9" in missing.output) == (1, True)


def test_a_mailbox_is_restored_with_its_password(run: Run, tmp_path: Path) -> None:
    """What was removed comes back when its password is given anew."""
    secret = tmp_path / "secret"
    secret.write_text("open sesame\n", encoding="utf-8")
    assert "Nothing was kept here yet" in run("mailbox", "versions").output
    for host in ("imap.one.example", "imap.two.example"):
        kept = run("mailbox", "add", "support", "--host", host, "--user", "help",
                   "--password-file", secret)  # fmt: skip
        assert kept.exit_code == 0, kept.output
    assert "-host: imap.one.example" in run("mailbox", "diff", "support", "1", "2").output
    assert run("mailbox", "restore", "support", "1").exit_code == 0
    assert "imap.one.example" in run("mailbox", "list").output
    assert run("mailbox", "remove", "support").exit_code == 0
    refused = run("mailbox", "restore", "support", "2")
    assert (refused.exit_code, "password" in refused.output) == (1, True)
    assert run("mailbox", "restore", "support", "2", "--password-file", secret).exit_code == 0
    listed = run("mailbox", "versions", "support").output
    assert "imap.two.example" in run("mailbox", "list").output
    assert "removed" in listed
    assert "open sesame" not in listed
