"""Merging and splitting conversations over HTTP: what happens, what does not, and the way back."""

from typing import Any

from data.store.core import audit
from tests.core.api.fixtures import Api
from tests.core.small import CUSTOMER
from tests.mail.line.threads_of import answer, approve, grouped, live

JON = "jon@bittern.example"


async def two(api: Api, second: str = CUSTOMER) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two conversations, the second of that contact."""
    ids = [
        api.line.send("When are you open?", subject="Opening hours", message_id="<1@h>"),
        api.line.send("And an inspection?", subject="Repair", sender=second, message_id="<2@h>"),
    ]
    await api.line.run()
    threads = [(await api.get(f"/messages/{one}")).json()["thread_id"] for one in ids]
    first, other = [(await api.get(f"/threads/{one}")).json() for one in threads]
    return first, other


def messages_of(view: dict[str, Any]) -> list[str]:
    """Return the ids of the inbound messages of a conversation."""
    return [e["ref"].partition(":")[2] for e in view["entries"] if not e["outbound"]]


async def merged(api: Api, mine: dict[str, Any], other: dict[str, Any], **more: bool) -> Any:  # noqa: ANN401
    """Merge the second conversation into the first."""
    return await api.post(f"/threads/{mine['id']}/merge", {"other": other["id"], **more})


async def foretell(api: Api, mine: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return what merging would do."""
    answer = await api.post(f"/threads/{mine['id']}/merge/preview", {"other": other["id"]})
    said: dict[str, Any] = answer.json()
    return said


async def test_a_merge_is_foretold_done_and_taken_back(api: Api) -> None:
    """Messages and cases move and come back; both leave an audit event; the chain holds."""
    mine, other = await two(api)
    foretold = await foretell(api, mine, other)
    assert foretold["warning"] == ""
    assert any("holds 2 messages" in one for one in foretold["sentences"])
    assert any("2 open cases" in one for one in foretold["sentences"])

    view = (await merged(api, mine, other)).json()
    assert set(messages_of(view)) == {*messages_of(mine), *messages_of(other)}
    assert (view["messages"], view["subject"]) == (2, mine["subject"])
    assert {entry["subject"]: entry["turns"] for entry in view["entries"]} == {
        "Opening hours": False,
        "Repair": True,
    }
    assert (await api.get(f"/threads/{other['id']}")).json()["id"] == mine["id"]
    assert (await api.get("/threads")).json()["total"] == 1

    (change,) = view["changes"]
    back = await api.post(f"/threads/{mine['id']}/undo", {"change": change["id"]})
    assert messages_of(back.json()) == messages_of(mine)
    again = (await api.get(f"/threads/{other['id']}")).json()
    assert messages_of(again) == messages_of(other)
    assert again["changes"] == []
    (await api.line.run())
    assert {case["state"] for case in await live(api.line)} == {"in_review"}
    actions = [event["action"] for event in (await api.get("/audit")).json()["items"]]
    assert actions == ["undo merge of conversations", "merge conversations"]
    assert await api.line.workspace.db.read(audit.find_break) is None


async def test_merging_makes_shown_drafts_stale_and_takes_an_approval_back(api: Api) -> None:
    """What was approved and has not left is cancelled; nothing leaves for either case."""
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update={"undo_seconds": 60})
    mine, other = await two(api)
    first, second = await live(api.line)
    await approve(api.line, first["id"])
    foretold = await foretell(api, mine, other)
    assert any("1 approved reply not yet sent" in one for one in foretold["sentences"])
    shown = (await api.get(f"/cases/{second['id']}")).json()
    await merged(api, mine, other)

    given = {"version": shown["version"], "approval_hash": shown["approval_hash"]}
    assert (await api.post(f"/cases/{second['id']}/approve", given)).status_code == 409
    (delivery,) = (await api.get("/outbox")).json()["items"]
    assert delivery["state"] == "cancelled"
    await api.line.run()
    cases = await live(api.line)
    assert {case["state"] for case in cases} == {"in_review"}
    assert {case["thread_id"] for case in cases} == {mine["id"]}


