"""How replies leave over HTTP: files at first, then a relay that is named and signed in to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from connectors.outbound import FileTransport, SmtpTransport
from flows.mail.line.mailroom import mailroom_of
from tests.core.api.fixtures import Api
from tests.core.api.test_tokens import make


@asynccontextmanager
async def relay(*answers: str) -> AsyncIterator[tuple[int, list[str]]]:
    """Serve one relay on loopback that gives these answers; yield its port and what it was told."""
    heard: list[str] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            writer.write(answer.encode() + b"\r\n")
            heard.append((await reader.readline()).decode().strip())
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], heard


async def test_a_relay_is_named_checked_and_given_up_again(api: Api) -> None:
    """It counts at once, its password is told to nobody, and the default has a way back."""
    before = (await api.client.get("/v1/outgoing")).json()
    assert (before["transport"], before["decided"], before["changeable"]) == ("file", False, True)
    assert isinstance(mailroom_of(api.line.house).transport, FileTransport)
    async with relay("220 hi", "250-hi\r\n250 AUTH PLAIN", "235 in") as (port, heard):
        change = {
            "transport": "smtp",
            "relay_host": "127.0.0.1",
            "relay_port": port,
            "relay_user": "postern",
            "relay_password": "shuttle-17",
            "relay_tls": "none",
        }
        kept = await api.client.put("/v1/settings", json={"change": change})
        assert kept.status_code == 200, kept.text
        view = (await api.client.get("/v1/outgoing", params={"ask": True})).json()
    assert (view["answers"], view["has_password"], view["decided"]) == (True, True, True)
    assert [line.partition(" ")[0] for line in heard][:2] == ["EHLO", "AUTH"], "no mail"
    assert isinstance(mailroom_of(api.line.house).transport, SmtpTransport)
    events = (await api.get("/audit")).json()["items"]
    listed = await api.client.get("/v1/settings")
    assert "shuttle" not in str(events) + listed.text + str(view)
    back = {"change": {"defaults": view["kept_here"]}}
    assert (await api.client.put("/v1/settings", json=back)).status_code == 200
    assert isinstance(mailroom_of(api.line.house).transport, FileTransport)


async def test_a_relay_that_does_not_let_us_in_says_why(api: Api) -> None:
    """A refused login in the server's words; a machine that is away in ours."""
    change = {"transport": "smtp", "relay_user": "postern", "relay_tls": "none"}
    async with relay("220 hi", "250-hi\r\n250 AUTH PLAIN", "535 no such user") as (port, _):
        change |= {"relay_port": port, "relay_password": "wrong"}
        await api.client.put("/v1/settings", json={"change": change})
        view = (await api.client.get("/v1/outgoing", params={"ask": True})).json()
        assert (view["answers"], "535 no such user" in view["trouble"]) == (False, True)
    away = (await api.client.get("/v1/outgoing", params={"ask": True})).json()
    assert (away["answers"], "does not answer as a mail server" in away["trouble"]) == (False, True)


async def test_a_password_goes_nowhere_in_plain_text(api: Api) -> None:
    """Refused before it is kept; without a login name the way may be plain."""
    change = {
        "transport": "smtp",
        "relay_host": "mx.harbor.example",
        "relay_user": "postern",
        "relay_tls": "none",
    }
    refused = await api.client.put("/v1/settings", json={"change": change})
    assert (refused.status_code, "without encryption" in refused.text) == (422, True)
    plain = await api.client.put("/v1/settings", json={"change": change | {"relay_user": ""}})
    assert plain.status_code == 200


async def test_how_replies_leave_is_the_administrators(api: Api) -> None:
    """And what a file or the environment names is changed there."""
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    assert (await api.client.get("/v1/outgoing", headers=headers)).status_code == 403
    house = api.line.house
    house.settings = house.settings.model_copy(update={"relay_host": "mx.harbor.example"})
    assert (await api.client.get("/v1/outgoing")).json()["changeable"] is False
    refused = await api.client.put("/v1/settings", json={"change": {"relay_host": "other.example"}})
    assert (refused.status_code, "'relay_host' is set outside" in refused.text) == (409, True)
