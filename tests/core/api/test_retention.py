"""Filters of others and retention over HTTP: what is on, who answers, what is kept how long."""

import asyncio

from flows.mail.line.mailroom import mailroom_of
from tests.core.api.fixtures import Api
from tests.core.api.test_tokens import make

DAY = 86_400


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


async def test_how_long_raw_mail_is_kept_is_changed_after_a_look_at_what_goes(api: Api) -> None:
    """What would be deleted is counted first and has to be meant; then the upkeep deletes it."""
    from flows.upkeep import tidy

    api.line.send("When is the workshop open?")
    await api.line.run()
    api.line.clock.forward(10 * DAY)
    preview = await api.client.post("/v1/settings/preview", json={"archive_days": 30})
    assert (preview.json()["raw_mail"], "Nothing is that old" in preview.text) == (0, True)
    preview = await api.client.post("/v1/settings/preview", json={"archive_days": 9})
    assert preview.json()["raw_mail"] == 1
    assert "1 raw message is deleted" in preview.text
    order = {"change": {"archive_days": 9}}
    refused = await api.client.put("/v1/settings", json=order)
    assert (refused.status_code, "1 raw message" in refused.text) == (409, True)
    kept = await api.client.put("/v1/settings", json=order | {"knowing": True})
    assert kept.status_code == 200
    view = (await api.get("/retention")).json()["kept"][0]
    assert (view["days"], view["changeable"]) == (9, True)
    assert await tidy(api.line.house, api.line.workspace) == 1
    events = (await api.get("/audit")).json()["items"]
    assert [(one["action"], one["detail"]) for one in events] == [
        ("change-settings", "archive_days: 0 → 9")
    ]
    listed = (await api.client.get("/v1/settings")).json()["items"]
    assert {one["name"]: one["source"] for one in listed}["archive_days"] == "kept in Postern"


async def test_a_filter_is_switched_on_and_off_and_its_password_is_told_nowhere(api: Api) -> None:
    """It counts at once and at the next start; an address that is none is refused."""
    from flows.core.house import House
    from flows.core.kept_settings import take_kept_settings

    change = {"rspamd_url": "http://127.0.0.1:9", "rspamd_password": "hush hush"}
    kept = await api.client.put("/v1/settings", json={"change": change})
    assert kept.status_code == 200
    house = api.line.house
    assert [one.name for one in mailroom_of(house).filters.filters] == ["rspamd"]
    known = (await api.client.get("/v1/filters")).json()["items"]
    assert [(one["address"], one["changeable"]) for one in known] == [
        ("", True), ("http://127.0.0.1:9", True),
    ]  # fmt: skip
    later = House(house.settings.model_copy(update={"home": house.settings.home}))
    later.settings = type(house.settings)(home=house.settings.home)
    later.control = house.control
    await take_kept_settings(later)
    assert later.settings.rspamd_password.get_secret_value() == "hush hush"
    assert later.settings.rspamd_url == "http://127.0.0.1:9"
    wrong = await api.client.put("/v1/settings", json={"change": {"spamassassin_address": "here"}})
    assert (wrong.status_code, "127.0.0.1:783" in wrong.text) == (422, True)
    off = await api.client.put("/v1/settings", json={"change": {"rspamd_url": ""}})
    assert off.status_code == 200
    assert mailroom_of(house).filters.filters == ()
    for told in (await api.get("/audit"), await api.client.get("/v1/settings")):
        assert "hush" not in told.text


async def test_a_kept_setting_has_a_way_back_to_its_default(api: Api) -> None:
    """What that would delete has to be meant as well; nothing is kept then, and it is an event."""
    house = api.line.house
    change = {"archive_days": 9, "program_chat_days": 0, "rspamd_password": "hush hush"}
    change["rspamd_url"] = "http://127.0.0.1:9"
    assert (await api.client.put("/v1/settings", json={"change": change})).status_code == 200
    defaults = {"defaults": list(change)}
    preview = await api.client.post("/v1/settings/preview", json=defaults)
    assert "30 days" in preview.text
    kept = (await api.get("/retention")).json()["kept"]
    assert [one["kept_here"] for one in kept if one["changeable"]] == [True, True]
    filters = (await api.client.get("/v1/filters")).json()
    assert filters["kept_here"] == ["rspamd_url", "rspamd_password"]
    assert (await api.client.put("/v1/settings", json={"change": defaults})).status_code == 200
    assert house.kept == frozenset()
    days = (house.settings.archive_days, house.settings.program_chat_days)
    assert (days, mailroom_of(house).filters.filters) == ((0, 30), ())
    assert not house.settings.rspamd_password.get_secret_value()
    newest = (await api.get("/audit")).json()["items"][0]
    assert "archive_days: 9 → default, 0" in newest["detail"]
    assert "hush" not in newest["detail"]
    listed = (await api.client.get("/v1/settings")).json()["items"]
    assert {one["name"]: one["source"] for one in listed}["archive_days"] == "default"
    assert (await api.client.put("/v1/settings", json={"change": change})).status_code == 200
    assert house.settings.archive_days == 9
    for wrong in ({"defaults": ["home"]}, {"archive_days": 1, "defaults": ["archive_days"]}):
        assert (await api.client.post("/v1/settings/preview", json=wrong)).status_code == 422


async def test_what_a_file_or_the_environment_says_is_changed_there(api: Api) -> None:
    """The window never outvotes a file, and nobody but an administrator changes anything."""
    house = api.line.house
    house.settings = house.settings.model_copy(update={"archive_days": 400})
    assert (await api.get("/retention")).json()["kept"][0]["changeable"] is False
    refused = await api.client.put("/v1/settings", json={"change": {"archive_days": 9}})
    assert (refused.status_code, "postern.toml" in refused.text) == (409, True)
    empty = await api.client.put("/v1/settings", json={"change": {}})
    assert empty.status_code == 422
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    order = {"change": {"program_chat_days": 9}}
    denied = await api.client.put("/v1/settings", json=order, headers=headers)
    assert denied.status_code == 403
