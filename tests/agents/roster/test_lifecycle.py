"""Agents are changed, compared, restored, assigned, exported and deleted by people."""

from typing import Any
from zoneinfo import ZoneInfo

import httpx
import yaml

from data.store.core.database import Connection
from tests.agents.conftest import Office, Talking
from tests.core.small import SLUG, TEASEL


async def _manifest(somebody: Talking, slug: str) -> dict[str, Any]:
    return dict(yaml.safe_load((await somebody.get(f"/agents/{slug}/manifest")).text))


async def _set(somebody: Talking, manifest: dict[str, Any], **given: object) -> httpx.Response:
    text = yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True)
    body = {"manifest": text, "reason": "it knew too much"} | given
    return await somebody.put(f"/agents/{manifest['slug']}", body)


async def test_a_change_of_tools_is_a_version_with_author_reason_and_difference(
    office: Office,
) -> None:
    """It works by the new tools, and a turn of it by the new version."""
    ida = await office.sign_in("Ida")
    manifest = await _manifest(ida, "assistant")
    changed = await _set(ida, manifest | {"tools": ["knowledge"]})
    assert changed.json()["version"] == 2
    newest, first = (await ida.get("/agents/assistant/versions")).json()["items"]
    assert (newest["author"], newest["note"]) == ("Ida", "it knew too much")
    assert first["author"] == "Postern"
    difference = (await ida.get("/agents/assistant/diff")).json()["text"]
    assert "-- queue" in difference
    answer = await ida.ask(await ida.begin("assistant"), "What is urgent?")
    assert "no tool" in answer["text"]
    turn = (await ida.get(f"/turns/{answer['turn_id']}")).json()["turn"]
    assert turn["agent_version"] == 2


async def test_a_turn_is_replayed_with_another_version_and_changes_nothing(office: Office) -> None:
    """What it does otherwise is told move by move; what would change something is not done."""
    ida = await office.sign_in("Ida")
    manifest = await _manifest(ida, "assistant")
    chat = await ida.begin("assistant")
    asked = await ida.ask(chat, "What is urgent?")
    noted = await ida.ask(chat, "new task: oil the loom")
    await _set(ida, manifest | {"tools": ["knowledge", "tasks"]})

    async def replay(turn: str, version: int) -> dict[str, Any]:
        answer = await ida.post(f"/turns/{turn}/replay", {"version": version})
        assert answer.status_code == httpx.codes.OK, answer.text
        return dict(answer.json())

    before = await office.line.rows("SELECT count(*) AS n FROM chat_messages")
    again = await replay(asked["turn_id"], 1)
    assert (again["answer"], again["answer_before"]) == (asked["text"], asked["text"])
    assert not [change for change in again["changes"] if change[0] != " "]
    otherwise = await replay(asked["turn_id"], 2)
    assert "no tool" in otherwise["answer"]
    assert [change[:5] for change in otherwise["changes"] if change[0] != " "] == ["- act"]
    task = await replay(noted["turn_id"], 1)
    (call,) = [move for move in task["moves"] if move["kind"] == "act"]
    assert (call["name"], call["state"]) == ("add_task", "failed")
    assert "a replay does not" in call["result"]["sentence"]
    assert await office.line.rows("SELECT count(*) AS n FROM tasks") == [{"n": 1}]
    assert await office.line.rows("SELECT count(*) AS n FROM chat_messages") == before
    assert len(await office.line.rows("SELECT id FROM turns")) == 2

    path = f"/turns/{asked['turn_id']}/replay"
    assert (await ida.post(path, {"version": 9})).status_code == httpx.codes.NOT_FOUND
    vik = await office.sign_in("Vik", "reviewer")
    assert (await vik.post(path, {"version": 1})).status_code == httpx.codes.FORBIDDEN
    lena = await office.sign_in("Lena")
    assert (await lena.post(path, {"version": 1})).status_code == httpx.codes.NOT_FOUND


async def test_the_same_configuration_again_is_no_version(office: Office) -> None:
    """Nothing has changed, so nothing is written."""
    ida = await office.sign_in("Ida")
    assert (await _set(ida, await _manifest(ida, "desk"))).json()["version"] == 1