async def test_merging_across_contacts_is_warned_and_widens_nothing(api: Api) -> None:
    """It must be meant; then each reply still goes to its own sender, and no context is mixed."""
    mine, other = await two(api, JON)
    foretold = await foretell(api, mine, other)
    assert CUSTOMER in foretold["warning"]
    assert JON in foretold["warning"]
    assert (await merged(api, mine, other)).status_code == 409
    view = (await merged(api, mine, other, across_contacts=True)).json()
    assert view["contacts"] == sorted([CUSTOMER, JON])
    await api.line.run()

    for case in await live(api.line):
        seen = (await api.get(f"/cases/{case['id']}")).json()
        assert seen["recipients"] == [case["contact_email"]]
        foreign = "inspection" if case["contact_email"] == CUSTOMER else "When are you open"
        mail = [s for s in seen["snippets"] if s["source"] in ("thread", "contact")]
        assert not any(foreign in snippet["text"] for snippet in mail)


async def test_newer_mail_in_a_merged_conversation_takes_over_its_own_contacts_case(
    api: Api,
) -> None:
    """The other contact's case is left alone."""
    mine, other = await two(api, JON)
    await merged(api, mine, other, across_contacts=True)
    await api.line.run()
    newer = answer(api.line, "Forget it.", "<2@h>", "<3@h>", sender=JON, subject="Re: Repair")
    await api.line.run()
    found = {case["contact_email"]: case["message_ids"] for case in await live(api.line)}
    assert found == {CUSTOMER: messages_of(mine), JON: [*messages_of(other), newer]}
    assert len(await grouped(api.line)) == 1


async def test_a_split_stays_and_is_taken_back(api: Api) -> None:
    """What a person parted stays parted when mail names both parts, until it is taken back."""
    api.line.send("When are you open?", message_id="<1@h>")
    second = answer(api.line, "And an inspection?", "<1@h>", "<2@h>")
    await api.line.run()
    view = (await api.get("/threads")).json()["items"][0]
    path = f"/threads/{view['id']}/split"
    foretold = await api.post(f"{path}/preview", {"messages": [second]})
    assert "conversation of its own" in foretold.json()["sentences"][0]
    fresh = (await api.post(path, {"messages": [second]})).json()
    assert messages_of(fresh) == [second]
    assert [link["id"] for link in fresh["refers_to"]] == [view["id"]]

    third = answer(api.line, "Well?", "<2@h>", "<3@h>", References="<1@h> <2@h>", subject="Well")
    await api.line.run()
    assert messages_of((await api.get(f"/threads/{fresh['id']}")).json()) == [second, third]

    (change,) = fresh["changes"]
    back = (await api.post(f"/threads/{fresh['id']}/undo", {"change": change["id"]})).json()
    assert back["id"] == view["id"]
    assert back["messages"] == 3
    assert len(await grouped(api.line)) == 1


async def test_changes_are_taken_back_in_order(api: Api) -> None:
    """An earlier change waits for the later one; the same one is not taken back twice."""
    mine, other = await two(api)
    first = (await merged(api, mine, other)).json()["changes"][0]
    chosen = messages_of(other)
    fresh = (await api.post(f"/threads/{mine['id']}/split", {"messages": chosen})).json()
    path = f"/threads/{mine['id']}/undo"
    refused = await api.post(path, {"change": first["id"]})
    assert refused.status_code == 409
    assert "later change" in refused.text
    assert (await api.post(path, {"change": fresh["changes"][0]["id"]})).status_code == 200
    assert (await api.post(path, {"change": first["id"]})).status_code == 200
    assert (await api.post(path, {"change": first["id"]})).status_code == 409
    assert len(await grouped(api.line)) == 2


async def test_what_cannot_be_merged_or_split_is_refused_and_nothing_happens(api: Api) -> None:
    """Itself, nothing, everything, what is elsewhere, what is unknown."""
    mine, other = await two(api)
    here, there = f"/threads/{mine['id']}", messages_of(other)
    assert (await merged(api, mine, mine)).status_code == 409
    assert (await api.post(f"{here}/merge", {"other": "nothing"})).status_code == 404
    assert (await api.post(f"{here}/split", {"messages": []})).status_code == 422
    assert (await api.post(f"{here}/split", {"messages": messages_of(mine)})).status_code == 409
    assert (await api.post(f"{here}/split", {"messages": there})).status_code == 409
    assert (await api.post(f"{here}/undo", {"change": "nothing"})).status_code == 404
    assert (await api.get("/audit")).json()["total"] == 0
    assert len(await grouped(api.line)) == 2
