"""The name of this machine over HTTP: kept at once, where nothing else names it."""

from tests.core.api.fixtures import Api, case_of


async def test_a_name_is_kept_and_message_ids_follow(api: Api) -> None:
    """The next reply ends in it; the receiver's file has it; the default takes both back."""
    house = api.line.house
    refused = await api.client.put("/v1/settings", json={"change": {"smtp_hostname": "mx.example"}})
    assert (refused.status_code, "'smtp_hostname' is set outside" in refused.text) == (409, True)
    house.settings = house.settings.model_copy()
    house.settings.model_fields_set.discard("smtp_hostname")
    wrong = await api.client.put("/v1/settings", json={"change": {"smtp_hostname": "no name"}})
    assert (wrong.status_code, "letters, digits" in wrong.text) == (422, True)
    change = {"change": {"smtp_hostname": "mx.harbor.example"}}
    assert (await api.client.put("/v1/settings", json=change)).status_code == 200
    assert (await api.get("/setup")).json()["hostname"] == "mx.harbor.example"
    assert house.settings.hostname_file.read_text() == "mx.harbor.example\n"
    case = await case_of(api)
    order = {"version": case["version"], "approval_hash": case["approval_hash"]}
    approved = await api.post(f"/cases/{case['id']}/approve", order)
    assert approved.status_code == 200, approved.text
    (delivery,) = await api.line.rows("SELECT message_id FROM deliveries")
    assert str(delivery["message_id"]).endswith("@mx.harbor.example>")
    events = (await api.get("/audit")).json()["items"]
    assert "smtp_hostname: mx.teasel.example → mx.harbor.example" in str(events)
    back = {"change": {"defaults": ["smtp_hostname"]}}
    assert (await api.client.put("/v1/settings", json=back)).status_code == 200
    assert house.settings.smtp_hostname == "postern.localdomain"
    assert not house.settings.hostname_file.exists()
