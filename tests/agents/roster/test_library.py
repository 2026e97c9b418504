"""The library decides what agents are made from and what they keep; each wording of it stays."""

import httpx
import pytest
import yaml

from data.strategy_format import Assembly, Extraction
from flows.agents.library import read_built_in
from tasks.agents.remembering.memorable_statements import is_wanted, kind_of
from tests.agents.conftest import Office, Talking
from tests.core.small import settle

WEAVER = """
version: "1"
kind: agent
name: Weaver
slug: weaver
description: Knows the looms.
accent_colour: "#445566"
execution: {type: platform, system_prompt: "You are Weaver."}
capability_level: learning
channels: [chat]
tools: [memory]
governance: {trust_level: standard}
metadata: {origin: custom, author: Ida Fenn, version: "1.0.0"}
"""
LOOMS = """
version: "1"
kind: extraction
name: looms
description: What is said of looms.
about: [loom, looms, Webstuhl]
kinds: {measure: [wide, long]}
"""


async def _put(somebody: Talking, path: str, content: str, **more: object) -> httpx.Response:
    body = {"content": content, "reason": "for the hall"} | more
    root = f"/v1/{somebody.line.workspace.slug}/agent-library"
    return await somebody.client.put(f"{root}{path}", json=body)


async def _configure(somebody: Talking, slug: str, **changed: object) -> httpx.Response:
    text = (await somebody.get(f"/agents/{slug}/manifest")).text
    manifest = yaml.safe_load(text) | changed
    body = {"manifest": yaml.safe_dump(manifest), "reason": "another memory"}
    return await somebody.client.put(f"/v1/{somebody.line.workspace.slug}/agents/{slug}", json=body)


async def _known(somebody: Talking) -> list[tuple[str, str]]:
    await settle(somebody.line.house)
    items = (await somebody.get("/memories")).json()["items"]
    return sorted((item["text"], item["kind"]) for item in items)


async def test_two_agents_of_one_template_have_a_memory_each(office: Office) -> None:
    """What one has of its own is not the other's; a change of the template is shown to both."""
    ida = await office.sign_in("Ida")
    facts = {"knowledge": {"seed_facts": [{"subject": "Looms", "value": "there are nine"}]}}
    text = yaml.safe_dump(yaml.safe_load(WEAVER) | facts)
    assert (await _put(ida, "/agent/weaver", text)).json()["version"] == 1
    for slug, name in (("north", "Weaver North"), ("south", "Weaver South")):
        body = {"template": "weaver", "slug": slug, "name": name}
        made = (await ida.post("/agents/install", body)).json()
        assert (made["name"], made["template"], made["version"]) == (name, "weaver", 1)
    items = (await ida.get("/memories")).json()["items"]
    assert sorted(item["layer"] for item in items) == ["agent:north", "agent:south"]
    manifest = yaml.safe_load((await ida.get("/agents/north/manifest")).text)
    assert manifest["metadata"]["parent_template"] == "weaver"
    assert (await ida.get("/agents/north/template")).json()["text"] == ""
    await _put(ida, "/agent/weaver", text.replace("the looms", "all looms"))
    assert (
        "+description: Knows all looms." in (await ida.get("/agents/south/template")).json()["text"]
    )
    (offered,) = [
        one
        for one in (await ida.get("/agent-templates")).json()["items"]
        if one["slug"] == "weaver"
    ]
    assert (offered["built_in"], offered["changed"]) == (False, True)
    assert offered["agents"] == ["north", "south"]
    again = await ida.post("/agents/install", {"template": "weaver", "slug": "north"})
    assert again.status_code == httpx.codes.CONFLICT


