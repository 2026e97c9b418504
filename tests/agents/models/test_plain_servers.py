"""A server that speaks a part of chat completions is asked in that part, and answers."""

import json

from connectors.models.plain_completions import in_plain_words
from tests.agents.models.test_agent_turns import ASKED, agent_turn, talking, turns_of
from tests.core.models import chat_api
from tests.core.models.asked import CLEAN, GUARD, door_to
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Answer, Seen, StandIn, Step, plain


def strict(step: Step) -> Step:
    """Answer by a step, but refuse what the smallest server of its kind refuses."""

    def answer(seen: Seen) -> Answer:
        body = seen.body
        refused = (
            body.get("tool_choice") == "required"
            or any(one.get("content") is None for one in body["messages"])
            or any(one["role"] == "tool" for one in body["messages"])
            or body.get("stream")
        )
        return plain(500, {"error": {"message": "not supported"}})(seen) if refused else step(seen)

    return answer


async def test_the_one_form_is_asked_for_by_its_name() -> None:
    """Where a call is demanded of such a server, it refuses."""
    script = strict(chat_api.fills(CLEAN))
    async with (
        StandIn([script]) as server,
        door_to(server, "openai", llm_dialect="plain") as door,
    ):
        reply = await door.ask(GUARD)
    assert reply.content == CLEAN
    named = {"type": "function", "function": {"name": "answer"}}
    assert server.bodies[0]["tool_choice"] == named


async def test_a_turn_with_tools_comes_to_its_answer(thinking: OpenThinking) -> None:
    """What a tool gave stands where the model reads it; the answer is heard, and has its source."""
    steps = [
        chat_api.looks_up(("waiting_cases", {})),
        chat_api.fills({"text": "Begin with the loom [1]."}),
    ]
    script = strict(agent_turn(chat_api, steps, pairs=False))
    async with (
        StandIn([script]) as server,
        thinking(server, "openai", llm_dialect="plain") as line,
    ):
        line.send("When is the workshop open on Friday?", subject="Loom hours")
        await line.run()
        ida = await talking(line)
        answer = await ida.ask(await ida.begin("desk"), ASKED)
        heard = (await ida.get(f"/turns/{answer['turn_id']}/events")).text
    assert answer["text"] == "Begin with the loom [1]."
    assert [one["kind"] for one in answer["sources"]] == ["case"]
    assert "Begin with the loom" in heard
    told = turns_of(server)[-1].body["messages"][-1]
    assert told["role"] == "user"
    chosen = [seen.body["tool_choice"] for seen in turns_of(server)]
    assert chosen == ["auto", {"type": "function", "function": {"name": "answer"}}]
    assert "Loom hours" in told["content"]


def test_what_a_server_knows_is_left_as_it_is() -> None:
    """Texts, tools and everything else of a request stay, in their order."""
    schema = {"type": "object", "properties": {"words": {"type": "string"}}}
    tools = [
        {"type": "function", "function": {"name": name, "parameters": schema}}
        for name in ("a", "b")
    ]
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "x"}],
        "tools": tools,
        "tool_choice": "required",
    }
    bounded = json.loads(json.dumps(body).replace('"string"', '"string", "maxLength": 2000'))
    assert in_plain_words(bounded) == body | {"tool_choice": "auto"}
