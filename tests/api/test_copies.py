"""Reply to all over HTTP: offered, chosen, signed, and sent to all of them."""

from tests.api.conftest import Api
from tests.line.small import ADDRESS, CUSTOMER


async def test_a_chosen_copy_changes_what_is_signed_and_leaves(api: Api) -> None:
    """The old hash and version are refused; what leaves goes to both; a model has no say."""
    raw = (
        f"From: Mara Heron <{CUSTOMER}>\r\nTo: {ADDRESS}\r\nCc: Ben <ben@heron.example>\r\n"
        "Subject: Opening hours\r\nDate: Mon, 02 Mar 2026 09:59:00 +0000\r\n"
        "Message-ID: <c1@heron.example>\r\n\r\nWhen is the workshop open?\r\n"
    ).encode()
    api.line.send("", raw=raw)
    await api.line.run()
    (line,) = (await api.get("/queue")).json()["items"]
    path = f"/cases/{line['case_id']}"
    shown = (await api.get(path)).json()
    assert shown["recipients"] == [CUSTOMER]
    (offer,) = shown["copies"]
    assert (offer["address"], offer["provenance"], offer["chosen"]) == (
        "ben@heron.example",
        "cc",
        False,
    )
    wanted = ["ben@heron.example", "Lab@partner.example"]
    order = {"version": shown["version"], "cc": wanted}
    chosen = (await api.post(f"{path}/copies", order)).json()
    assert chosen["recipients"] == [CUSTOMER, *wanted]
    assert chosen["approval_hash"] != shown["approval_hash"]
    assert "Cc: ben@heron.example, Lab@partner.example" in chosen["reply_preview"]

    stale = {"version": shown["version"], "approval_hash": shown["approval_hash"]}
    assert (await api.post(f"{path}/approve", stale)).status_code == 409
    mixed = {"version": chosen["version"], "approval_hash": shown["approval_hash"]}
    assert (await api.post(f"{path}/approve", mixed)).status_code == 409
    for wrong in (ADDRESS, "nobody"):
        refused = {"version": chosen["version"], "cc": [wrong]}
        assert (await api.post(f"{path}/copies", refused)).status_code == 409
    now = {"version": chosen["version"], "approval_hash": chosen["approval_hash"]}
    assert (await api.post(f"{path}/approve", now)).status_code == 200
    (delivery,) = await api.line.rows("SELECT rcpt_to FROM deliveries")
    assert delivery["rcpt_to"] == [CUSTOMER, *wanted]
