"""Private CAs and access tokens of mailboxes that are kept over the API: no file is written."""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from connectors.authorities import read_authorities
from data.errors import UnfitError
from data.mailbox_files import KEPT, load_mailboxes
from tests.core.small import SLUG, Line
from tests.mail.mailboxes.authority import PrivateAuthority, make, private_pem
from tests.mail.mailboxes.dovecot import PASSWORD, USER, Dovecot
from tests.mail.mailboxes.provider import CLIENT, CLIENT_SECRET, REFRESH, Provider

PATH = f"/v1/{SLUG}/mailboxes/support"
SECRETS = {"client_secret": CLIENT_SECRET, "refresh_token": REFRESH}


@pytest.fixture
def authority() -> PrivateAuthority:
    """A CA that nobody here knows."""
    return PrivateAuthority()


@pytest.fixture
def provider(tmp_path: Path, authority: PrivateAuthority) -> Iterator[Provider]:
    """A provider of tokens behind that CA, which gives another refresh token at each use."""
    folder = tmp_path / "provider"
    folder.mkdir()
    authority.sign_server(folder, "localhost")
    with Provider(tls=folder, rotates=True) as made:
        yield made


@pytest.fixture
def dovecot(make_dovecot: Callable[..., Dovecot], authority: PrivateAuthority) -> Dovecot:
    """A server whose certificate that CA has signed."""
    server = make_dovecot()
    server.stop()
    authority.sign_server(server.root, "localhost")
    return server.start()


def by_token(provider: Provider, **more: object) -> dict[str, object]:
    """Return the part of an order that asks that provider."""
    url = f"https://localhost:{provider.port}/token"
    return {"token_url": url, "client_id": CLIENT, "private_ca": True, **more}


async def put(client: httpx.AsyncClient, order: dict[str, object]) -> httpx.Response:
    """Keep the mailbox."""
    return await client.put(PATH, json=order)


async def why(client: httpx.AsyncClient, order: dict[str, object]) -> str:
    """Return why an order is refused."""
    answer = await put(client, order)
    assert answer.status_code == 422, answer.text
    return str(answer.json()["error"]["message"])


def secret_files(line: Line) -> dict[str, str]:
    """Return what is kept of the mailbox's secrets, by the end of its file."""
    folder = line.house.settings.secrets / "mailboxes"
    files = sorted(folder.glob("*")) if folder.exists() else []
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in files)
    return {path.name.rpartition(".")[2]: path.read_text().strip() for path in files}


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
async def test_a_private_ca_is_given_checked_against_a_real_server_and_taken_away(
    line: Line, client: httpx.AsyncClient, dovecot: Dovecot, authority: PrivateAuthority, tls: str
) -> None:
    """Without it the check says so; with it mail may come; what it is and until when is told."""
    port = dovecot.tls_port if tls == "implicit" else dovecot.port
    order: dict[str, object] = {
        "host": "localhost", "port": port, "tls": tls, "user": USER, "password": PASSWORD,
    }  # fmt: skip
    await put(client, order)
    blind = await client.post(f"{PATH}/check")
    assert "private CA" in blind.json()["error"]["message"]
    kept = await put(client, order | {"password": "", "ca_pem": authority.pem})
    assert kept.status_code == 200, kept.text
    (told,) = kept.json()[0]["authorities"]
    assert (told["subject"], told["signs_others"]) == ("CN=Teasel House CA", True)
    sight = await client.post(f"{PATH}/check")
    assert (sight.status_code, sight.json()["encrypted"]) == (200, True), sight.text
    assert sight.json()["troubles"] == []
    events = await line.rows("SELECT detail FROM audit_events ORDER BY sequence")
    assert events[-1]["detail"] == f"{USER} at localhost, a private CA"
    compared = await client.get(f"{PATH}/diff", params={"before": 1, "after": 2})
    assert "+  -----BEGIN CERTIFICATE-----" in compared.json()["lines"]
    gone = await put(client, order | {"password": "", "ca_pem": ""})
    assert gone.json()[0]["authorities"] == []
    assert (await client.post(f"{PATH}/check")).status_code != 200
    back = await client.post(f"{PATH}/restore", json={"number": 2})
    assert back.json()[0]["authorities"] == [told]


