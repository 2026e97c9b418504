"""The first organization of a home over HTTP: made once, with the secret that was printed."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from flows.core.administration.making_organizations import slug_of
from flows.core.first_secret import read_setup_secret, renew_setup_secret
from flows.core.house import House
from tests.core.small import api_over, settings_in

WANTED = {
    "name": "Harbor Museum",
    "address": "Help@harbor.example",
    "timezone": "Europe/Lisbon",
    "language": "pt",
    "administrator": "Maud",
    "email": "maud@harbor.example",
}


@dataclass
class Empty:
    """A house without any organization, and a client that has its secret."""

    house: House
    client: httpx.AsyncClient
    secret: str

    async def ask(self, method: str, path: str, token: str, body: object = None) -> httpx.Response:
        """Ask with a token."""
        headers = {"Authorization": f"Bearer {token}"}
        return await self.client.request(method, path, json=body, headers=headers)


@pytest.fixture
async def empty(tmp_path: Path) -> AsyncIterator[Empty]:
    """Open a house as an engine opens it at the first start."""
    house = House(settings_in(tmp_path / "var"))
    await renew_setup_secret(house)
    transport = httpx.ASGITransport(api_over(house))
    async with httpx.AsyncClient(transport=transport, base_url="http://engine") as client:
        yield Empty(house, client, read_setup_secret(house.settings))
    await house.close()


async def test_the_first_organization_is_made_once(empty: Empty) -> None:
    """Its administrator is signed in, its address routed; the secret opens nothing any more."""
    assert (await empty.ask("GET", "/v1/beginning", empty.secret)).json() == {"open": True}
    assert empty.house.settings.setup_file.stat().st_mode & 0o077 == 0
    made = await empty.ask("POST", "/v1/beginning", empty.secret, WANTED)
    assert made.status_code == 201
    answer = made.json()
    assert (answer["slug"], answer["user"]) == ("harbor-museum", "Maud")
    assert not empty.house.settings.setup_file.exists()
    me = (await empty.ask("GET", "/v1/me", answer["token"])).json()
    assert (me["administers"], me["email"]) == (True, "maud@harbor.example")
    assert [one["slug"] for one in me["organizations"]] == ["harbor-museum"]
    routes = (await empty.ask("GET", "/v1/routes", answer["token"])).json()
    assert [one["pattern"] for one in routes] == ["help@harbor.example"]
    profile = (await empty.ask("GET", "/v1/harbor-museum/profile", answer["token"])).json()
    assert (profile["profile"]["timezone"], profile["profile"]["language"]) == (
        "Europe/Lisbon",
        "pt",
    )
    audit = (await empty.ask("GET", "/v1/harbor-museum/audit", answer["token"])).json()["items"]
    assert [(one["actor"], one["action"]) for one in audit] == [("Maud", "add-organization")]
    again = await empty.ask("POST", "/v1/beginning", empty.secret, WANTED | {"name": "Another"})
    assert again.status_code == 401
    other = await empty.ask("POST", "/v1/beginning", answer["token"], WANTED | {"name": "Another"})
    assert other.status_code == 409


async def test_nothing_is_made_without_the_secret(empty: Empty) -> None:
    """No secret, another one, an empty one and one of an earlier start are refused."""
    old = empty.secret
    await renew_setup_secret(empty.house)
    assert (await empty.client.post("/v1/beginning", json=WANTED)).status_code == 401
    for given in (old, "pset_wrong", "ü"):
        headers = {"Authorization": f"Bearer {given}".encode()}
        refused = await empty.client.post("/v1/beginning", json=WANTED, headers=headers)
        assert refused.status_code == 401
    assert (await empty.ask("GET", "/v1/organizations", old)).status_code == 401
    fresh = read_setup_secret(empty.house.settings)
    assert fresh != old
    assert (await empty.ask("GET", "/v1/organizations", fresh)).status_code == 401


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"timezone": "Mars/Olympus"}, "IANA"),
        ({"address": "nobody"}, "no mail address"),
        ({"email": "a b@c"}, "no mail address"),
        ({"language": "E"}, "ISO 639-1"),
        ({"name": "  "}, "name"),
        ({"administrator": " "}, "administrator"),
    ],
)
async def test_a_wrong_value_is_told_and_the_link_stays_good(
    empty: Empty, wrong: dict[str, str], told: str
) -> None:
    """Nothing is half made: no organization, no user, and the secret can be used again."""
    refused = await empty.ask("POST", "/v1/beginning", empty.secret, WANTED | wrong)
    assert refused.status_code == 422
    assert told in refused.text
    made = await empty.ask("POST", "/v1/beginning", empty.secret, WANTED)
    assert made.status_code == 201


async def test_one_address_for_all_makes_nobody_of_it(empty: Empty) -> None:
    """Who has no address but the organization's is named by it nowhere."""
    order = WANTED | {"email": "HELP@harbor.example"}
    answer = (await empty.ask("POST", "/v1/beginning", empty.secret, order)).json()
    me = (await empty.ask("GET", "/v1/me", answer["token"])).json()
    assert (me["email"], me["organizations"][0]["people"]) == ("", [])


