"""A relay that takes access tokens, behind a private CA: named over the API, without a file."""

import base64
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from connectors.outbound.transport import DeliveryKind
from flows.mail.line.mailroom import mailroom_of
from tests.core.api.fixtures import Api
from tests.core.small import SLUG
from tests.mail.mailboxes.authority import PrivateAuthority
from tests.mail.mailboxes.dovecot import USER
from tests.mail.mailboxes.provider import CLIENT, CLIENT_SECRET, REFRESH, Provider
from tests.ports import free_port

RAW = b"From: hello@teasel.example\r\nTo: ida@heron.example\r\nSubject: Hours\r\n\r\nAt nine.\r\n"


class TokenServer:
    """A mail server that asks the provider's list whether a token is alive."""

    def __init__(self, provider: Provider, mechanism: str) -> None:
        self.provider, self.shown, self.taken = provider, list[str](), list[bytes]()
        setattr(self, f"auth_{mechanism}", self.show)

    async def show(self, server: SMTP, arguments: list[str]) -> AuthResult:
        """Take a token, or refuse it as RFC 7628 says."""
        told = base64.b64decode(arguments[1]).decode()
        self.shown.append(told)
        token = told.partition("auth=Bearer ")[2].partition("\x01")[0]
        if token in self.provider.alive and USER in told:
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"401"}')
        return AuthResult(success=False, handled=False)

    async def handle_DATA(self, server: SMTP, session: object, envelope: object) -> str:
        """Take a message."""
        del server, session
        self.taken.append(envelope.content)  # type: ignore[attr-defined]
        return "250 taken"


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider of tokens."""
    with Provider() as made:
        yield made


@pytest.fixture(params=["XOAUTH2", "OAUTHBEARER"])
def server(
    request: pytest.FixtureRequest, provider: Provider, tmp_path: Path
) -> Iterator[tuple[int, TokenServer, PrivateAuthority]]:
    """A mail server with STARTTLS that lets nobody in without a token."""
    authority = PrivateAuthority()
    authority.sign_server(tmp_path, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    handler = TokenServer(provider, request.param)
    controller = Controller(
        handler, hostname="localhost", port=free_port(), tls_context=context, require_starttls=True,
        auth_required=True, auth_exclude_mechanism=["LOGIN", "PLAIN"],
    )  # fmt: skip
    controller.start()
    try:
        yield controller.port, handler, authority
    finally:
        controller.stop()


async def keep(api: Api, **change: object) -> str:
    """Keep settings; return the sentence of a refusal, or nothing."""
    answer = await api.client.put("/v1/settings", json={"change": change})
    return "" if answer.is_success else str(answer.json()["error"]["message"])


async def ask(api: Api) -> tuple[bool | None, str]:
    """Return whether the relay lets us in, and why not."""
    view = (await api.client.get("/v1/outgoing", params={"ask": True})).json()
    return view["answers"], view["trouble"]


async def hand_over(api: Api) -> tuple[DeliveryKind, str]:
    """Hand over a reply; return what became of it."""

    async def yes() -> bool:
        return True

    async def nothing() -> None:
        return None

    result = await mailroom_of(api.line.house).transport.deliver(
        RAW, "hello@teasel.example", ["ida@heron.example"], before_data=yes, before_dot=nothing
    )
    return result.kind, result.text


async def test_replies_leave_by_the_tokens_of_a_mailbox(
    api: Api, server: tuple[int, TokenServer, PrivateAuthority], provider: Provider
) -> None:
    """One consent reads and sends; what has ended is renewed, and a refusal makes replies wait."""
    port, handler, authority = server
    mailbox = f"/v1/{SLUG}/mailboxes/support"
    oauth = {
        "token_url": f"http://127.0.0.1:{provider.port}/token", "client_id": CLIENT,
        "client_secret": CLIENT_SECRET, "refresh_token": REFRESH,
    }  # fmt: skip
    relay = {"transport": "smtp", "relay_host": "localhost", "relay_port": port}
    assert "has no access tokens" in await keep(api, **relay, relay_mailbox=f"{SLUG}/support")
    order = {"host": "localhost", "user": USER, "oauth": oauth}
    assert (await api.client.put(mailbox, json=order)).is_success
    assert await keep(api, **relay, relay_mailbox=f"{SLUG}/support") == ""
    answers, trouble = await ask(api)
    assert (answers, "give the private CA" in trouble) == (False, True)
    assert "no certificate" in await keep(api, relay_ca="hello")
    assert await keep(api, relay_ca=authority.pem) == ""
    assert await ask(api) == (True, "")
    assert (await hand_over(api))[0] is DeliveryKind.SENT
    provider.alive.clear()
    assert (await hand_over(api))[0] is DeliveryKind.SENT, "a token that ended is renewed"
    assert len(handler.taken) == 2
    provider.refresh = "1//taken-back"
    provider.alive.clear()
    kind, why = await hand_over(api)
    assert (kind, "consent again" in why) == (DeliveryKind.DEFERRED, True)
    view = (await api.client.get("/v1/outgoing")).json()
    assert view["authorities"][0]["subject"] == "CN=Teasel House CA"
    assert view["token_mailboxes"] == [f"{SLUG}/support"]
    held = await api.client.delete(mailbox)
    assert (held.status_code, "approved replies leave by" in held.text) == (409, True)
    told = (await api.client.get("/v1/settings")).text + str((await api.get("/audit")).json())
    assert "ya29" not in told
    assert authority.pem.splitlines()[1] not in told, "a certificate is told by its first line"
    assert "without encryption" in await keep(api, relay_host="mx.harbor.example", relay_tls="none")


async def test_a_relay_without_tokens_says_so(api: Api, provider: Provider) -> None:
    """Who offers passwords alone is told of before a token is shown."""
    handler = TokenServer(provider, "CRAM")
    controller = Controller(handler, hostname="127.0.0.1", port=free_port(), auth_require_tls=False)
    controller.start()
    try:
        oauth = {
            "token_url": f"http://127.0.0.1:{provider.port}/token", "client_id": CLIENT,
            "client_secret": CLIENT_SECRET, "refresh_token": REFRESH,
        }  # fmt: skip
        order = {"host": "localhost", "user": USER, "oauth": oauth}
        assert (await api.client.put(f"/v1/{SLUG}/mailboxes/support", json=order)).is_success
        assert await keep(
            api, transport="smtp", relay_host="127.0.0.1", relay_tls="none",
            relay_port=controller.port,
            relay_mailbox=f"{SLUG}/support",
        ) == ""  # fmt: skip
        answers, trouble = await ask(api)
        assert (answers, "takes no access tokens" in trouble) == (False, True)
    finally:
        controller.stop()
    assert provider.asked == []