async def test_a_ca_that_ends_soon_is_told_at_each_check(
    client: httpx.AsyncClient, dovecot: Dovecot, authority: PrivateAuthority
) -> None:
    """Everything works, and there is something to do before it does not."""
    authority.days = 9
    order: dict[str, object] = {
        "host": "localhost", "port": dovecot.tls_port, "user": USER, "password": PASSWORD,
        "ca_pem": authority.pem,
    }  # fmt: skip
    assert (await put(client, order)).status_code == 200
    (trouble,) = (await client.post(f"{PATH}/check")).json()["troubles"]
    assert "CN=Teasel House CA expires on" in trouble


async def test_access_tokens_are_kept_without_a_file_and_renewed(
    line: Line,
    client: httpx.AsyncClient,
    dovecot: Dovecot,
    authority: PrivateAuthority,
    provider: Provider,
) -> None:
    """A real server and a provider behind one private CA; secrets are files for us alone."""
    dovecot.stop()
    with Provider() as asked_by_server:
        asked_by_server.alive = provider.alive
        dovecot.configure(asked_by_server.dovecot(dovecot.root, "xoauth2"))
        dovecot.start()
        order: dict[str, object] = {
            "host": "localhost", "port": dovecot.tls_port, "user": USER, "ca_pem": authority.pem,
        }  # fmt: skip
        bare = await why(client, order | {"oauth": by_token(provider)})
        assert bare == "give the mailbox's client secret; none is kept for it yet"
        kept = await put(client, order | {"oauth": by_token(provider, **SECRETS)})
        assert kept.status_code == 200, kept.text
        sight = await client.post(f"{PATH}/check")
        assert sight.status_code == 200, sight.text
        assert secret_files(line) == {
            "client-secret": CLIENT_SECRET, "refresh-token": "1//refresh-shuttle-1",
        }  # fmt: skip
        assert (await client.post(f"{PATH}/check")).status_code == 200
        assert provider.given == 2, "each check asks the provider too"
        again = await put(client, order | {"oauth": by_token(provider, scope="mail.read")})
        assert again.status_code == 200, "secrets that are left out stay"
        listed = await client.get(f"/v1/{SLUG}/mailbox-versions")
    events = await line.rows("SELECT * FROM audit_events")
    written = (line.workspace.folder / KEPT).read_text()
    for secret in (CLIENT_SECRET, "refresh-shuttle"):
        assert secret not in kept.text + again.text + listed.text + str(events) + written
    assert "access tokens of https://localhost" in str(events)


async def test_what_fails_with_access_tokens_is_said_in_words(
    line: Line, client: httpx.AsyncClient, provider: Provider, authority: PrivateAuthority
) -> None:
    """The provider's certificate, the registration, the consent: each with what to do."""
    order: dict[str, object] = {"host": "localhost", "port": 1, "user": USER}
    order |= {"ca_pem": authority.pem}

    async def check(**oauth: object) -> str:
        kept = await put(client, order | {"oauth": by_token(provider, **(SECRETS | oauth))})
        assert kept.status_code == 200, kept.text
        return str((await client.post(f"{PATH}/check")).json()["error"]["message"])

    assert "no secret was sent" in await check(private_ca=False)
    assert provider.asked == []
    assert "'client_id' and the client's secret" in await check(client_secret="another")
    assert "let the mailbox's owner consent again" in await check(refresh_token="1//ended")
    assert "nothing listens" in await check()
    own = {"has_secret": True, "refreshes": False, "refresh_token": ""}
    assert "nothing listens" in await check(**own)
    assert provider.asked[-1]["grant_type"] == "client_credentials"
    assert secret_files(line) == {"client-secret": CLIENT_SECRET}