def test_a_folder_is_named_by_the_organization_or_its_domain() -> None:
    """Accents go, what is no letter parts words, and a name in other letters gives the domain's."""
    assert slug_of("Café Müller & Söhne", "a@b.example") == "cafe-muller-sohne"
    assert slug_of("海の博物館", "help@harbor.example") == "harbor"
    assert slug_of("海", "help@海.example") == "organization"
    assert len(slug_of("long " * 40, "a@b.example")) <= 40


async def test_another_organization_is_made_of_a_few_words(empty: Empty) -> None:
    """A free short name is found, its address routed; who does not administer all makes none."""
    made = await empty.ask("POST", "/v1/beginning", empty.secret, WANTED)
    token = made.json()["token"]
    order = {"name": "Harbor Museum", "address": "Shop@harbor.example", "timezone": "Asia/Tokyo"}
    second = await empty.ask("POST", "/v1/organizations/plain", token, order)
    assert (second.status_code, second.json()["slug"]) == (201, "harbor-museum-2")
    me = (await empty.ask("GET", "/v1/me", token)).json()
    assert [one["slug"] for one in me["organizations"]] == ["harbor-museum", "harbor-museum-2"]
    audit = (await empty.ask("GET", "/v1/harbor-museum-2/audit", token)).json()["items"]
    assert [(one["actor"], one["action"]) for one in audit] == [("Maud", "add-organization")]
    routes = (await empty.ask("GET", "/v1/routes", token)).json()
    assert [one["pattern"] for one in routes if one["organization"] == "harbor-museum-2"] == [
        "shop@harbor.example"
    ]
    taken = await empty.ask("POST", "/v1/organizations/plain", token, order)
    assert (taken.status_code, "choose another" in taken.text) == (422, True)
    for wrong in ({"timezone": "Mars/Olympus"}, {"address": "nobody"}, {"name": " "}):
        refused = await empty.ask("POST", "/v1/organizations/plain", token, order | wrong)
        assert refused.status_code == 422, wrong
    user = {"name": "Bo", "grants": [{"role": "admin", "organization": "harbor-museum"}]}
    bo = (await empty.ask("POST", "/v1/users", token, user)).json()
    key = {"user": "Bo", "user_id": bo["id"]}
    theirs = (await empty.ask("POST", "/v1/tokens", token, key)).json()["token"]
    other = order | {"address": "other@harbor.example"}
    denied = await empty.ask("POST", "/v1/organizations/plain", theirs, other)
    assert denied.status_code == 403


async def test_two_of_one_name_are_made_at_once(empty: Empty) -> None:
    """Each gets a short name of its own: nobody has chosen the one that the other took."""
    made = await empty.ask("POST", "/v1/beginning", empty.secret, WANTED)
    token = made.json()["token"]
    orders = [{"name": "Heron", "address": f"{name}@heron.example"} for name in ("a", "b", "c")]
    answers = await asyncio.gather(
        *(empty.ask("POST", "/v1/organizations/plain", token, order) for order in orders)
    )
    assert [answer.status_code for answer in answers] == [201] * 3
    assert {answer.json()["slug"] for answer in answers} == {"heron", "heron-2", "heron-3"}