async def test_restoring_writes_one_more_version_each_time(office: Office) -> None:
    """Nothing is overwritten, and the configuration is the earlier one to the letter."""
    ida = await office.sign_in("Ida")
    before = (await ida.get("/agents/desk/manifest")).text
    await _set(ida, await _manifest(ida, "desk") | {"name": "Front desk"})
    for version, kept in ((1, 3), (2, 4)):
        body = {"version": version, "reason": "as it was", "expected": kept - 1}
        assert (await ida.post("/agents/desk/restore", body)).json()["version"] == kept
        refused = await ida.post("/agents/desk/restore", body)
        assert refused.status_code == httpx.codes.CONFLICT
        assert f"Front desk has version {kept}" in refused.text or version == 1
    assert (await ida.get("/agents/desk/manifest?version=3")).text == before
    assert (await ida.get("/agents/desk")).json()["name"] == "Front desk"
    assert len((await ida.get("/agents/desk/versions")).json()["items"]) == 4


async def test_what_names_a_tool_that_is_gone_is_not_restored(office: Office) -> None:
    """A version of before an update, or of a service that is no longer there, would do nothing."""
    ida = await office.sign_in("Ida")
    await _set(ida, await _manifest(ida, "desk") | {"name": "Front desk"})

    def drop(cursor: Connection) -> None:
        cursor.execute(
            "UPDATE agent_versions SET manifest = replace(manifest, '- queue', '- fax') "
            "WHERE agent = 'desk' AND version = 1"
        )

    await office.line.workspace.db.write(drop)
    refused = await ida.post("/agents/desk/restore", {"version": 1, "reason": "as it was"})
    assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    assert "there is no tool or group 'fax'" in refused.text
    assert (await ida.get("/agents/desk")).json()["name"] == "Front desk"


async def test_own_changes_are_kept_when_the_catalogue_is_installed_again(office: Office) -> None:
    """What the template has otherwise is offered, and not applied."""
    from flows.agents.lifecycle import install_catalogue

    ida = await office.sign_in("Ida")
    await _set(ida, await _manifest(ida, "desk") | {"name": "Front desk"})
    missing = (await ida.get("/agents/rolodex")).json()

    def drop(cursor: Connection) -> None:
        for table, key in (("agents", "slug"), ("agent_versions", "agent")):
            cursor.execute(f"DELETE FROM {table} WHERE {key} = 'rolodex'")  # noqa: S608

    await office.line.workspace.db.write(drop)
    await install_catalogue(office.line.house, office.line.workspace)
    back = (await ida.get("/agents/rolodex")).json()
    anew = {"installed_at": "", "assigned_version": 0}  # who may ask it has stayed the same
    assert back | anew == missing | anew
    assert (await ida.get("/agents/desk")).json()["name"] == "Front desk"
    offered = (await ida.get("/agents/desk/template")).json()
    assert "-name: Front desk" in offered["text"]
    assert "+name: Desk" in offered["text"]


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"tools": ["no_such_tool"]}, "no_such_tool"),
    ({"trust_levle": "admin"}, "trust_levle"),
    ({"execution": {"type": "platform", "system_prompt_ref": "../../x.md"}}, "system_prompt"),
    ({"execution": {"type": "platform", "system_prompt": " "}}, "system_prompt"),
    ({"name": " \t "}, "name"),
    ({"name": "Desk\nIda"}, "name"),
    ({"name": "D" * 101}, "name"),
    ({"name": "ROLODEX"}, "called 'Rolodex'"),
    ({"governance": {"requires_approval_for": ["note_task"]}}, "'note_task'"),
    (
        {"knowledge": {"seed_facts": [{"subject": "The wifi password", "value": "heron-4711-x"}]}},
        "secret",
    ),
    ({"knowledge": {"seed_facts": [{"subject": "Hours", "value": "long " * 5_000}]}}, "4096"),
)


