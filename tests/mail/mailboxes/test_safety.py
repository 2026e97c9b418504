"""Who is let in, and what is never told: certificates, logins, passwords, plain text."""

import ssl
from pathlib import Path

import pytest

from data.errors import ManifestError, NotFoundError, SettingsError
from data.mailbox_files import FILE, keep_mailboxes, load_mailboxes, read_mailbox, read_password
from data.records.mail.mailboxes import MailboxAccount
from data.settings import Settings
from tests.mail.mailboxes.conftest import VARIABLE, Desk, account, post
from tests.mail.mailboxes.dovecot import PASSWORD, Dovecot, make_certificate


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
async def test_mail_comes_over_verified_tls(dovecot: Dovecot, desk: Desk, tls: str) -> None:
    """With the certificate's name and who signed it the mailbox is read; the envelope says so."""
    dovecot.put(post(1))
    port = dovecot.tls_port if tls == "implicit" else dovecot.port
    ca = str(dovecot.root / "certificate.pem")
    mailbox = account(dovecot, host="localhost", port=port, tls=tls, ca_file=ca)
    assert (await desk.poll_well(mailbox)).taken == 1
    ((envelope, _),) = desk.waiting()
    assert (envelope.tls, envelope.helo) == (True, "localhost")


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
async def test_a_wrong_certificate_gets_no_password(
    dovecot: Dovecot, desk: Desk, tls: str, tmp_path: Path
) -> None:
    """Nobody has signed it, or it says another name: refused before the login, with what to do."""
    dovecot.put(post(1))
    port = dovecot.tls_port if tls == "implicit" else dovecot.port
    make_certificate(tmp_path, "localhost")
    log = dovecot.root / "log"
    logins = log.read_text().count("Login:")
    cases = [
        account(dovecot, host="localhost", port=port, tls=tls),
        account(dovecot, host="127.0.0.1", port=port, tls=tls).model_copy(
            update={"ca_file": str(dovecot.root / "certificate.pem")}
        ),
        account(
            dovecot, host="localhost", port=port, tls=tls, ca_file=str(tmp_path / "certificate.pem")
        ),
    ]
    for mailbox in cases:
        report = await desk.poll(mailbox)
        assert report.failed
        assert "not trusted" in report.troubles[0]
        assert "ca_file" in report.troubles[0]
    assert log.read_text().count("Login:") == logins == 1
    assert desk.spool.waiting() == 0


async def test_the_wrong_kind_of_encryption_is_told(dovecot: Dovecot, desk: Desk) -> None:
    """Implicit TLS towards a port that begins in plain text says which keys to look at."""
    report = await desk.poll(account(dovecot, host="localhost", tls="implicit"))
    assert report.failed
    assert "'tls: implicit'" in report.troubles[0]


async def test_a_refused_login_names_where_the_password_comes_from(
    dovecot: Dovecot, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the variable and the user, and never the password."""
    monkeypatch.setenv(VARIABLE, "opensesame-17")
    report = await desk.poll(account(dovecot))
    assert report.failed
    assert VARIABLE in report.troubles[0]
    assert "refused the login" in report.troubles[0]
    assert "'inbox@teasel.example': [AUTHENTICATIONFAILED] " in report.troubles[0]
    assert "opensesame" not in report.troubles[0]


async def test_the_password_is_in_no_file_of_ours(
    dovecot: Dovecot, desk: Desk, home: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither state nor spool nor the log at its finest holds it, after good and bad polls."""
    caplog.set_level("DEBUG")
    dovecot.put(post(1))
    await desk.poll_well(account(dovecot))
    await desk.poll(account(dovecot, folders=["Nowhere"]))
    await desk.poll(account(dovecot, user="nobody@teasel.example"))
    files = [path for path in home.home.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [path for path in files if PASSWORD.encode() in path.read_bytes()] == []
    assert PASSWORD not in caplog.text


async def test_a_password_of_any_letters_opens_the_mailbox(
    dovecot: Dovecot, desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Letters beyond ASCII go as SASL PLAIN; the first line of a file is the password."""
    (dovecot.root / "users").write_text('inbox@teasel.example:{PLAIN}brücke "7" \\ é\n')
    (tmp_path / "secret").write_text('brücke "7" \\ é\nsecond line\n')
    mailbox = account(dovecot, password_env="", password_file=str(tmp_path / "secret"))
    assert (await desk.poll_well(mailbox)).taken == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"host": "imap.teasel.example", "tls": "none"}, "loopback"),
        ({"password_env": ""}, "password_env or password_file"),
        ({"password_file": "x"}, "password_env or password_file"),
        ({"password": "x"}, "password"),
        ({"after": "move"}, "move_to"),
        ({"move_to": "Done"}, "after: move"),
        ({"after": "move", "move_to": "INBOX"}, "folders that are read"),
        ({"since": "last week"}, "since"),
        ({"since": -1}, "since"),
        ({"folders": []}, "folders"),
        ({"folders": ["a\r\nb"]}, "control characters"),
        ({"poll_seconds": 1}, "poll_seconds"),
        ({"name": "In Box"}, "name"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused(
    tmp_path: Path, given: dict[str, object], said: str
) -> None:
    """The sentence names the file and the key."""
    import json

    entry = {"name": "inbox", "host": "::1", "tls": "none", "user": "u", "password_env": "P"}
    (tmp_path / FILE).write_text(json.dumps({"mailboxes": [entry | given]}))
    with pytest.raises(ManifestError, match=said) as caught:
        load_mailboxes(tmp_path)
    assert FILE in str(caught.value)


def test_a_mailbox_is_configured_in_a_few_lines(tmp_path: Path) -> None:
    """The least that is needed; the rest has defaults that verify and mark."""
    (tmp_path / FILE).write_text(
        "mailboxes:\n- {name: shop, host: imap.teasel.example, user: shop, password_env: NOT_SET}\n"
    )
    kept_here = MailboxAccount(name="desk", host="::1", tls="none", user="u", password_env="P")
    keep_mailboxes(tmp_path, [kept_here])
    with pytest.raises(NotFoundError, match=r"mailboxes are: shop, desk$"):
        read_mailbox(tmp_path, "other")
    mailbox = read_mailbox(tmp_path, "shop")
    assert isinstance(mailbox, MailboxAccount)
    assert (mailbox.server_port, mailbox.tls, mailbox.after) == (993, "implicit", "seen")
    with pytest.raises(SettingsError, match="NOT_SET"):
        read_password(mailbox)
    assert ssl.OPENSSL_VERSION_INFO >= (1, 1, 1)
