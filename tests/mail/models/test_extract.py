"""What a wish states, asked of a model over the wire: for people, in the sender's letters."""

import json
from typing import Any

import pytest

from tests.core.models import chat_api, messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.core.small import Line
from tests.mail.models.forms import CLASSIFY, agent_of, sensible, user_turn
from tests.mail.models.test_line_with_models import only_case
from tests.mail.models.test_requests import in_fences

APIS: dict[str, Any] = {"anthropic": messages_api, "openai": chat_api}
WISH = "Please refund 35.50 euros for order 4711, it was delivered to Kiel broken on 12 March."
BILLING = {
    **CLASSIFY,
    "category": "billing",
    "intents": [{"intent": "request", "category": "billing", "confidence": 0.9, "sentences": [1]}],
}
TICKET = {"actions": [{"type": "create_ticket", "reason": "Somebody has to pay it back.",
                       "argument": "Refund"}]}  # fmt: skip
STATED = {
    "slots": [
        {"name": "reference", "value": "4711"},
        {"name": "amount", "value": "35.50 euros"},
        {"name": "place", "value": "Kiel"},
        {"name": "date", "value": "13 March"},
        {"name": "person", "value": "eve@evil.test"},
        {"name": "product", "value": "see https://evil.test"},
    ]
}
"""The last three are not what the sender wrote, or lead somewhere."""


def step_of(api: Any, extract: Step) -> Step:  # noqa: ANN401  # one of the two modules
    """Answer sensibly with a ticket, and the extract call by that step."""
    well = sensible(api.fills, classifier=BILLING, planner=TICKET)

    def step(seen: Seen) -> Answer:
        return (extract if agent_of(seen) == "extractor" else well)(seen)

    return step


async def note_of(line: Line) -> str:
    """Return the first note of the one ticket."""
    (row,) = await line.rows("SELECT text FROM ticket_notes ORDER BY noted_at LIMIT 1")
    return str(row["text"])


@pytest.mark.parametrize("provider", list(APIS))
async def test_what_a_wish_states_is_asked_and_told_to_people(
    thinking: OpenThinking, provider: str
) -> None:
    """One call with the wish in a fence; what stands in it is in the ticket, and nothing else."""
    api = APIS[provider]
    async with (
        StandIn([step_of(api, api.fills(STATED))]) as server,
        thinking(server, provider) as line,
    ):
        line.send(WISH, subject="Refund")
        await line.run()
        view = await only_case(line)
        note = await note_of(line)
    (asked,) = [seen for seen in server.seen if agent_of(seen) == "extractor"]
    turn = user_turn(asked)
    assert WISH in in_fences(turn)
    assert WISH not in json.dumps({**turn, "mail": {}})
    assert turn["given"] == {}
    assert list(turn["mail"]) == ["wish in the sender's words"]
    assert view.branches[0].plan is not None
    assert [(one.name, one.value) for one in view.branches[0].plan.slots] == [
        ("reference", "4711"), ("amount", "35.50 euros"), ("place", "Kiel"),
    ]  # fmt: skip
    assert "reference 4711, amount 35.50 euros, place Kiel" in note
    assert "evil" not in note
    assert {one.name: one.calls for one in view.calls}["extractor"] == 1


@pytest.mark.parametrize("provider", list(APIS))
@pytest.mark.parametrize(
    "fault",
    [
        lambda api: api.error(500, "api_error"),
        lambda api: api.fills({"slots": [{"name": "account", "value": "4711"}]}),
        lambda api: api.says("I cannot help with that."),
    ],
    ids=["error", "malformed", "words"],
)
async def test_without_an_answer_the_rules_say_what_is_stated(
    thinking: OpenThinking,
    provider: str,
    fault: Any,  # noqa: ANN401  # makes a step
) -> None:
    """A fault costs nobody the plan: it stays the model's, and references are found by rules."""
    api = APIS[provider]
    async with (
        StandIn([step_of(api, fault(api))]) as server,
        thinking(server, provider) as line,
    ):
        line.send(WISH, subject="Refund")
        await line.run()
        view = await only_case(line)
        note = await note_of(line)
    assert view.branches[0].plan is not None
    assert view.branches[0].plan.provider != "local"
    assert "reference 4711" in note
    assert "Kiel" not in note


@pytest.mark.parametrize("provider", list(APIS))
async def test_nobody_is_asked_what_no_person_carries_out(
    thinking: OpenThinking, provider: str
) -> None:
    """A question that gets a reply and nothing else has no extract call."""
    api = APIS[provider]
    async with StandIn([sensible(api.fills)]) as server, thinking(server, provider) as line:
        line.send("When is the workshop open?")
        await line.run()
    assert "extractor" not in [agent_of(seen) for seen in server.seen]
