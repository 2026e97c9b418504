"""Filters of others and retention over HTTP: what is on, who answers, what is kept how long."""

import asyncio

from tests.api.conftest import Api
from tests.api.test_tokens import make


async def test_filters_say_how_they_are_switched_on_and_whether_they_answer(api: Api) -> None:
    """Off by default; one that is away is told as such; one that answers, too."""
    off = (await api.client.get("/v1/filters", params={"ask": True})).json()["items"]
    assert [(one["setting"], one["address"], one["answers"]) for one in off] == [
        ("spamassassin_address", "", None), ("rspamd_url", "", None),
    ]  # fmt: skip

    async def pong(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"SPAMD/1.5 0 PONG\r\n")
        writer.close()

    server = await asyncio.start_server(pong, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    house = api.line.house
    house.settings = house.settings.model_copy(
        update={"spamassassin_address": f"127.0.0.1:{port}", "rspamd_url": "http://127.0.0.1:9"}
    )
    async with server:
        asked = (await api.client.get("/v1/filters", params={"ask": True})).json()["items"]
    assert [one["answers"] for one in asked] == [True, False]
    assert asked[1]["trouble"]
    unasked = (await api.client.get("/v1/filters")).json()["items"]
    assert [one["answers"] for one in unasked] == [None, None]


async def test_retention_names_days_and_settings(api: Api) -> None:
    """What a setting says is told with its name; what is fixed is kept for ever, or for days."""
    house = api.line.house
    house.settings = house.settings.model_copy(update={"archive_days": 400})
    view = (await api.get("/retention")).json()
    days = {one["setting"]: one["days"] for one in view["kept"] if one["setting"]}
    assert days == {"archive_days": 400, "program_chat_days": 30, "prefect_days": 7}
    assert view["upkeeps"] == []


async def test_a_reviewer_sees_no_addresses_of_filters(api: Api) -> None:
    """How long things are kept may be known; where filters are is the administrators'."""
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    assert (await api.client.get("/v1/filters", headers=headers)).status_code == 403
    shown = await api.client.get("/v1/teasel/retention", headers=headers)
    assert shown.status_code == 200