async def test_secrets_go_nowhere_else_and_end_with_their_way_in(
    line: Line, client: httpx.AsyncClient, provider: Provider, authority: PrivateAuthority
) -> None:
    """Another endpoint needs its own, a password takes their place, and the way back asks."""
    order: dict[str, object] = {"host": "localhost", "user": USER, "ca_pem": authority.pem}
    assert (await put(client, order | {"oauth": by_token(provider, **SECRETS)})).is_success
    other = {"token_url": "https://login.elsewhere.example/token"}
    assert "was given for another machine" in await why(
        client, order | {"oauth": by_token(provider) | other}
    )
    torn = {"refresh_token": "a\nb", "client_secret": "c"}
    assert "line end" in await why(client, order | {"oauth": by_token(provider, **torn)})
    both = order | {"password": PASSWORD, "oauth": by_token(provider, **SECRETS)}
    assert "not both" in await why(client, both)
    assert "private CA" in await why(client, order | {"ca_pem": "", "oauth": by_token(provider)})
    assert "needs its secret" in await why(
        client, order | {"oauth": by_token(provider, has_secret=False, refreshes=False)}
    )
    assert (await put(client, order | {"password": PASSWORD})).is_success
    assert secret_files(line) == {"password": PASSWORD}
    back = await client.post(f"{PATH}/restore", json={"number": 1})
    assert "client secret" in back.json()["error"]["message"]
    again = {"number": 1, **SECRETS}
    assert (await client.post(f"{PATH}/restore", json=again)).is_success
    assert set(secret_files(line)) == {"client-secret", "refresh-token"}
    assert (await client.delete(PATH)).is_success
    assert secret_files(line) == {}
    assert load_mailboxes(line.workspace.folder) == ()


def test_what_is_no_ca_is_told_from_one(authority: PrivateAuthority) -> None:
    """A key, other text, a torn one, a server's that somebody else signed; its own is one."""
    key = ec.generate_private_key(ec.SECP256R1())
    torn = authority.pem[:200] + authority.pem[-40:]
    for pem, said in (
        ("hello", "no certificate"),
        (authority.pem + private_pem(key), "private key"),
        (torn, "cannot be read"),
        (make("mail.teasel.example", key, authority, ca=False), "CN=Teasel House CA has signed it"),
        (authority.pem * 21, "too many"),
    ):
        with pytest.raises(UnfitError, match=said):
            read_authorities(pem)
    itself = PrivateAuthority("localhost", key=key)
    (own,) = read_authorities(make("localhost", key, itself, ca=False))
    assert own.signs_others is False
    assert [one.subject for one in read_authorities(authority.pem * 2)] == [
        "CN=Teasel House CA", "CN=Teasel House CA",
    ]  # fmt: skip


async def test_an_expired_ca_is_not_kept(
    client: httpx.AsyncClient, authority: PrivateAuthority
) -> None:
    """Nothing could be verified by it."""
    authority.days = -3
    order: dict[str, object] = {"host": "localhost", "user": USER, "password": PASSWORD}
    assert "has expired on" in await why(client, order | {"ca_pem": authority.pem})


async def test_a_server_may_have_signed_itself(
    client: httpx.AsyncClient, make_dovecot: Callable[..., Dovecot]
) -> None:
    """Its own certificate is trusted as it stands, and the name in it still counts."""
    server = make_dovecot()
    server.stop()
    key = ec.generate_private_key(ec.SECP256R1())
    own = make("localhost", key, PrivateAuthority("localhost", key=key), ca=False)
    (server.root / "certificate.pem").write_text(own)
    (server.root / "key.pem").write_text(private_pem(key))
    server.start()
    order: dict[str, object] = {
        "host": "localhost", "port": server.tls_port, "user": USER, "password": PASSWORD,
        "ca_pem": own,
    }  # fmt: skip
    assert (await put(client, order)).is_success
    assert (await client.post(f"{PATH}/check")).status_code == 200
    assert (await put(client, order | {"host": "127.0.0.1"})).is_success, "with its password"
    assert "not trusted" in (await client.post(f"{PATH}/check")).text
