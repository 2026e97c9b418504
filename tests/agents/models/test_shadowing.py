"""What would be answered without a model is kept, and a person switches a question over."""

from typing import Any

import httpx

from tests.agents.conftest import Office
from tests.agents.models.test_agent_turns import agent_turn, talking, turns_of
from tests.core.models import messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import StandIn
from tests.core.small import api_over, settle


async def _intent(person: Any, name: str) -> dict[str, Any]:  # noqa: ANN401
    listed = (await person.get("/chat-intents")).json()["items"]
    return next(item for item in listed if item["intent"] == name)


async def test_a_question_is_switched_over_once_a_person_has_seen(thinking: OpenThinking) -> None:
    """Until then the model answers, and what would have been said stands beside it."""
    api = messages_api
    step = agent_turn(api, [api.fills({"text": "Nothing much."})])
    async with StandIn([step]) as server, thinking(server) as line:
        ida = await talking(line)
        chat = await ida.begin("desk")
        assert (await ida.ask(chat, "What is urgent?"))["text"] == "Nothing much."
        await settle(line.house)
        urgent = await _intent(ida, "urgent")
        assert (urgent["switched_on"], urgent["seen"]) == (False, 1)
        assert (urgent["compared"], urgent["agreed"]) == (1, 0)
        (kept,) = urgent["shadows"]
        assert kept["said"] == "Nothing much."
        assert kept["would_say"] == "Nothing that waits is urgent."
        ben = await Office(line, api_over(line.house)).sign_in("Ben", "reviewer")
        assert (await _intent(ben, "urgent"))["shadows"] == []  # asked an agent alone
        path = f"/v1/{line.workspace.slug}/chat-intents/urgent"
        refused = await ben.client.put(path, json={"switched_on": True})
        assert refused.status_code == httpx.codes.FORBIDDEN
        own = await ida.client.put(path, json={"switched_on": True})
        assert own.status_code == httpx.codes.OK
        assert (await _intent(ida, "urgent"))["changed_by"] == "Ida"
        before = len(turns_of(server))
        switched = await ida.ask(chat, "What is urgent?")
        assert switched["text"] == "Nothing that waits is urgent."
        assert len(turns_of(server)) == before
        away = await ida.client.put(path.replace("urgent", "tea"), json={"switched_on": True})
        assert away.status_code == httpx.codes.NOT_FOUND


async def test_a_turn_that_waits_is_compared_once(thinking: OpenThinking) -> None:
    """What would have been said is kept with the answer, not with each try of the turn."""
    api = messages_api
    steps = [
        api.looks_up(("waiting_cases", {})),
        api.looks_up(("remember", {"text": "Looms are urgent."})),
        api.fills({"text": "Nothing much."}),
    ]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server) as line:
        line.send("When is the workshop open?", subject="Loom hours")
        await line.run()
        ida = await talking(line)
        chat = await ida.begin("desk")
        said = await ida.post(f"/chats/{chat}/messages", {"text": "What is urgent?"})
        turn = said.json()["turn_id"]
        await ida.ended(turn)
        assert (await _intent(ida, "urgent"))["seen"] == 0
        (call,) = (await ida.get("/calls")).json()["items"]
        decision = {"version": 1, "sha256": call["sha256"], "approve": False}
        await ida.post(f"/calls/{call['approval_id']}", decision)
        await ida.ended(turn)
        await settle(line.house)
        assert (await _intent(ida, "urgent"))["seen"] == 1
