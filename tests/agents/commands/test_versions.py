"""Versions of the business profile and of mailboxes, shown and restored while no engine runs."""

import ssl
from pathlib import Path

import pytest

from tests.core.commands.fixtures import Run
from tests.mail.mailboxes.authority import PrivateAuthority


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
    referred = run(
        "business", "refer", "contact:nobody@boats.example", "--label", "Who lends"
    ).output
    assert "Version 4 counts" in referred
    assert "1 lead to nothing" in referred
    dropped = run("business", "refer", "contact:nobody@boats.example", "--remove").output
    assert "lead to nothing" not in dropped
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
    moved = run("mailbox", "restore", "support", "1")
    assert (moved.exit_code, "given for another machine" in moved.output) == (1, True)
    assert run("mailbox", "restore", "support", "1", "--password-file", secret).exit_code == 0
    assert "imap.one.example" in run("mailbox", "list").output
    assert run("mailbox", "remove", "support").exit_code == 0
    refused = run("mailbox", "restore", "support", "2")
    assert (refused.exit_code, "password" in refused.output) == (1, True)
    assert run("mailbox", "restore", "support", "2", "--password-file", secret).exit_code == 0
    listed = run("mailbox", "versions", "support").output
    assert "imap.two.example" in run("mailbox", "list").output
    assert "removed" in listed
    assert "open sesame" not in listed


def test_a_mailbox_is_named_with_access_tokens_and_a_private_ca(run: Run, tmp_path: Path) -> None:
    """No file of ours is written by hand; the CA is shown, taken out, and what is none refused."""
    authority = PrivateAuthority()
    (tmp_path / "ca.der").write_bytes(ssl.PEM_cert_to_DER_cert(authority.pem))
    for name in ("secret", "refresh"):
        (tmp_path / name).write_text(f"the {name} of teasel\n", encoding="utf-8")
    added = run(
        "mailbox", "add", "support", "--host", "localhost", "--port", "1", "--user", "help",
        "--token-url", "http://127.0.0.1:1/token", "--client-id", "desk",
        "--client-secret-file", tmp_path / "secret", "--refresh-token-file", tmp_path / "refresh",
        "--ca", tmp_path / "ca.der", "--token-ca",
    )  # fmt: skip
    assert added.exit_code == 0, added.output
    shown = run("mailbox", "trust", "support").output
    assert shown.startswith("CN=Teasel House CA: a CA, until 20")
    checked = run("mailbox", "check", "support")
    assert "the token endpoint 'http://127.0.0.1:1/token'" in checked.output
    assert "of teasel" not in run("mailbox", "versions").output + shown + checked.output
    assert "system's certificates" in run("mailbox", "trust", "support", "--system").output
    (tmp_path / "no.pem").write_text("hello", encoding="utf-8")
    refused = run("mailbox", "trust", "support", "--ca", tmp_path / "no.pem")
    assert (refused.exit_code, "this is no certificate" in refused.output) == (1, True)
    assert "CN=Teasel" in run("mailbox", "trust", "support", "--ca", tmp_path / "ca.der").output
    unknown = run("mailbox", "trust", "shop")
    assert (unknown.exit_code, "no mailbox 'shop' is kept" in unknown.output) == (1, True)


def test_kept_settings_are_compared_and_restored(run: Run) -> None:
    """Each change is a version; an earlier one counts again while no engine runs."""
    assert "Nothing was ever kept here" in run("settings", "versions").output
    for days in ("90", "60"):
        assert run("retention", "--raw-mail", days, "--yes").exit_code == 0
    listed = run("settings", "versions").output
    assert "archive_days" in listed
    assert "-archive_days: 90\n+archive_days: 60" in run("settings", "diff", "1", "2").output
    assert "version 1 count again" in run("settings", "restore", "1").output
    assert "+archive_days: 90" in run("settings", "diff", "2", "3").output
    missing = run("settings", "restore", "9")
    assert (missing.exit_code, "no version 9" in missing.output) == (1, True)
