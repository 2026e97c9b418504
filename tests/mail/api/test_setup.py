"""First steps over HTTP: judged by what is there; a test mail is followed to its draft."""

from data.records.core.envelope import Channel
from tests.core.api.fixtures import Api
from tests.core.small import ADDRESS, CUSTOMER, letter


async def undone(api: Api) -> set[str]:
    """Return the steps that are left."""
    steps = (await api.get("/setup")).json()["steps"]
    return {step["name"] for step in steps if not step["done"]}


async def test_each_step_is_done_by_what_is_there(api: Api) -> None:
    """Tone, a draft, mail from outside and a way out are missing at first; nobody denies it."""
    assert await undone(api) == {"voice", "trial", "mail", "leaving"}
    seen = (await api.get("/profile")).json()
    profile = seen["profile"] | {"tone": "Short and warm."}
    order = {"profile": profile, "was": seen["was"]}
    put = await api.client.put("/v1/organizations/teasel", json=order)
    assert put.status_code == 200
    late = await api.client.put("/v1/organizations/teasel", json=order)
    assert late.status_code == 409
    assert await undone(api) == {"trial", "mail", "leaving"}
    raw = letter("When is the workshop open?")
    api.line.house.spool.put(raw, channel=Channel.SMTP, mail_from=CUSTOMER, rcpt_to=(ADDRESS,))
    await api.line.run()
    assert await undone(api) == {"leaving"}
    files = {"change": {"transport": "file"}}
    assert (await api.client.put("/v1/settings", json=files)).status_code == 200
    assert await undone(api) == set()


async def test_a_test_mail_is_followed_to_its_draft(api: Api) -> None:
    """Accepted, then in work, then drafted; it is no mail from outside."""
    order = {"subject": "A question", "text": "When is the workshop open?"}
    made = await api.post("/setup/trial", order)
    assert (made.status_code, made.json()["status"]) == (201, "accepted")
    where = f"/setup/trial/{made.json()['id']}"
    assert (await api.get(where)).json()["status"] == "accepted"
    await api.line.intake()
    assert (await api.get(where)).json()["drafted"] is False
    await api.line.run()
    mail = (await api.get(where)).json()
    assert (mail["drafted"], mail["status"], mail["state"]) == (True, "draft_ready", "in_review")
    assert (await api.get(f"/cases/{mail['case_id']}")).status_code == 200
    assert "mail" in await undone(api)
    assert (await api.get("/setup/trial/none")).status_code == 404
    assert (await api.post("/setup/trial", order | {"sender": "a b"})).status_code == 422
    events = (await api.get("/audit")).json()["items"]
    assert [one["action"] for one in events] == ["send-test-mail"]
