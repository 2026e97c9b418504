"""What a model is told before it thinks follows from the agent's assembly alone."""

import json
from typing import Any

import httpx
import yaml

from tests.agents.conftest import Talking
from tests.agents.models.conftest import WITHOUT_MODEL
from tests.agents.models.test_agent_turns import ASKED, agent_turn, talking, turns_of
from tests.core.models import messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Seen, StandIn

DESK = "Why would anybody put my desk on the third floor"
MINE = """
version: "1"
kind: assembly
name: mine
description: One message and nothing else.
messages: 1
profile: false
memory: {user: 0, team: 0, agent: 0, organization: 0}
"""


async def configure(somebody: Talking, slug: str, **changed: object) -> httpx.Response:
    """Change keys of an agent's manifest."""
    text = (await somebody.get(f"/agents/{slug}/manifest")).text
    manifest = yaml.safe_load(text) | changed
    body = {"manifest": yaml.safe_dump(manifest), "reason": "another context"}
    path = f"/v1/{somebody.line.workspace.slug}/agents/{slug}"
    return await somebody.client.put(path, json=body)


def read_packed(seen: Seen) -> dict[str, Any]:
    """Return what the first message of a request says, as it was packed."""
    content = seen.body["messages"][0]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    packed = json.loads(text)
    return {**packed["given"], "mail": packed["mail"]}


async def test_an_index_names_what_there_is_to_read(thinking: OpenThinking) -> None:
    """Titles with ids, not texts; the model reads one by its id, and cites it."""
    api = messages_api
    steps = [
        api.looks_up(("read_knowledge", {"id": "loom-repair"})),
        api.fills({"text": "Twelve working days, not 15 [4]."}),
    ]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server) as line:
        ida = await talking(line)
        chat = await ida.begin("librarian")
        await ida.ask(chat, "Remember that my desk is on the third floor")
        changed = await configure(ida, "librarian", memory={"assembly": "index"})
        assert changed.is_success, changed.text
        answer = await ida.ask(chat, ASKED)
        view = (await ida.get(f"/turns/{answer['turn_id']}")).json()
        work = (await ida.get(f"/chats/{chat}")).json()["work"][answer["turn_id"]]
    first, second = turns_of(server)
    request = read_packed(first)
    listed = json.dumps(request["mail"]["from list_knowledge"])
    assert "[2] Opening hours" in listed
    assert "12 working days" not in listed
    assert request["memory_has"] == {f"user:{ida.user_id}": "1 items"}
    (read,) = [json.loads(text) for text in api.looked_up(second)]
    assert "12 working days" in read["mail"]
    assert [source["id"] for source in answer["sources"]] == ["loom-repair"]
    (chosen,) = [move["result"] for move in view["moves"] if move["name"] == "by"]
    assert chosen["by"].startswith("index@0+")
    assert work["claims"] == [
        {"excerpt": "15", "standing": "none"},
        {"excerpt": "twelve working days", "standing": "supported"},
    ]


async def test_the_knowledge_is_looked_up_before_the_model_is_asked(thinking: OpenThinking) -> None:
    """By the agent's own tool, so a call of it is in the journal; its source can be cited."""
    api = messages_api
    step = agent_turn(api, [api.fills({"text": "It costs 35 euros [1]."})])
    asked = "What does an inspection of a loom cost, and is that a fair price to you?"
    async with StandIn([step]) as server, thinking(server) as line:
        ida = await talking(line)
        await configure(ida, "librarian", memory={"assembly": "grounded"})
        answer = await ida.ask(await ida.begin("librarian"), asked)
        acts = await line.rows("SELECT name, state FROM turn_moves WHERE kind = 'act'")
    request = read_packed(turns_of(server)[-1])
    assert "costs 35 euros" in json.dumps(request["mail"]["from answer_from_knowledge"])
    assert [source["id"] for source in answer["sources"]] == ["loom-repair"]
    assert {"name": "answer_from_knowledge", "state": "done"} in acts


async def test_an_assembly_of_the_organization_tells_less(thinking: OpenThinking) -> None:
    """As many messages, layers and words of itself as it says; a manifest wants fewer still."""
    step = agent_turn(messages_api, [messages_api.fills({"text": "Fine."})])
    async with StandIn([step]) as server, thinking(server) as line:
        ida = await talking(line)
        root = f"/v1/{line.workspace.slug}"
        await ida.client.put(
            f"{root}/business-profile", json={"markdown": "Founded in 1911.", "references": []}
        )
        body = {"content": MINE, "reason": "less is more"}
        assert (await ida.client.put(f"{root}/agent-library/assembly/mine", json=body)).is_success
        chat = await ida.begin("desk")
        await ida.ask(chat, "Remember that my desk is on the third floor")
        await ida.ask(chat, f"{DESK}?")
        await configure(ida, "desk", memory={"assembly": "mine"})
        await ida.ask(chat, f"{DESK}, once again?")
        await configure(ida, "desk", memory={"assembly": "mine", "recent_messages": 0})
        await ida.ask(chat, f"{DESK}, for the last time?")
    whole, less, least = map(read_packed, turns_of(server))
    assert len(whole["said_before"]) == 2
    assert {"what the organization says of itself", f"memory of user:{ida.user_id}"} <= set(
        whole["mail"]
    )
    assert len(less["said_before"]) == 1
    assert list(less["mail"]) == ["answer 1"]
    assert (least["said_before"], least["mail"]) == ([], {})