async def test_an_agent_keeps_what_its_extraction_wants(office: Office) -> None:
    """Nothing else, of the kind that the words make it; a pinned wording stays what it was."""
    ida = await office.sign_in("Ida")
    await ida.post("/agents/import", {"manifest": WEAVER, "reason": "new"})
    unknown = await _configure(ida, "weaver", memory={"extraction": "looms"})
    assert "it has decisions, standard" in unknown.text
    await _put(ida, "/extraction/looms", LOOMS)
    assert (await _configure(ida, "weaver", memory={"extraction": "looms@1"})).is_success
    chat = await ida.begin("weaver")
    await ida.ask(chat, "My loom is two yards wide.")
    await ida.ask(chat, "My desk is on the third floor.")
    assert await _known(ida) == [("My loom is two yards wide.", "measure")]
    await _put(ida, "/extraction/looms", LOOMS.replace("about: [loom,", "about: [desk, loom,"))
    await ida.ask(chat, "My desk has two drawers.")
    assert len(await _known(ida)) == 1
    await _configure(ida, "weaver", memory={"extraction": "looms"})
    await ida.ask(chat, "My desk is made of oak.")
    assert ("My desk is made of oak.", "fact") in await _known(ida)


async def test_what_an_agent_names_is_not_taken_out(office: Office) -> None:
    """What nobody names is; its wordings stay, and its name can be written again."""
    ida = await office.sign_in("Ida")
    await _put(ida, "/extraction/looms", LOOMS)
    await ida.post("/agents/import", {"manifest": WEAVER, "reason": "new"})
    await _configure(ida, "weaver", memory={"extraction": "looms"})
    path = f"/v1/{ida.line.workspace.slug}/agent-library/extraction/looms"
    refused = await ida.client.delete(path)
    assert (refused.status_code, "weaver" in refused.text) == (httpx.codes.CONFLICT, True)
    await _configure(ida, "weaver", memory={})
    assert (await ida.client.delete(path)).json()["version"] == 2
    assert (await ida.get("/agent-library/extraction/looms")).status_code == 404
    assert (await ida.get("/agent-library/extraction/looms?version=1")).json()["content"] == LOOMS
    names = [entry["name"] for entry in (await ida.get("/agent-library")).json()["items"]]
    assert "looms" not in names
    assert (await _put(ida, "/extraction/looms", LOOMS)).json()["version"] == 3
    actions = {row["action"] for row in await ida.line.rows("SELECT action FROM audit_events")}
    assert {"write library entry", "take out library entry"} <= actions


async def test_a_turn_stands_whose_message_could_not_be_read_for_what_to_remember(
    office: Office,
) -> None:
    """It is answered, marked below the answer, and counted on the overview for a week."""
    ida = await office.sign_in("Ida")
    await _put(ida, "/extraction/looms", LOOMS)
    await ida.post("/agents/import", {"manifest": WEAVER, "reason": "new"})
    await _configure(ida, "weaver", memory={"extraction": "looms"})
    await ida.line.workspace.db.write(lambda cursor: cursor.execute("DELETE FROM library_entries"))
    chat = await ida.begin("weaver")
    answer = await ida.ask(chat, "My loom is two yards wide.")
    assert await _known(ida) == []
    work = (await ida.get(f"/chats/{chat}")).json()["work"][answer["turn_id"]]
    assert (work["remembering"], "looms" in work["remembered"]) == ("failed", True)
    turn = (await ida.get(f"/turns/{answer['turn_id']}")).json()["turn"]
    assert turn["state"] == "completed"
    for days, count in ((0, 1), (8, 0)):
        ida.line.clock.forward(days * 24 * 3600)
        assert (await ida.get("/overview")).json()["turns_unread"] == count


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/extraction/standard", LOOMS.replace("looms", "standard"), 409),
        ("/extraction/wool", LOOMS, 422),
        ("/assembly/looms", LOOMS, 422),
        ("/extraction/looms", LOOMS + "colour: red\n", 422),
        ("/agent/weaver", WEAVER.replace("name: Weaver\n", ""), 422),
        ("/extraction/Looms!", LOOMS, 422),
    ],
)
async def test_what_is_no_entry_is_refused(
    office: Office, path: str, content: str, status: int
) -> None:
    """Postern's own stay as they are, and each entry says what it is called."""
    ida = await office.sign_in("Ida")
    assert (await _put(ida, path, content)).status_code == status


