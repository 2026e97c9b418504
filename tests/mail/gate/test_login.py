"""TLS from settings, and logging in over it."""

import asyncio
import base64
import smtplib
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from connectors.receiver.logins import LoginMechanisms
from connectors.receiver.session import SmtpSession
from connectors.receiver.users import Users, line_for
from data.errors import SettingsError
from data.settings import load_settings
from tests.mail.gate.conftest import RunningReceiver, Wire, until

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]


@pytest.fixture(scope="session")
def users_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with one user, whose name holds a colon."""
    path = tmp_path_factory.mktemp("users") / "users"
    path.write_text("# who may send\n\n" + line_for("desk:one", "green tea 9") + "\n")
    return path


@pytest.fixture
def secured(start_receiver: Start, certificate: Path, users_file: Path) -> RunningReceiver:
    """Return a receiver with a certificate and users."""
    return start_receiver(smtp_tls_certificate=certificate, smtp_users=users_file)


def encrypted(receiver: RunningReceiver, certificate: Path) -> smtplib.SMTP:
    """Return a client that has done STARTTLS."""
    smtp = smtplib.SMTP("127.0.0.1", receiver.port, "client.example", timeout=60)
    smtp.starttls(context=ssl.create_default_context(cafile=str(certificate)))
    smtp.ehlo()
    return smtp


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
@pytest.mark.parametrize("initial", [True, False])
def test_user_logs_in_over_tls(
    secured: RunningReceiver, certificate: Path, mechanism: str, initial: bool
) -> None:
    """Either mechanism works, with and without an initial response, and the name is spooled."""
    with encrypted(secured, certificate) as smtp:
        smtp.esmtp_features["auth"] = mechanism
        assert smtp.login("desk:one", "green tea 9", initial_response_ok=initial)[0] == 235
        smtp.sendmail("ann@out.example", ["help@harbor.example"], b"a: b\r\n\r\nc\r\n")
    spool = secured.spool
    envelope = spool.read(spool.list_waiting(1)[0])[0]
    assert (envelope.authenticated_as, envelope.tls) == ("desk:one", True)


def test_login_is_refused_without_tls(secured: RunningReceiver, dial: Dial) -> None:
    """Over a readable connection AUTH is neither offered nor taken."""
    wire = dial(secured.port)
    offered = wire.say("EHLO client.example")
    assert "STARTTLS" in offered
    assert "AUTH" not in offered
    assert wire.say("AUTH PLAIN AGEAYg==").startswith("538 5.7.11")


@pytest.mark.parametrize("logged_in", [True, False])
def test_who_may_log_in_may_name_the_one_who_wrote(
    secured: RunningReceiver, certificate: Path, logged_in: bool
) -> None:
    """Where AUTH is offered its parameter of MAIL is read, and counts for nothing (RFC 4954 5)."""
    with encrypted(secured, certificate) as smtp:
        if logged_in:
            smtp.login("desk:one", "green tea 9")
        assert smtp.docmd("MAIL FROM:<ann@out.example> AUTH=<>")[0] == 250
        assert smtp.docmd("RSET")[0] == 250
        assert smtp.docmd("MAIL FROM:<ann@out.example> AUTH=a+40b SIZE=9")[0] == 250
    with smtplib.SMTP("127.0.0.1", secured.port, "client.example", timeout=60) as plain:
        plain.ehlo()
        assert plain.docmd("MAIL FROM:<ann@out.example> AUTH=<>")[0] == 555


def test_wrong_passwords_end_the_session(secured: RunningReceiver, certificate: Path) -> None:
    """A wrong password and an unknown name get the same answer; the third try ends it."""
    with encrypted(secured, certificate) as smtp:
        answers = []
        for name in ("desk:one", "nobody", "desk:one"):
            secret = base64.b64encode(f"\0{name}\0wrong".encode()).decode()
            answers.append(smtp.docmd("AUTH", f"PLAIN {secret}")[0])
        assert answers == [535, 535, 421]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("PLAIN !!!", 501),
        ("PLAIN " + base64.b64encode(b"no separators").decode(), 501),
        ("PLAIN " + base64.b64encode(b"other\0desk:one\0x").decode(), 501),
        ("PLAIN =", 501),
        ("CRAM-MD5", 504),
        ("", 504),
    ],
)
def test_malformed_logins_are_refused(
    secured: RunningReceiver, certificate: Path, given: str, code: int
) -> None:
    """What is not a well-formed login is a syntax error, and the session goes on."""
    with encrypted(secured, certificate) as smtp:
        assert smtp.docmd("AUTH", given)[0] == code
        assert smtp.noop()[0] == 250


def test_login_can_be_cancelled(secured: RunningReceiver, certificate: Path) -> None:
    """A star ends the exchange (RFC 4954 section 4)."""
    with encrypted(secured, certificate) as smtp:
        assert smtp.docmd("AUTH", "LOGIN")[0] == 334
        assert smtp.docmd("*")[0] == 501
        assert smtp.noop()[0] == 250


def test_old_tls_is_refused(secured: RunningReceiver, certificate: Path) -> None:
    """TLS 1.1 does not come about."""
    context = ssl.create_default_context(cafile=str(certificate))
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        context.minimum_version = ssl.TLSVersion.TLSv1
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with smtplib.SMTP("127.0.0.1", secured.port, "client.example", timeout=60) as smtp:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            smtp.starttls(context=context)
        smtp.close()


def test_failed_handshakes_give_their_places_back(
    start_receiver: Start, certificate: Path, dial: Dial
) -> None:
    """Nonsense instead of a handshake, ten times: the next client still finds a place."""
    receiver = start_receiver(smtp_tls_certificate=certificate, smtp_connections_per_address=2)
    for ending in (b"no handshake\r\n" * 20, b"") * 5:
        wire = dial(receiver.port)
        assert wire.say("STARTTLS").startswith("220")
        wire.send(ending)
        wire.close()
    until(lambda: dial(receiver.port, greet=False).reply().startswith("220"))


def test_key_without_certificate_and_bad_files_are_named(tmp_path: Path) -> None:
    """A certificate that cannot be used stops the start with the names of the settings."""
    from connectors.receiver.encryption import context_from_settings

    bad = tmp_path / "bad.pem"
    bad.write_text("nothing")
    for given in ({"smtp_tls_key": bad}, {"smtp_tls_certificate": bad}):
        with pytest.raises(SettingsError, match="smtp_tls_certificate"):
            context_from_settings(load_settings(home=tmp_path, **given))


@pytest.mark.parametrize(
    "line", ["name", "name:scrypt:x", "name:md5:AAAA:AAAA", ":scrypt:AA==:AA=="]
)
def test_users_file_errors_name_the_line(tmp_path: Path, line: str) -> None:
    """A line that is no user is an error with its number; the hash is not repeated."""
    path = tmp_path / "users"
    path.write_text(f"# first\n{line}\n")
    with pytest.raises(SettingsError, match="line 2"):
        Users(path)


async def test_a_client_that_leaves_makes_no_room_for_another_guess(users_file: Path) -> None:
    """Passwords are checked one at a time, also when whoever asked has gone."""

    class CountedUsers(Users):
        """Users who know how many checks there are at once, and end none before they may."""

        running = most = checks = 0
        may_end = threading.Event()

        def verify(self, name: str, password: str) -> bool:
            self.running += 1
            self.checks += 1
            self.most = max(self.most, self.running)
            self.may_end.wait(60)
            try:
                return super().verify(name, password)
            finally:
                self.running -= 1

    users = CountedUsers(users_file)
    mechanisms = LoginMechanisms(users)
    session = cast(SmtpSession, SimpleNamespace(failed_logins=0, peer="192.0.2.7"))
    for _ in range(4):
        login = asyncio.create_task(mechanisms._verify(session, "desk:one", "guess"))
        while not users.checks:  # noqa: ASYNC110  # a thread begins with the first
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
        login.cancel()
    users.may_end.set()
    await asyncio.wait([login])
    assert (await mechanisms._verify(session, "desk:one", "green tea 9")).success
    assert (users.most, users.checks >= 2) == (1, True)


def test_hashes_are_salted() -> None:
    """The same password gives another line each time, and neither holds it."""
    first, second = line_for("a", "secret"), line_for("a", "secret")
    assert first != second
    assert "secret" not in first


def test_passwords_may_hold_any_letters(tmp_path: Path) -> None:
    """A password that is not ASCII is right when it is the same, and wrong otherwise."""
    path = tmp_path / "users"
    path.write_text(line_for("jürgen", "grüner Tee") + "\n")
    users = Users(path)
    assert users.verify("jürgen", "grüner Tee")
    assert not users.verify("jürgen", "gruner Tee")
    assert not users.verify("jurgen", "grüner Tee")