async def test_what_is_no_manifest_changes_nothing(office: Office) -> None:
    """And the refusal names what is wrong: nothing that is said in it is passed over."""
    ida = await office.sign_in("Ida")
    manifest = await _manifest(ida, "desk")
    for change, sentence in WRONG:
        for text in (manifest | change, {**manifest, "slug": "ours", "name": "Ours", **change}):
            made = text["slug"] != "desk"
            body = {"manifest": yaml.safe_dump(text), "reason": "for us"}
            refused = await (ida.post("/agents/import", body) if made else _set(ida, text))
            assert refused.status_code in (
                httpx.codes.UNPROCESSABLE_ENTITY,
                httpx.codes.CONFLICT,
            ), change
            assert sentence in refused.json()["error"]["message"]
    assert "reason" in (await _set(ida, manifest, reason="  ")).json()["error"]["message"]
    assert (await ida.get("/agents/desk")).json()["version"] == 1
    for names in (["tasks"], ["add_task"], ["inside", "outside"]):
        governed = manifest | {"governance": {"requires_approval_for": names}}
        assert (await _set(ida, governed)).is_success, names


async def test_two_people_do_not_overwrite_each_other(office: Office) -> None:
    """Who changes what has been changed is told so."""
    ida = await office.sign_in("Ida")
    manifest = await _manifest(ida, "desk")
    await _set(ida, manifest | {"name": "Front desk"}, version=1)
    refused = await _set(ida, manifest | {"name": "Back desk"}, version=1)
    assert refused.status_code == httpx.codes.CONFLICT


async def test_only_who_manages_changes_agents(office: Office) -> None:
    """Each way to change one is closed to who may look."""
    vera = await office.sign_in("Vera", "viewer")
    slug = vera.line.workspace.slug
    answers = [
        await _set(vera, await _manifest(vera, "desk") | {"name": "Mine"}),
        await vera.post("/agents/desk/restore", {"version": 1, "reason": "x"}),
        await vera.put("/agents/desk/assignments", {"items": []}),
        await vera.post("/agents/import", {"manifest": "x", "reason": "x"}),
        await vera.post("/agents/install", {"template": "desk"}),
        await vera.client.delete(f"/v1/{slug}/agents/desk"),
    ]
    assert {answer.status_code for answer in answers} == {httpx.codes.FORBIDDEN}


async def test_a_deleted_agent_is_gone_and_its_chats_stay(office: Office) -> None:
    """It is neither listed nor asked, the catalogue leaves it out, and a person installs it."""
    from flows.agents.lifecycle import install_catalogue

    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    await ida.ask(chat, "Hello")
    slug = ida.line.workspace.slug
    assert (await ida.client.delete(f"/v1/{slug}/agents/desk")).json() == {"kept": 0}
    await install_catalogue(office.line.house, office.line.workspace)
    assert (await ida.get("/agents/desk")).status_code == httpx.codes.NOT_FOUND
    assert (await ida.post("/chats", {"agent": "desk"})).status_code == httpx.codes.NOT_FOUND
    refused = await ida.post(f"/chats/{chat}/messages", {"text": "Hello"})
    assert refused.status_code == httpx.codes.CONFLICT
    assert len((await ida.get(f"/chats/{chat}")).json()["messages"]) == 2
    taken = await ida.post("/agents/install", {"template": "desk", "name": "rolodex"})
    assert "called 'Rolodex'" in taken.text
    vera = await office.sign_in("Vera", "viewer")
    for page in ("versions", "manifest", "diff?before=1&after=1"):
        read = [(await one.get(f"/agents/desk/{page}")).status_code for one in (ida, vera)]
        assert read == [httpx.codes.OK, httpx.codes.NOT_FOUND], page
    again = await ida.post("/agents/install", {"template": "desk"})
    assert (again.json()["state"], again.json()["version"]) == ("active", 2)

    # Another agent by that slug: it was let into no chat, and has none of the work.
    refused = await ida.post(f"/chats/{chat}/messages", {"text": "Hello"})
    assert "is in this chat no more" in refused.text
    assert (await ida.get("/agents/desk/work")).json()["turns"] == 0
    assert sum(day["turns"] for day in (await ida.get("/agents/desk/days")).json()["items"]) == 0
    for person, versions in ((ida, [2, 1]), (vera, [2])):
        listed = (await person.get("/agents/desk/versions")).json()["items"]
        assert [item["version"] for item in listed] == versions
    assert (await vera.get("/agents/desk/manifest?version=1")).status_code == httpx.codes.NOT_FOUND
    await ida.put(f"/chats/{chat}/members", {"kind": "agent", "member_id": "desk"})
    assert (await ida.ask(chat, "Hello"))["author"] == "agent"


