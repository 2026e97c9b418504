"""Who may ask what."""

from functools import partial

import httpx
import pytest

from data.store.core import control
from data.store.mail import mailboxes
from flows.api.app import create_app
from flows.core.access import OPERATOR, ensure_tokens
from flows.running.inbound_round import inbound_round
from flows.running.loops import Loop, intake_round
from tests.core.api.fixtures import Api
from tests.core.small import SLUG

PATHS = (
    "/overview", "/queue", "/messages", "/threads", "/quarantine", "/outbox", "/stop", "/audit",
    "/forwards", "/cases/x", "/messages/x", "/messages/x/raw", "/threads/x", "/export/messages",
)  # fmt: skip


@pytest.mark.parametrize("authorization", ["", "Bearer pst_wrong"])
async def test_without_a_token_nothing_is_told(api: Api, authorization: str) -> None:
    """Every path of an organization answers 401 to a caller without a known token."""
    for path in PATHS:
        headers = {"Authorization": authorization}
        answer = await api.client.get(f"/v1/{SLUG}{path}", headers=headers)
        assert answer.status_code == 401, path
        assert answer.json()["error"]["kind"] == "NotSignedInError"


async def test_a_token_opens_its_own_organization_only(api: Api) -> None:
    """With a token for another organization every path is refused, existing or not."""
    token = await api.line.house.control.write(
        control.add_token, "bob", "reviewer", "elsewhere", api.line.clock()
    )
    headers = {"Authorization": f"Bearer {token}"}
    for path in PATHS:
        answer = await api.client.get(f"/v1/{SLUG}{path}", headers=headers)
        assert answer.status_code == 403, path
    assert (await api.client.get("/v1/organizations", headers=headers)).status_code == 403
    me = await api.client.get("/v1/me", headers=headers)
    assert me.json()["organizations"] == []


async def test_tokens_are_stored_hashed(api: Api) -> None:
    """The token itself is nowhere in the control state."""
    from data.store.core.statements import rows

    found = await api.line.house.control.read(rows, "SELECT * FROM tokens")
    assert api.token not in str(found)


async def test_health_and_metrics_need_no_token_and_tell_nothing(api: Api) -> None:
    """Both answer, and hold no address or subject."""
    api.line.send("When are you open?", subject="Very private")
    await api.line.run()
    health = await api.client.get("/healthz", headers={"Authorization": ""})
    metrics = await api.client.get("/metrics", headers={"Authorization": ""})
    assert health.json()["status"] == "ok"
    assert 'postern_cases{organization="teasel",state="in_review"} 1.0' in metrics.text
    assert "private" not in health.text + metrics.text
    assert "heron" not in health.text + metrics.text


async def test_a_mailbox_that_fails_shows_in_the_metrics(api: Api) -> None:
    """Failed polls and the last trouble are counted by the mailbox's name; its sentence is not."""
    note = partial(mailboxes.note_poll, failed=True)
    for _ in range(2):
        await api.line.workspace.db.write(note, "shop", "nothing listens", api.line.clock())
    text = (await api.client.get("/metrics")).text
    label = '{mailbox="shop",organization="teasel"}'
    assert f"postern_mailbox_failures{label} 2.0" in text
    assert f"postern_mailbox_error{label} 1.0" in text
    assert "listens" not in text


async def test_an_organization_is_made_through_the_api(api: Api) -> None:
    """A new organization gets its routes, and a second one of the same slug is refused."""
    given = {"slug": "osier", "name": "Osier", "addresses": ["post@osier.example"]}
    made = await api.client.post("/v1/organizations", json=given)
    assert made.status_code == 201
    assert made.json()["webhook_secret"].startswith("whsec_")
    again = await api.client.post("/v1/organizations", json=given)
    assert (again.status_code, again.json()["error"]["kind"]) == (409, "ConflictError")
    assert api.line.house.routes.match("post@osier.example") is not None


async def test_anybody_may_stop_sending_and_only_an_administrator_lets_it_go_on(api: Api) -> None:
    """The switch holds for all organizations: a reviewer of one can throw it, not release it."""
    token = await api.line.house.control.write(
        control.add_token, "bob", "reviewer", SLUG, api.line.clock()
    )
    bob = {"Authorization": f"Bearer {token}"}
    path = f"/v1/{SLUG}/stop"
    assert (await api.client.post(path, json={"stopped": True}, headers=bob)).status_code == 200
    refused = await api.client.post(path, json={"stopped": False}, headers=bob)
    assert (refused.status_code, api.line.house.stopped) == (403, True)
    await api.client.post(path, json={"stopped": False})
    assert not api.line.house.stopped


async def test_an_error_of_a_loop_is_told_by_its_kind_alone(api: Api) -> None:
    """What it says may quote a mail, and whoever reaches the port may ask."""
    quoting = Loop("intake", intake_round, error="ValidationError: input 'Very private'")
    app = create_app(api.line.house, (quoting, Loop("inbound", inbound_round)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://e") as client:
        health = (await client.get("/healthz")).json()
    assert health["status"] == "degraded"
    assert health["loops"] == {"intake": "ValidationError", "inbound": "ok"}


async def test_an_operator_s_token_that_was_never_written_is_made_anew(api: Api) -> None:
    """A crash between making the file and writing it leaves an empty one, which opens nothing."""
    house = api.line.house
    path = house.settings.secrets / OPERATOR
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    await ensure_tokens(house)
    token = path.read_text()
    headers = {"Authorization": f"Bearer {token}"}
    assert (await api.client.get("/v1/me", headers=headers)).json()["administers"] is True
    await ensure_tokens(house)
    assert path.read_text() == token
