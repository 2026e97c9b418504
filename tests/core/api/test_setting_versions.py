"""Settings that are kept here, version by version: compared, restored, and told to nobody else."""

import asyncio

import duckdb
import pytest

from data.records.core.kept_settings import SettingsChange
from flows.core.kept_settings import keep_settings
from tests.core.api.fixtures import Api
from tests.core.api.test_tokens import make
from tests.occupied import go_as_far_as_they_can
from tests.people import person

DAY = 86_400
RELAY = {"transport": "smtp", "relay_host": "mx.one.example", "relay_password": "shuttle-17"}


async def keep(api: Api, knowing: bool = False, **change: object) -> None:
    """Have settings kept."""
    order = {"change": change, "knowing": knowing}
    answer = await api.client.put("/v1/settings", json=order)
    assert answer.status_code == 200, answer.text


async def restore(api: Api, number: int, **more: object) -> tuple[int, str]:
    """Have a version count again; return what was answered."""
    order = {"number": number, **more}
    answer = await api.client.post("/v1/settings/restore", json=order)
    return answer.status_code, answer.text


async def test_each_change_is_a_version_and_an_earlier_one_counts_again(api: Api) -> None:
    """What it is about, who did it, what is different; what was not kept then is default again."""
    assert (await api.client.get("/v1/settings/versions")).json()["items"] == []
    await keep(api, **RELAY)
    await keep(api, relay_user="desk", filter_seconds=9)
    await keep(api, defaults=["relay_user"])
    listed = await api.client.get("/v1/settings/versions")
    newest, changed, first = listed.json()["items"]
    assert [one["number"] for one in (newest, changed, first)] == [3, 2, 1]
    assert changed["changed"] == ["filter_seconds", "relay_user"]
    assert first["values"] == {"relay_host": "mx.one.example", "transport": "smtp"}
    assert newest["values"] == first["values"] | {"filter_seconds": 9.0}
    assert "shuttle" not in listed.text
    compared = await api.client.get("/v1/settings/diff", params={"before": 1, "after": 2})
    assert compared.json()["lines"] == [
        "+filter_seconds: 9.0", " relay_host: mx.one.example", "+relay_user: desk",
        " transport: smtp",
    ]  # fmt: skip
    assert (await restore(api, 1, was=2))[0] == 409, "somebody has changed them meanwhile"
    assert (await restore(api, 1, was=3))[0] == 200
    settings = api.line.house.settings
    assert (settings.relay_host, settings.filter_seconds) == ("mx.one.example", 5.0)
    assert settings.relay_password.get_secret_value() == "shuttle-17", "no version has it"
    again = (await api.client.get("/v1/settings/versions")).json()["items"]
    assert [one["number"] for one in again] == [4, 3, 2, 1]
    assert again[0]["values"] == first["values"]
    events = (await api.get("/audit")).json()["items"]
    (told,) = [one for one in events if one["action"] == "restore-settings"]
    assert told["detail"] == "version 1; filter_seconds: 9.0 → default, 5.0"
    status, text = await restore(api, 4)
    assert (status, "is the same as the settings of now" in text) == (409, True)
    assert (await restore(api, 9))[0] == 404


async def test_earlier_settings_take_no_place_of_what_is_changed_meanwhile(api: Api) -> None:
    """Who restores a version is told, also where the other was faster by a moment."""
    await keep(api, filter_seconds=9)
    await keep(api, filter_seconds=8)
    house = api.line.house
    async with house.changing_settings:
        restoring = asyncio.create_task(restore(api, 1, was=2))
        await go_as_far_as_they_can(house.control)
        await keep_settings(house, SettingsChange(filter_seconds=7), person("maud"))
    status, text = await restoring
    assert (status, "maud has changed" in text) == (409, True)
    assert house.settings.filter_seconds == 7


async def test_a_password_goes_to_no_other_relay(api: Api) -> None:
    """Whoever names another machine gives its password too, for earlier settings as well."""
    await keep(api, **RELAY)
    for change in ({"relay_host": "mx.two.example"}, {"defaults": ["relay_host"]}):
        refused = await api.client.put("/v1/settings", json={"change": change})
        assert (refused.status_code, "given for another machine" in refused.text) == (422, True)
    await keep(api, relay_host="mx.two.example", relay_password="bobbin-18")
    status, text = await restore(api, 1)
    assert (status, "given for another machine" in text) == (422, True)
    await keep(api, relay_host="mx.one.example", relay_password="")
    assert api.line.house.settings.relay_password.get_secret_value() == ""


async def test_the_second_of_two_who_change_the_same_settings_is_told(api: Api) -> None:
    """Who did it and what it is now; what has nothing to do with it is kept all the same."""

    async def change(was: int, **values: object) -> tuple[int, str]:
        order = {"change": values, "was": was}
        answer = await api.client.put("/v1/settings", json=order)
        return answer.status_code, answer.text

    assert (await change(0, **RELAY))[0] == 200
    status, text = await change(0, relay_user="desk")
    assert (status, "(version 1): relay_host is mx.one.example" in text) == (409, True)
    assert "shuttle" not in text
    assert (await change(0, filter_seconds=9))[0] == 200
    assert (await change(1, relay_user="desk"))[0] == 200


async def test_a_change_that_is_cut_off_offers_no_password_to_another_relay(api: Api) -> None:
    """Whatever ends it in between, a relay gets the password that was given with it, or none."""
    house = api.line.house
    await keep(api, **RELAY)
    file = house.settings.secrets / "relay.password"
    change = SettingsChange(relay_host="mx.two.example", relay_password="bobbin-18")
    torn, whole = "kept_settings RENAME TO torn", "torn RENAME TO kept_settings"
    await house.control.write(lambda cursor: cursor.execute(f"ALTER TABLE {torn}"))
    with pytest.raises(duckdb.Error):
        await keep_settings(house, change, person("ida"))
    await house.control.write(lambda cursor: cursor.execute(f"ALTER TABLE {whole}"))
    assert not file.exists(), "the old relay is not given the new one's"
    await keep(api, **change.values)
    assert house.settings.relay_password.get_secret_value() == "bobbin-18"


async def test_a_restored_version_deletes_nothing_that_nobody_meant(api: Api) -> None:
    """What would go in the next night is said first, as with any change."""
    api.line.send("When is the workshop open?")
    await api.line.run()
    await keep(api, archive_days=9)
    await keep(api, archive_days=30)
    api.line.clock.forward(10 * DAY)
    status, text = await restore(api, 1)
    assert (status, "1 raw message is deleted" in text) == (409, True)
    assert (await restore(api, 1, knowing=True))[0] == 200
    assert api.line.house.settings.archive_days == 9


async def test_versions_of_settings_are_the_administrators(api: Api) -> None:
    """And what the environment names by now is changed there."""
    await keep(api, filter_seconds=9)
    await keep(api, filter_seconds=7)
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    for path in ("versions", "diff?before=0&after=1"):
        assert (await api.client.get(f"/v1/settings/{path}", headers=headers)).status_code == 403
    refused = await api.client.post("/v1/settings/restore", json={"number": 1}, headers=headers)
    assert refused.status_code == 403
    house = api.line.house
    house.kept = frozenset()
    house.settings = house.settings.model_copy(update={"filter_seconds": 3.0})
    status, text = await restore(api, 1)
    assert (status, "is set outside" in text) == (409, True)