async def test_an_agent_goes_from_one_organization_to_another_as_a_text(office: Office) -> None:
    """Under another slug it is another agent, with the prompt to the letter, and nobody's yet."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    manifest = await _manifest(ida, "librarian") | {"slug": "archivist", "name": "Archivist"}
    text = yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True)
    made = await ida.post("/agents/import", {"manifest": text, "reason": "for the archive"})
    assert made.json()["slug"] == "archivist"
    assert (await vera.get("/agents/archivist")).status_code == httpx.codes.NOT_FOUND
    prompts = [(await ida.get(f"/agents/{slug}/work")).json()["prompt"]
               for slug in ("librarian", "archivist")]  # fmt: skip
    assert prompts[0] == prompts[1]
    assert "Librarian" in prompts[0]


async def test_two_organizations_have_an_agent_each_by_the_same_slug(office: Office) -> None:
    """What is changed of one is not changed of the other, nor seen from there."""
    from flows.agents.lifecycle import install_catalogue

    house = office.line.house
    other = TEASEL.model_copy(update={"slug": "heddle", "name": "Heddle", "addresses": ()})
    await house.add_organization(other)
    await install_catalogue(house, await house.get_workspace("heddle"))
    boss, vera = await office.sign_in("Boss"), await office.sign_in("Vera", "viewer")
    await _set(boss, await _manifest(boss, "desk") | {"name": "Front desk"})
    await boss.client.post("/v1/heddle/agents/desk/pause")
    shown = [(await boss.client.get(f"/v1/{slug}/agents/desk")).json() for slug in (SLUG, "heddle")]
    assert [(agent["name"], agent["state"], agent["version"]) for agent in shown] == [
        ("Front desk", "active", 2),
        ("Desk", "paused", 1),
    ]
    refused = await vera.client.get("/v1/heddle/agents/desk")
    assert refused.status_code in (httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND)


async def test_an_agent_that_is_tested_is_its_owners_until_it_is_active(office: Office) -> None:
    """Others to whom it is assigned do not see it, and it comes into no chat of several."""
    ida, tom = [await office.sign_in(name) for name in ("Ida", "Tom")]
    vera = await office.sign_in("Vera", "viewer")
    manifest = await _manifest(ida, "desk") | {"slug": "porter", "name": "Porter"}
    text = yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True)
    body = {"manifest": text, "reason": "to be tried", "testing": True}
    assert (await ida.post("/agents/import", body)).json()["state"] == "testing"
    everybody = {"items": [{"kind": "organization", "subject": ""}]}
    assert (await ida.put("/agents/porter/assignments", everybody)).status_code == httpx.codes.OK
    for act, sentence in (("pause", "Porter is testing"), ("resume", "Porter is tested")):
        refused = await ida.post(f"/agents/porter/{act}")
        assert (refused.status_code, sentence in refused.text) == (httpx.codes.CONFLICT, True)
    chat = await ida.begin("porter")
    assert "Nothing" in (await ida.ask(chat, "What is urgent?"))["text"]
    assert (await vera.get("/agents/porter")).status_code == httpx.codes.NOT_FOUND
    assert (await vera.post("/chats", {"agent": "porter"})).status_code == httpx.codes.NOT_FOUND
    for person, sees in ((ida, True), (tom, False), (vera, False)):
        listed = {one["slug"] for one in (await person.get("/agents")).json()["items"]}
        assert ("porter" in listed) is sees
    assert (await tom.get("/agents/porter")).status_code == httpx.codes.OK
    shared = await ida.post("/chats", {"agent": "desk", "kind": "organization"})
    members = f"/chats/{shared.json()['id']}/members"
    for refused in (
        await ida.post("/chats", {"agent": "porter", "kind": "organization"}),
        await ida.put(members, {"kind": "agent", "member_id": "porter"}),
    ):
        assert refused.status_code == httpx.codes.CONFLICT
    assert (await vera.post("/agents/porter/activate")).status_code == httpx.codes.FORBIDDEN
    assert (await ida.post("/agents/porter/activate")).json()["state"] == "active"
    assert "Nothing" in (await vera.ask(await vera.begin("porter"), "What is urgent?"))["text"]
    (row,) = await office.line.rows(
        "SELECT actor FROM audit_events WHERE action = 'activate agent'"
    )
    assert row["actor"] == "Ida"


async def test_days_have_what_was_done_on_them(office: Office) -> None:
    """A turn counts on its day in the organization's zone, and a later day begins empty."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    await ida.ask(chat, "What is urgent?")
    office.line.clock.forward(24 * 3600)
    for _ in range(2):
        await ida.ask(chat, "What waits?")
    found = (await ida.get("/agents/desk/days?days=3")).json()
    assert [one["turns"] for one in found["items"]] == [0, 1, 2]
    zone = ZoneInfo(found["zone"])
    today = office.line.clock().astimezone(zone).date()
    assert [one["day"] for one in found["items"]][-1] == today.isoformat()


