"""Reply to all over HTTP: offered, chosen, signed, and sent to all of them."""

from email import message_from_bytes

from connectors.outbound import SmtpTransport
from flows.delivery import delivery_batch
from flows.mail.line.mailroom import mailroom_of
from tests.core.api.fixtures import Api
from tests.core.small import ADDRESS, CUSTOMER
from tests.mail.gate.sink import Sink


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
        assert (await api.post(f"{path}/copies", refused)).status_code == 422
    now = {"version": chosen["version"], "approval_hash": chosen["approval_hash"]}
    assert (await api.post(f"{path}/approve", now)).status_code == 200
    (delivery,) = await api.line.rows("SELECT rcpt_to FROM deliveries")
    assert delivery["rcpt_to"] == [CUSTOMER, *wanted]


async def test_a_blind_copy_is_in_the_envelope_and_in_no_header(api: Api) -> None:
    """A person adds it, with the checks of a copy; it is signed, sent, and shown in the outbox."""
    api.line.send("When is the workshop open?")
    await api.line.run()
    (line,) = (await api.get("/queue")).json()["items"]
    path = f"/cases/{line['case_id']}"
    shown = (await api.get(path)).json()
    open_order = {"version": shown["version"], "cc": ["ben@heron.example"]}
    named = (await api.post(f"{path}/copies", open_order)).json()
    order = {"version": named["version"], "bcc": ["Audit@Lab.example"]}
    chosen = (await api.post(f"{path}/copies", order)).json()
    assert chosen["bcc"] == ["Audit@Lab.example"]
    assert chosen["recipients"] == [CUSTOMER, "ben@heron.example"]
    assert "\nCc: ben@heron.example\nBcc: Audit@Lab.example\n" in chosen["reply_preview"]
    assert len({one["approval_hash"] for one in (shown, named, chosen)}) == 3
    for wrong in ("nobody", ADDRESS, "ben@heron.example"):
        refused = {"version": chosen["version"], "bcc": [wrong]}
        assert (await api.post(f"{path}/copies", refused)).status_code == 422, wrong

    now = {"version": chosen["version"], "approval_hash": chosen["approval_hash"]}
    assert (await api.post(f"{path}/approve", now)).status_code == 200
    async with Sink() as sink:
        mailroom_of(api.line.house).transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="postern.example", tls="none"
        )
        assert await delivery_batch(api.line.house, api.line.workspace) == 1
    (message,) = sink.messages
    assert message.rcpt_to == [CUSTOMER, "ben@heron.example", "Audit@Lab.example"]
    assert b"lab.example" not in message.content.lower()
    assert message_from_bytes(message.content)["Bcc"] is None
    (entry,) = (await api.get("/outbox")).json()["items"]
    assert entry["bcc"] == ["Audit@Lab.example"]
    events = (await api.get("/audit")).json()["items"]
    details = [event["detail"] for event in events if event["action"] == "choose-copies"]
    assert "blind: Audit@Lab.example" in details
