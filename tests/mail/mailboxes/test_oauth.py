"""Mailboxes that are opened with access tokens (OAuth 2) in place of a password."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors.sources.mailboxes import (
    MailboxAwayError,
    MailboxCertificateError,
    MailboxLogins,
    MailboxRefusedError,
)
from connectors.sources.mailboxes.oauth import ask_for_token
from data.errors import ManifestError
from data.mailbox_files import FILE, load_mailboxes
from data.records.mail.mailboxes import MailboxAccount
from data.settings import Settings
from tests.core.mind.embedding_server import dripping_server
from tests.mail.mailboxes.conftest import VARIABLE, Desk, post
from tests.mail.mailboxes.dovecot import Dovecot, make_certificate
from tests.mail.mailboxes.provider import CLIENT, CLIENT_SECRET, REFRESH, Provider
from tests.mail.mailboxes.scripted import ScriptedServer

SECRET, TOKEN = "TEASEL_CLIENT_SECRET", "TEASEL_REFRESH_TOKEN"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider whose secrets this process knows."""
    monkeypatch.setenv(SECRET, CLIENT_SECRET)
    monkeypatch.setenv(TOKEN, REFRESH)
    with Provider() as made:
        yield made


@pytest.fixture
def believing(make_dovecot: Callable[..., Dovecot], provider: Provider) -> Callable[..., Dovecot]:
    """Start a Dovecot that accepts the provider's tokens."""

    def start(mechanisms: str = "xoauth2 oauthbearer") -> Dovecot:
        server = make_dovecot()
        server.stop()
        server.configure(provider.dovecot(server.root, mechanisms))
        return server.start()

    return start


def by_token(port: int, provider: Provider, **given: object) -> MailboxAccount:
    """Return a mailbox that is opened with that provider's tokens."""
    fields: dict[str, object] = {
        "token_url": f"http://127.0.0.1:{provider.port}/token",
        "client_id": CLIENT,
        "client_secret_env": SECRET,
        "refresh_token_env": TOKEN,
    }
    fields |= given
    return MailboxAccount.model_validate(
        {
            "name": "inbox",
            "host": "127.0.0.1",
            "port": port,
            "tls": "none",
            "user": "inbox@teasel.example",
            "oauth": {name: value for name, value in fields.items() if value is not None},
        }
    )


@pytest.mark.parametrize("mechanism", ["xoauth2", "oauthbearer"])
async def test_a_token_opens_a_real_mailbox_in_either_way(
    believing: Callable[..., Dovecot], provider: Provider, desk: Desk, mechanism: str
) -> None:
    """Dovecot asks the provider whose token it is; the second poll uses the same token."""
    server = believing(mechanism)
    server.put(post(1))
    mailbox = by_token(server.port, provider, scope="mail.read")
    assert (await desk.poll_well(mailbox)).taken == 1
    server.put(post(2))
    assert (await desk.poll_well(mailbox)).taken == 1
    assert provider.asked == [
        {
            "grant_type": "refresh_token",
            "client_id": CLIENT,
            "client_secret": CLIENT_SECRET,
            "refresh_token": REFRESH,
            "scope": "mail.read",
        }
    ]


async def test_a_token_that_is_refused_is_renewed_once(
    believing: Callable[..., Dovecot], provider: Provider, desk: Desk
) -> None:
    """A token that was taken back costs one more login; a fresh one that is refused costs none."""
    server = believing()
    mailbox = by_token(server.port, provider)
    await desk.poll_well(mailbox)
    provider.alive.clear()
    await desk.poll_well(mailbox)
    assert len(provider.asked) == 2
    provider.alive.clear()
    provider.unknown = (401, {})  # of which Dovecot says that it cannot tell now
    await desk.poll_well(mailbox)
    assert len(provider.asked) == 3
    provider.unknown = (200, {"email": "", "active": "false"})
    refused = by_token(server.port, provider, scope="another")
    provider.answers.append((200, {"access_token": "unknown", "token_type": "bearer"}))
    report = await desk.poll(refused)
    assert report.failed
    assert "scope covers IMAP" in report.troubles[0]
    assert "unknown" not in report.troubles[0]
    assert len(provider.asked) == 4


