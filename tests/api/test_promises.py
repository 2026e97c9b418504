"""Promises of replies that leave: written down, reminded of, settled by later mail."""

from flows.delivery import delivery_batch
from flows.running.waiting import wake_due
from tests.api.conftest import Api

DAY = 86_400


async def sent(api: Api, text: str, body: str, **more: str) -> None:
    """Send a message in, and answer it by hand with this body, which leaves."""
    api.line.send(text, **more)
    await api.line.run()
    (item,) = (await api.get("/queue")).json()["items"]
    given = {"subject": "Re: Opening hours", "body": body}
    path = f"/cases/{item['case_id']}"
    preview = (await api.post(f"{path}/preview", given)).json()
    version = (await api.get(path)).json()["version"]
    order = given | {
        "version": version,
        "approval_hash": preview["approval_hash"],
        "confirmed": True,
    }
    assert (await api.post(f"{path}/approve", order)).status_code == 200
    assert await delivery_batch(api.line.house, api.line.workspace) == 1


async def kept(api: Api, state: str = "") -> list[dict[str, object]]:
    """Return the promises as the API shows them."""
    query = {"state": state} if state else {}
    items: list[dict[str, object]] = (await api.get("/promises", **query)).json()["items"]
    return items


async def test_a_promise_is_kept_reminded_and_closed(api: Api) -> None:
    """What leaves makes an entry; when its day has passed people are told once; a person closes."""
    await sent(api, "When do you send it?", "We will send the loom within 2 days.")
    (one,) = await kept(api)
    assert (one["sentence"], one["state"], one["dated"]) == (
        "We will send the loom within 2 days.",
        "open",
        True,
    )
    await wake_due(api.line.house)
    assert (await api.get("/notifications")).json()["total"] == 0
    api.line.clock.forward(3 * DAY)
    await wake_due(api.line.house)
    await wake_due(api.line.house)
    told = (await api.get("/notifications")).json()["items"]
    assert [entry["kind"] for entry in told] == ["promise_due"]
    seen = (await api.get("/overview")).json()
    assert (seen["promises_open"], seen["promises_overdue"]) == (1, 1)
    assert len(await kept(api, "overdue")) == 1

    path = f"/promises/{one['id']}/close"
    assert (await api.post(path, {"note": "sent by post"})).json() == {"state": "closed"}
    assert (await api.post(path, {})).status_code == 409
    assert (await api.post("/promises/none/close", {})).status_code == 404
    (closed,) = await kept(api, "closed")
    assert closed["note"] == "sent by post"
    assert (await api.get("/overview")).json()["promises_open"] == 0
    exported = await api.get("/export/promises")
    assert exported.status_code == 200


async def test_later_mail_of_ours_settles_a_promise(api: Api) -> None:
    """A second reply in the conversation closes what the first promised; its own is open."""
    await sent(
        api, "When do you send it?", "We will write tomorrow.", message_id="<a@heron.example>"
    )
    answer = {"In-Reply-To": "<a@heron.example>", "References": "<a@heron.example>"}
    api.line.clock.forward(60)
    await sent(
        api,
        "And now?",
        "It has left. We will send the bill by Friday.",
        message_id="<b@heron.example>",
        headers=answer,  # type: ignore[arg-type]
    )
    states = {str(one["sentence"]): one["state"] for one in await kept(api)}
    assert states == {
        "We will write tomorrow.": "closed",
        "We will send the bill by Friday.": "open",
    }
