"""Routes with an endpoint, what is forwarded, and signing, over the API."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from data.records.core.organization import Dkim, Route
from data.store.core import control
from flows.mail.leaving.forwarding import begin_due
from flows.mail.leaving.signing import make_key
from flows.mail.line.mailroom import mailroom_of
from tests.core.api.fixtures import Api
from tests.core.small import SLUG
from tests.mail.gate.hook import Hook, hook
from tests.occupied import SlowThreads, go_as_far_as_they_can

__all__ = ["hook"]
ORDERS = "orders@teasel.example"


def endpoint(url: str) -> dict[str, str]:
    """Return a route with an endpoint as it is sent."""
    return {"pattern": ORDERS, "organization": SLUG, "mode": "endpoint", "url": url}


async def test_an_endpoint_is_made_and_its_failures_are_shown(api: Api, hook: Hook) -> None:
    """A route is set, a refused message is listed and counted, and tried again by a person."""
    house = api.line.house
    house.settings = house.settings.model_copy(update={"endpoint_allow_private": True})
    mailroom_of(house).endpoints = type(mailroom_of(house).endpoints)(
        allow_private=True, timeout_seconds=60
    )
    made = await api.client.post("/v1/routes", json=endpoint(hook.url))
    assert made.status_code == 201
    assert made.json()["secret"] == SLUG
    hook.answer(410)
    api.line.send("Two looms, please.", to=ORDERS, subject="Order")
    await api.line.run()
    await asyncio.gather(*await begin_due(house, api.line.workspace))

    (item,) = (await api.get("/forwards", state="failed")).json()["items"]
    assert (item["subject"], item["http_status"], item["rcpt_to"]) == ("Order", 410, [ORDERS])
    assert (await api.get(f"/forwards/{item['id']}")).json() == item
    assert (await api.get("/forwards/none")).status_code == 404
    overview = (await api.get("/overview")).json()
    assert (overview["forwards_waiting"], overview["forwards_failed"]) == (0, 1)
    metrics = (await api.client.get("/metrics")).text
    assert f'postern_forwards{{organization="{SLUG}",state="failed"}} 1.0' in metrics

    again = await api.post(f"/forwards/{item['id']}/resolve", {"outcome": "retry"})
    assert again.json()["state"] == "queued"
    await asyncio.gather(*await begin_due(house, api.line.workspace))
    assert (await api.get("/forwards")).json()["items"][0]["state"] == "delivered"
    late = await api.post(f"/forwards/{item['id']}/resolve", {"outcome": "cancel"})
    assert late.status_code == 409
    actions = [one["action"] for one in (await api.get("/audit")).json()["items"]]
    assert actions == ["forward-retry", "set-route"]


async def test_a_route_that_cannot_work_is_422_and_one_can_be_removed(api: Api) -> None:
    """Without a usable URL nothing is stored; a route that is gone is 404."""
    for url in ("", "http://shop.example/", "https://u@shop.example/"):
        refused = await api.client.post("/v1/routes", json=endpoint(url))
        assert refused.status_code == 422, url
    assert (await api.client.post("/v1/routes", json=endpoint("https://a.example/"))).is_success
    gone = await api.client.delete("/v1/routes", params={"pattern": ORDERS})
    assert gone.status_code == 204
    again = await api.client.delete("/v1/routes", params={"pattern": ORDERS})
    assert again.status_code == 404


async def test_the_receiver_is_told_the_newest_routes(api: Api) -> None:
    """Of two who change them at once, the first may write the file last; nobody's mail is refused.

    Threads go on in any order; these take what they were asked last first.
    """
    house, loop = api.line.house, asyncio.get_running_loop()
    threads = SlowThreads(begins=False)
    loop.set_default_executor(threads)
    try:
        earlier = asyncio.create_task(house.publish_routes())
        await go_as_far_as_they_can(house.control)
        await house.control.write(control.set_route, Route(pattern=ORDERS, organization=SLUG))
        later = asyncio.create_task(house.publish_routes())
        await go_as_far_as_they_can(house.control)
        await threads.hurry_up(earlier, later)
    finally:
        loop.set_default_executor(ThreadPoolExecutor())
    assert house.routes.match(ORDERS) is not None


async def test_signing_needs_a_key_and_counts_at_once(api: Api) -> None:
    """Without the key's file nothing changes; with it, the open organization signs."""
    given = {"domain": "teasel.example", "selector": "moss", "key_file": "k.pem"}
    path = f"/v1/organizations/{SLUG}/dkim"
    refused = await api.client.put(path, json={"dkim": given})
    assert (refused.status_code, refused.json()["error"]["kind"]) == (409, "SettingsError")
    assert api.line.workspace.organization.dkim is None
    make_key(api.line.house.settings, Dkim.model_validate(given))
    assert (await api.client.put(path, json={"dkim": given})).json()["dkim"] == given
    assert api.line.workspace.organization.dkim is not None
    assert (await api.client.put(path, json={"dkim": None})).json()["dkim"] is None


async def test_a_key_that_is_made_is_an_event_once(api: Api) -> None:
    """Asking again makes none, and says nothing new."""
    order = {"domain": "teasel.example", "selector": "fern"}
    for _ in range(2):
        answer = await api.client.post(f"/v1/organizations/{SLUG}/dkim", json=order)
        assert answer.status_code == 201
    events = await api.line.rows("SELECT action, detail FROM audit_events")
    keys = [event["detail"] for event in events if event["action"] == "make-signing-key"]
    assert keys == ["fern of teasel.example"]