async def test_what_an_agent_did_is_shown(office: Office) -> None:
    """Turns and calls by tool."""
    ida = await office.sign_in("Ida")
    await ida.ask(await ida.begin("desk"), "What is urgent?")
    work = (await ida.get("/agents/desk/work")).json()
    assert (work["turns"], work["failed"], work["trust_level"]) == (1, 0, "standard")
    assert {tool["name"]: tool["calls"] for tool in work["tools"]}["waiting_cases"] == 1


SEEDED = """
version: "1"
kind: agent
name: Weaver
slug: weaver
description: Knows the loom in the hall.
accent_colour: "#445566"
execution: {type: platform, system_prompt: "You are Weaver."}
capability_level: workflow
channels: [chat, email]
avatar_url: "https://loom.example/weaver.png"
tools: [memory]
delegates: [{agent_ref: desk, purpose: "to see what waits"}]
knowledge:
  seed_facts:
    - {subject: "The loom in the hall", value: "it was built in 1911"}
governance: {trust_level: standard}
metadata: {origin: custom, author: Ida Fenn, version: "1.0.0"}
"""


async def test_an_agent_begins_with_the_facts_of_its_manifest(office: Office) -> None:
    """In its own layer, once; what of a manifest has no effect is named."""
    ida = await office.sign_in("Ida")
    made = await ida.post("/agents/import", {"manifest": SEEDED, "reason": "for the hall"})
    assert made.status_code == httpx.codes.OK, made.text
    chat = await ida.begin("weaver")
    answer = await ida.ask(chat, "What do you know about the loom in the hall?")
    assert "it was built in 1911" in answer["text"]
    more = SEEDED.replace(
        "  seed_facts:", "  seed_facts:\n    - {subject: The key, value: it hangs at the door}"
    )
    await ida.put("/agents/weaver", {"manifest": more, "reason": "and the key"})
    kept = (await ida.get("/memories?layer=agent:weaver")).json()["items"]
    assert sorted((one["text"], one["count"]) for one in kept) == [
        ("The key: it hangs at the door", 1),
        ("The loom in the hall: it was built in 1911", 1),
    ]
    work = (await ida.get("/agents/weaver/work")).json()
    assert work["unheeded"] == [
        "avatar_url", "channels", "delegates",
    ]  # fmt: skip
    assert (await ida.get("/agents/desk/work")).json()["unheeded"] == []


async def test_a_delegation_set_names_agents_and_leads_in_no_circle(office: Office) -> None:
    """The way round is named; a manifest of no agent here is refused as well."""
    ida = await office.sign_in("Ida")

    async def delegate(slug: str, *others: str) -> httpx.Response:
        delegates = [{"agent_ref": other, "purpose": "to look it up"} for other in others]
        return await _set(ida, await _manifest(ida, slug) | {"delegates": delegates})

    assert "no agent 'butler'" in (await delegate("desk", "butler")).text
    assert (await delegate("desk", "librarian", "rolodex")).is_success
    assert (await delegate("librarian", "analyst")).is_success
    refused = await delegate("analyst", "desk")
    assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    assert "analyst → desk → librarian → analyst" in refused.json()["error"]["message"]
    assert "desk → desk" in (await delegate("desk", "desk")).text
    plain = await _manifest(ida, "calendar") | {"capability_level": "tools_only"}
    assert (await _set(ida, plain)).is_success
    assert "tools_only has no delegates" in (await delegate("calendar", "desk")).text
    higher = await _manifest(ida, "calendar") | {"capability_level": "workflow"}
    delegates = [{"agent_ref": "rolodex", "purpose": "to look it up"}]
    assert (await _set(ida, higher | {"delegates": delegates})).is_success
