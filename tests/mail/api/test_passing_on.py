"""Passing a case on to a colleague over HTTP, signed like every reply."""

from data.records.core.organization import Dkim
from data.store.core import control
from flows.delivery import delivery_batch
from flows.mail.leaving import signing
from tests.core.api.fixtures import Api, case_of
from tests.core.authentication.zone import THIEF_HOST, ZoneResolver, answer
from tests.core.small import SLUG

DKIM = Dkim(domain="teasel.example", selector="moss", key_file="teasel.example.moss.pem")
TO = "ida@teasel.example"


async def test_it_is_shown_ordered_signed_and_seen_as_done(api: Api) -> None:
    """Who may get it, what would leave, the order, the outbox, the signature, and the case."""
    house = api.line.house
    signing.make_key(house.settings, DKIM)
    api.line.workspace.organization = await house.control.write(control.set_dkim, SLUG, DKIM)
    case = await case_of(api)
    path = f"/cases/{case['id']}/forward"
    asked = (await api.post(f"{path}/preview", {})).json()
    assert [one["email"] for one in asked["recipients"]] == [TO]
    assert (asked["text"], asked["approval_hash"], asked["barred"]) == ("", "", "")
    stranger = (await api.post(f"{path}/preview", {"to": "x@elsewhere.example"})).json()
    assert "not of this organization" in stranger["barred"]

    shown = (await api.post(f"{path}/preview", {"to": TO, "note": "Yours?"})).json()
    assert "Yours?" in shown["text"]
    order = {"to": TO, "note": "Yours?", "version": case["version"]}
    wrong = await api.post(path, order | {"approval_hash": "0" * 64})
    assert wrong.status_code == 409
    done = await api.post(path, order | {"approval_hash": shown["approval_hash"]})
    assert done.status_code == 200
    (passed,) = done.json()["passed_on"]
    assert (passed["to"], passed["state"], passed["approved_by"]) == (TO, "queued", "ida")
    again = await api.post(path, order | {"approval_hash": shown["approval_hash"]})
    assert again.status_code == 409
    (entry,) = (await api.get("/outbox")).json()["items"]
    assert entry["purpose"] == "forward"

    await delivery_batch(house, api.line.workspace)
    (file,) = (house.settings.home / "outgoing" / "new").iterdir()
    zone = {
        ("moss._domainkey.teasel.example", "TXT"): [
            signing.build_dns_record(house.settings, DKIM)[1]
        ],
        ("_dmarc.teasel.example", "TXT"): ["v=DMARC1; p=reject"],
    }
    how = {"peer": THIEF_HOST, "mail_from": "", "helo": "relay.pear.example"}
    assert answer(file.read_bytes(), resolver=ZoneResolver(zone), **how).dmarc == "pass"
    view = (await api.get(f"/cases/{case['id']}")).json()
    assert (view["state"], view["passed_on"][0]["state"]) == ("in_review", "sent")