async def test_who_manages_no_users_writes_no_entry(office: Office) -> None:
    """Looking is free; and who changes what somebody else has changed is told so."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "reviewer")
    assert (await _put(vera, "/extraction/looms", LOOMS)).status_code == httpx.codes.FORBIDDEN
    await _put(ida, "/extraction/looms", LOOMS)
    assert (await _put(ida, "/extraction/looms", LOOMS)).json()["version"] == 1
    stale = await _put(ida, "/extraction/looms", LOOMS + "review: true\n", version=7)
    assert stale.status_code == httpx.codes.CONFLICT
    listed = (await vera.get("/agent-library/extraction/looms/versions")).json()["items"]
    assert [(item["version"], item["author"]) for item in listed] == [(1, "Ida")]


def test_what_comes_with_postern_takes_no_more_than_it_gives() -> None:
    """Each built-in entry bears the name of its file; an assembly beyond the caps does not load."""
    names = {name for _, name in read_built_in()}
    assert {"standard", "index", "grounded", "decisions", "desk"} <= names
    whole = {"version": "1", "kind": "assembly", "name": "x", "description": "x"}
    for wide in ({"messages": 21}, {"memory": {"user": 21}}, {"memory": {"tokens": 4_001}}):
        with pytest.raises(ValueError, match="less than or equal"):
            Assembly.model_validate(whole | wide)


def test_words_are_whole_words_in_any_form_of_writing() -> None:
    """*Loom* is not in *bloom*; several words are words in a row."""
    wanted = Extraction.model_validate(yaml.safe_load(LOOMS) | {"kinds": {"rule": ["from now on"]}})
    assert is_wanted(wanted, "Der WEBSTUHL ist neu.")
    assert not is_wanted(wanted, "The bloom is blue.")
    assert kind_of(wanted, "From now on, looms are oiled on Mondays.") == "rule"
    assert kind_of(wanted, "Looms are oiled now and from then on.") == ""


async def test_an_agent_draws_from_the_libraries_that_it_is_given(office: Office) -> None:
    """What counts most answers first, what is in none of them is not told, read or listed."""
    ida = await office.sign_in("Ida")
    wool = {"title": "Price of wool", "body": "A skein of wool costs 9 euros.", "tags": ["Wool"]}
    trade = {"title": "Price of wool for weavers", "tags": ["Trade prices"],
             "body": "For weavers a skein of wool costs 7 euros."}  # fmt: skip
    for entry in (wool, trade):
        assert (await ida.post("/knowledge", {"entry": entry})).is_success
    chat = await ida.begin("librarian")
    assert "35 euros" in (await ida.ask(chat, "What does an inspection of a loom cost?"))["text"]

    async def assign(*libraries: tuple[str, int]) -> httpx.Response:
        assigned = [{"library_ref": name, "priority": rank} for name, rank in libraries]
        return await _configure(ida, "librarian", knowledge={"library_assignments": assigned})

    assert "it has trade-prices, wool" in (await assign(("cotton", 1))).text
    assert (await assign(("wool", 2), ("trade-prices", 1))).is_success
    assert "7 euros" in (await ida.ask(chat, "What does a skein of wool cost?"))["text"]
    assert (await assign(("wool", 1), ("trade-prices", 2))).is_success
    assert "9 euros" in (await ida.ask(chat, "What does a skein of wool cost?"))["text"]
    other = (await ida.ask(chat, "What does an inspection of a loom cost?"))["text"]
    assert "35 euros" not in other
    assert (await ida.get("/agents/librarian/work")).json()["unheeded"] == []


async def test_a_template_that_names_what_is_not_there_makes_no_agent(office: Office) -> None:
    """An agent without its assembly could answer nothing."""
    ida = await office.sign_in("Ida")
    await _put(ida, "/agent/weaver", WEAVER + "memory: {assembly: nowhere}\n")
    refused = await ida.post("/agents/install", {"template": "weaver"})
    assert (refused.status_code, "nowhere" in refused.text) == (422, True)
