"""Promises of replies that leave: written down, reminded of, settled by later mail."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from flows.delivery import delivery_batch
from flows.running.due_work import wake_due
from tests.core.api.fixtures import Api

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


async def test_what_an_owner_promises_is_a_promise(api: Api) -> None:
    """His answer is cited, as knowledge is, and yet it is said to this one customer."""
    api.line.workspace.policy = api.line.workspace.policy.model_copy(
        update={"owners": {"default": "ida@teasel.example"}}
    )
    api.line.send("Do you also rent out looms for weddings?", subject="Wedding")
    await api.line.run()
    (question,) = (await api.get("/questions")).json()["items"]
    given = {"answer": "Hi,\n\nYes, we do. I will send the list of prices tomorrow.\n\nIda"}
    assert (await api.post(f"/questions/{question['id']}/answer", given)).status_code == 200
    await api.line.work()
    (item,) = (await api.get("/queue")).json()["items"]
    case = (await api.get(f"/cases/{item['case_id']}")).json()
    order = {"version": case["version"], "approval_hash": case["approval_hash"]}
    assert (await api.post(f"/cases/{case['id']}/approve", order)).status_code == 200
    assert await delivery_batch(api.line.house, api.line.workspace) == 1
    (one,) = await kept(api)
    assert one["sentence"] == "I will send the list of prices tomorrow."


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


async def test_a_promise_is_found_in_the_language_that_a_person_wrote(api: Api) -> None:
    """Who answers an English letter in German promises in German."""
    body = "Guten Tag,\n\nwir schicken Ihnen den Webstuhl in zwei Wochen.\n\nFreundliche Grüße"
    await sent(api, "When do you send the loom?", body)
    (one,) = await kept(api)
    day = api.line.workspace.organization.day(api.line.clock())
    assert (one["dated"], one["due_on"]) == (True, str(day + timedelta(weeks=2)))


async def test_what_was_drafted_and_never_left_promises_nothing(api: Api) -> None:
    """Neither a draft, nor an approved reply that was taken back, is in the ledger."""
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update={"undo_seconds": 60})
    api.line.send("When do you send it?")
    await api.line.run()
    (item,) = (await api.get("/queue")).json()["items"]
    path = f"/cases/{item['case_id']}"
    given = {"subject": "Re: Opening hours", "body": "We will send the loom by Friday."}
    preview = (await api.post(f"{path}/preview", given)).json()
    version = (await api.get(path)).json()["version"]
    order = given | {
        "version": version,
        "approval_hash": preview["approval_hash"],
        "confirmed": True,
    }
    assert (await api.post(f"{path}/approve", order)).status_code == 200
    (waiting,) = (await api.get("/outbox")).json()["items"]
    assert (await api.post(f"/deliveries/{waiting['id']}/cancel", {})).status_code == 200
    api.line.clock.forward(120)
    await delivery_batch(api.line.house, api.line.workspace)
    assert await kept(api) == []


async def test_the_day_of_the_organization_counts(api: Api) -> None:
    """Tomorrow is the day after the one that it is where the organization is."""
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # 14 hours ahead, 11 behind
        workspace = api.line.workspace
        workspace.organization = workspace.organization.model_copy(update={"timezone": zone})
        await sent(api, f"When in {zone}?", "We will call you tomorrow.", subject=zone)
        there = api.line.clock().astimezone(ZoneInfo(zone)).date()
        (one,) = await kept(api, "open")
        assert one["due_on"] == str(there + timedelta(days=1))
        await api.post(f"/promises/{one['id']}/close", {})
