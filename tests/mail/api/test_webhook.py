"""Mail over the signed webhook."""

import asyncio
import base64
from collections.abc import AsyncIterator
from datetime import timedelta

import orjson

from connectors.webhook import sign
from data.store.core import control
from tests.core.api.fixtures import Api
from tests.core.small import ADDRESS, SLUG, letter
from tests.occupied import occupied_writer


async def signed(
    api: Api, body: bytes, webhook_id: str = "msg_1", late: float = 0
) -> dict[str, str]:
    """Return the headers of a webhook that the organization's sender made."""
    keys = await api.line.house.control.read(control.read_keys, SLUG)
    return sign(keys.webhook_secret, webhook_id, api.line.clock() - timedelta(seconds=late), body)


def payload(to: str = ADDRESS) -> bytes:
    """Return a webhook's body with one message."""
    raw = base64.b64encode(letter("When is the workshop open?")).decode()
    return orjson.dumps({"mail_from": "mara@heron.example", "rcpt_to": [to], "raw": raw})


async def test_a_signed_message_goes_the_same_way_as_any_other(api: Api) -> None:
    """It is answered with the spool's id, and ends before a person."""
    body = payload()
    answer = await api.client.post(
        "/webhooks/inbound", content=body, headers=await signed(api, body)
    )
    assert answer.status_code == 202
    await api.line.run()
    assert await api.line.status(answer.json()["id"]) == "draft_ready"


async def test_forged_late_repeated_and_foreign_webhooks_are_refused(api: Api) -> None:
    """A changed byte, an old time, a second use, another organization's recipient."""
    body = payload()
    good = await signed(api, body)
    forged = await api.client.post("/webhooks/inbound", content=body + b" ", headers=good)
    late = await api.client.post(
        "/webhooks/inbound", content=body, headers=await signed(api, body, "msg_2", late=3600)
    )
    other = payload("post@elsewhere.example")
    foreign = await api.client.post(
        "/webhooks/inbound", content=other, headers=await signed(api, other, "msg_3")
    )
    first = await api.client.post("/webhooks/inbound", content=body, headers=good)
    again = await api.client.post("/webhooks/inbound", content=body, headers=good)
    codes = [answer.status_code for answer in (forged, late, foreign, first, again)]
    assert codes == [403, 403, 403, 202, 409]
    assert api.line.house.spool.waiting() == 1


async def test_of_two_that_come_at_once_with_one_id_one_is_kept(api: Api) -> None:
    """The second is refused as long as the first is not answered, and afterwards as a repeat."""
    body = payload()
    headers = await signed(api, body)
    workspace = api.line.workspace
    async with occupied_writer(workspace.db):
        posts = [
            asyncio.create_task(api.client.post("/webhooks/inbound", content=body, headers=headers))
            for _ in range(2)
        ]
        refused, _ = await asyncio.wait(posts, timeout=120, return_when=asyncio.FIRST_COMPLETED)
    assert [post.result().status_code for post in refused] == [409]
    assert sorted(answer.status_code for answer in await asyncio.gather(*posts)) == [202, 409]
    assert api.line.house.spool.waiting() == 1


async def test_no_more_is_read_than_the_largest_message_needs(api: Api) -> None:
    """Who has not signed anything yet fills no memory: 413 comes before the body has ended."""
    house = api.line.house
    house.settings = house.settings.model_copy(update={"message_size_limit": 1_000_000})
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1_000):
            sent += 100_000
            yield b"x" * 100_000

    answer = await api.client.post("/webhooks/inbound", content=endless())
    assert (answer.status_code, answer.json()["error"]["kind"]) == (413, "TooLargeError")
    assert sent < 2_000_000


async def test_a_message_may_be_as_large_as_over_smtp_and_no_larger(api: Api) -> None:
    """The setting holds for every way in."""
    house = api.line.house
    body = payload()
    size = len(base64.b64decode(orjson.loads(body)["raw"]))
    codes = []
    for most in (size - 1, size):
        house.settings = house.settings.model_copy(update={"message_size_limit": most})
        headers = await signed(api, body)
        answer = await api.client.post("/webhooks/inbound", content=body, headers=headers)
        codes.append(answer.status_code)
    assert codes == [413, 202]