def test_a_token_is_renewed_before_it_ends(provider: Provider) -> None:
    """An hour's token serves 55 minutes of logins, a short one four fifths of its life."""
    for lasts, serves in ((3600, 3300), ("100", 80), (None, 3300)):
        provider.lasts, provider.given, now = lasts, 0, [0.0]
        logins = MailboxLogins(lambda now=now: now[0])  # type: ignore[misc]
        for at, given in ((0.0, 1), (serves - 1.0, 1), (serves + 1.0, 2)):
            now[0] = at
            with ScriptedServer("AUTH=XOAUTH2") as server:
                logins.open(by_token(server.port, provider)).drop_connection()
            assert provider.given == given
            assert f"auth=Bearer ya29.access-{given}_" in server.heard[-1]


async def test_an_application_reads_by_its_own_right(
    believing: Callable[..., Dovecot], provider: Provider, desk: Desk
) -> None:
    """Without a refresh token the client's own grant is asked for."""
    server = believing("xoauth2")
    await desk.poll_well(
        by_token(server.port, provider, refresh_token_env=None, scope="s/.default")
    )
    (form,) = provider.asked
    assert form["grant_type"] == "client_credentials"
    assert "refresh_token" not in form


def test_a_new_refresh_token_is_kept_where_the_old_one_was(
    provider: Provider, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file is replaced, for its owner alone; a variable's is remembered; a person's word wins."""
    provider.rotates, provider.lasts = True, 1
    stored = tmp_path / "refresh"
    stored.write_text(f"{REFRESH}\n")
    now = [0.0]
    logins = MailboxLogins(lambda: now[0])

    def log_in(**given: object) -> None:
        now[0] += 10
        with ScriptedServer("AUTH=XOAUTH2") as server:
            # The same key for each login: the port is no part of it.
            logins.open(by_token(server.port, provider, **given)).drop_connection()

    filed = {"refresh_token_env": None, "refresh_token_file": str(stored)}
    for number in (1, 2):
        log_in(**filed)
        assert stored.read_text() == f"1//refresh-shuttle-{number}\n"
        assert stored.stat().st_mode & 0o777 == 0o600
    provider.refresh = "1//by-hand"
    stored.write_text("1//by-hand\n")
    log_in(**filed)
    provider.refresh = REFRESH
    log_in()
    log_in()
    assert [form["refresh_token"] for form in provider.asked][-2:] == [
        REFRESH,
        "1//refresh-shuttle-4",
    ]
    assert "shuttle" not in caplog.text


@pytest.mark.parametrize(
    ("status", "answer", "raised", "said"),
    [
        (400, {"error": "invalid_grant"}, MailboxRefusedError, "consent again"),
        (401, {"error": "invalid_client"}, MailboxRefusedError, "client_id"),
        (400, {"error": "invalid_scope"}, MailboxRefusedError, "scope"),
        (302, {}, MailboxRefusedError, "status 302"),
        (404, {}, MailboxRefusedError, "token_url"),
        (400, {"error": "temporarily_unavailable"}, MailboxAwayError, "tried again"),
        (429, {"error": "invalid_request"}, MailboxAwayError, "tried again"),
        (503, {}, MailboxAwayError, "status 503"),
        (400, {"error": "x" * 142 + REFRESH}, MailboxRefusedError, "token_url"),
        (200, {}, MailboxAwayError, "without a bearer token"),
        (200, {"access_token": "a\x01b"}, MailboxAwayError, "without a bearer token"),
        (200, {"access_token": "a", "token_type": "mac"}, MailboxAwayError, "without a bearer"),
        (200, {"access_token": "a" * 70_000}, MailboxRefusedError, "more than"),
    ],
)
def test_what_the_provider_says_is_told_with_what_to_do(
    provider: Provider, status: int, answer: dict[str, str], raised: type[Exception], said: str
) -> None:
    """What may pass is tried again; what a person has to mend is named; no secret is in it."""
    secrets = f"{REFRESH} {CLIENT_SECRET}"
    provider.answers.append((status, {"error_description": secrets, **answer}))
    with pytest.raises(raised, match=said) as caught:
        MailboxLogins().open(by_token(9, provider))
    assert REFRESH[:3] not in str(caught.value)
    assert CLIENT_SECRET not in str(caught.value)


@pytest.mark.parametrize("lasts", [10**400, "nan", -1, None, {}])
def test_a_lifetime_that_is_none_is_the_usual_one(provider: Provider, lasts: object) -> None:
    """The token is used all the same."""
    provider.lasts = lasts
    mailbox = by_token(9, provider)
    assert mailbox.oauth is not None
    logins = MailboxLogins()
    assert logins.token(mailbox, mailbox.oauth)[1]
    assert not logins.token(mailbox, mailbox.oauth)[1]


def test_a_provider_that_drips_is_given_up(provider: Provider) -> None:
    """The time is that of the whole answer, however often something comes."""
    with dripping_server() as url:
        mailbox = by_token(9, provider, token_url=f"{url}/token")
        assert mailbox.oauth is not None
        began = time.monotonic()
        with pytest.raises(MailboxAwayError, match="too long"):
            ask_for_token(mailbox, mailbox.oauth, REFRESH, seconds=0.5)
    assert time.monotonic() - began < 10


def test_a_server_that_takes_no_tokens_is_told(provider: Provider) -> None:
    """Neither mechanism is offered: the token is not sent."""
    with (
        ScriptedServer("AUTH=PLAIN") as server,
        pytest.raises(MailboxRefusedError, match="XOAUTH2"),
    ):
        MailboxLogins().open(by_token(server.port, provider))
    assert "AUTHENTICATE" not in server.heard


def test_a_provider_must_prove_who_it_is(provider: Provider, tmp_path: Path) -> None:
    """Over https an unknown certificate ends it before a secret is sent; a named one is enough."""
    make_certificate(tmp_path, "localhost")
    with Provider(tls=tmp_path) as secure:
        url = f"https://localhost:{secure.port}/token"
        with pytest.raises(MailboxCertificateError, match="no secret was sent"):
            MailboxLogins().open(by_token(9, secure, token_url=url))
        assert secure.asked == []
        known = by_token(9, secure, token_url=url, ca_file=str(tmp_path / "certificate.pem"))
        with pytest.raises(MailboxAwayError, match="nothing listens"):
            MailboxLogins().open(known)
        assert len(secure.asked) == 1


async def test_tokens_are_in_no_file_and_no_log(
    believing: Callable[..., Dovecot],
    provider: Provider,
    desk: Desk,
    home: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Neither state nor spool nor the log at its finest holds a token or the client's secret."""
    caplog.set_level("DEBUG")
    server = believing()
    server.put(post(1))
    mailbox = by_token(server.port, provider)
    await desk.poll_well(mailbox)
    provider.alive.clear()
    provider.answers.append((400, {"error": "invalid_grant", "error_description": REFRESH}))
    assert (await desk.poll(mailbox)).failed
    content = b"".join(path.read_bytes() for path in home.home.rglob("*") if path.is_file())
    for secret in ("ya29.", REFRESH, CLIENT_SECRET):
        assert secret.encode() not in content
        assert secret not in caplog.text


async def test_threads_that_log_in_at_once_ask_for_one_token(provider: Provider) -> None:
    """The watch and the poll of a mailbox share what is in memory."""
    logins = MailboxLogins()

    def log_in() -> None:
        with ScriptedServer("AUTH=OAUTHBEARER") as server:
            logins.open(by_token(server.port, provider)).drop_connection()

    await asyncio.gather(*(asyncio.to_thread(log_in) for _ in range(6)))
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"token_url": "http://login.teasel.example/token"}, "https"),
        ({"token_url": "https://user@login.teasel.example/token"}, "without a user"),
        ({"token_url": "login.teasel.example"}, "https"),
        ({"refresh_token_env": ""}, "refresh_token_env or refresh_token_file"),
        ({"refresh_token_file": "x"}, "not both"),
        ({"client_secret_env": "S", "client_secret_file": "x"}, "not both"),
        ({"client_id": ""}, "client_id"),
        ({"refresh_token": "x"}, "refresh_token"),
    ],
)
def test_what_no_token_could_be_asked_with_is_refused(
    tmp_path: Path, given: dict[str, object], said: str
) -> None:
    """The sentence names the file and the key; a password beside it is refused too."""
    import json

    oauth = {"token_url": "https://login.teasel.example/t", "client_id": "c"}
    oauth |= {"refresh_token_env": "R"}
    entry = {"name": "inbox", "host": "imap.teasel.example", "user": "u"}

    def load(oauth: dict[str, object], **more: object) -> None:
        mailboxes = [entry | {"oauth": oauth} | more]
        (tmp_path / FILE).write_text(json.dumps({"mailboxes": mailboxes}))
        load_mailboxes(tmp_path)

    load(oauth)
    with pytest.raises(ManifestError, match=said):
        load(oauth | given)
    with pytest.raises(ManifestError, match="one of them"):
        load(oauth, password_env=VARIABLE)
