"""A model in a chat about a case is told of the case first: as mail, numbered, and labelled."""

import json

import pytest

from tests.agents.conftest import Talking
from tests.agents.models.test_agent_turns import APIS, agent_turn, talking, turns_of
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import StandIn

LETTER = "When is the workshop open on Friday? I come with a purple shuttle."


async def begin_about(talking: Talking, case: str) -> str:
    """Begin a chat about a case; return its id."""
    answer = await talking.post("/chats", {"agent": "desk", "about": f"case:{case}"})
    assert answer.is_success, answer.text
    return str(answer.json()["id"])


@pytest.mark.parametrize("provider", list(APIS))
async def test_a_model_knows_what_this_means(thinking: OpenThinking, provider: str) -> None:
    """Its mail stands in fences behind what the person asked; the first source is the case."""
    api = APIS[provider]
    steps = [api.fills({"text": "They want to know the hours [1]."})]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server, provider) as line:
        line.send(LETTER, subject="Loom hours")
        await line.run()
        case = str((await line.rows("SELECT id FROM cases"))[0]["id"])
        ida = await talking(line)
        answer = await ida.ask(await begin_about(ida, case), "How would you put this to a child?")
        (labels,) = await line.rows("SELECT labels FROM turns")
        told = json.dumps(turns_of(server)[0].body["messages"])
        plain = await ida.ask(await ida.begin("desk"), "How would you put this to a child?")
        elsewhere = json.dumps(turns_of(server)[-1].body["messages"])
    assert answer["text"] == "They want to know the hours [1]."
    assert [(one["kind"], one["id"]) for one in answer["sources"]] == [("case", case)]
    assert "untrusted" in str(labels)
    assert "what this chat is about" in told
    assert "Loom hours" in told
    assert told.index("put this to a child") < told.index("purple shuttle")
    assert plain["sources"] == []
    assert "Loom hours" not in elsewhere
    assert "what this chat is about" not in elsewhere