async def test_without_its_context_a_turn_fails_and_can_be_asked_again(
    thinking: OpenThinking,
) -> None:
    """No model is asked, and no answer without one takes the place: it says why, three tries on."""
    step = agent_turn(messages_api, [messages_api.fills({"text": "Fine."})])
    async with StandIn([step]) as server, thinking(server) as line:
        ida = await talking(line)
        root = f"/v1/{line.workspace.slug}"
        body = {"content": MINE, "reason": "less is more"}
        await ida.client.put(f"{root}/agent-library/assembly/mine", json=body)
        await configure(ida, "desk", memory={"assembly": "mine"})
        await line.workspace.db.write(lambda cursor: cursor.execute("DELETE FROM library_entries"))
        chat = await ida.begin("desk")
        turn = (await ida.post(f"/chats/{chat}/messages", {"text": ASKED})).json()["turn_id"]
        await ida.ended(turn)
        view = (await ida.get(f"/turns/{turn}")).json()
        assert view["turn"]["state"] == "failed"
        assert "could not be put together" in view["turn"]["note"]
        assert [move["state"] for move in view["moves"] if move["name"] == "by"] == ["failed"] * 3
        assert turns_of(server) == []
        await ida.client.put(f"{root}/agent-library/assembly/mine", json=body)
        again = (await ida.post(f"/turns/{turn}/again")).json()["id"]
        await ida.ended(again)
        shown = (await ida.get(f"/chats/{chat}")).json()["messages"]
    assert shown[-1]["text"] == "Fine."
    assert all(WITHOUT_MODEL not in one["text"] for one in shown)


async def test_a_turn_knows_of_what_still_waits_in_its_chat(thinking: OpenThinking) -> None:
    """A call that waits for a yes holds nobody up, and the next request says that it waits."""
    api = messages_api
    steps = [
        api.looks_up(("remember", {"text": "The mill is closed on Mondays."})),
        api.fills({"text": "Fine."}),
    ]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server) as line:
        ida = await talking(line)
        governance = {"trust_level": "standard", "requires_approval_for": ["remember"]}
        await configure(ida, "desk", governance=governance)
        chat = await ida.begin("desk")
        first = (await ida.post(f"/chats/{chat}/messages", {"text": ASKED})).json()["turn_id"]
        await ida.ended(first)
        assert len((await ida.get("/calls")).json()["items"]) == 1
        then = "And which one after that, would you say?"
        second = (await ida.post(f"/chats/{chat}/messages", {"text": then})).json()["turn_id"]
        await ida.ended(second)
    requests = [read_packed(seen) for seen in turns_of(server)]
    assert "still_under_way_in_this_chat" not in requests[0]
    (waiting,) = requests[1]["still_under_way_in_this_chat"]
    assert waiting == f"{ASKED} (desk, waits for a person to say yes)"


async def test_a_model_is_told_what_the_asker_has_answered(thinking: OpenThinking) -> None:
    """And what the message replies to: in words of the person plainly, of an agent in a fence."""
    step = agent_turn(messages_api, [messages_api.fills({"text": "Fine."})])
    asked = {"field": "called", "label": "What should I call you?", "type": "text",
             "required": True, "asked_of": "user"}  # fmt: skip
    async with StandIn([step]) as server, thinking(server) as line:
        ida = await talking(line)
        await configure(ida, "desk", configuration_schema=[asked])
        chat = await ida.begin("desk")
        await ida.ask(chat, ASKED)
        answer = await ida.ask(chat, "Ida of the looms")
        body = {"text": "And which one after that?", "reply_to": answer["id"]}
        turn = (await ida.post(f"/chats/{chat}/messages", body)).json()["turn_id"]
        await ida.ended(turn)
    first, second = map(read_packed, turns_of(server))
    assert first["asked"] == ASKED
    assert first["who_asks_has_told_you"] == {"What should I call you?": "Ida of the looms"}
    assert second["replies_to"] == "see 'what it replies to' under mail"
    assert "Fine." in second["mail"]["what it replies to"]
