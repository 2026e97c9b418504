"""Histories of requests: kept as JSON, gone on from by another process, and forgotten in time."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data.errors import NotFoundError, StoreError
from data.pairing import NO_RESULT, pair_calls
from data.records.core.asking import Charge, Fault, ModelFaultError, Question, Talk
from data.records.core.manifest_format import ModelTier
from data.records.core.messages import (
    CallPart,
    ModelMessages,
    ModelRequest,
    ModelResponse,
    ResultPart,
    SystemPart,
    TextPart,
    ThinkingPart,
    UserPart,
    messages_from,
    messages_text,
)
from data.settings import load_settings
from data.store.core import histories
from data.store.core.database import Database
from data.store.core.statements import rows
from flows.core.thinker import Thinker
from flows.core.workspace import Workspace
from flows.mail.thinking.line_agents import PLANNER
from flows.mail.thinking.lookups import offers
from flows.mail.thinking.planning_tools import TOOLS
from tasks.mail.forms import PlanForm
from tests.core.models import chat_api, messages_api
from tests.core.models.asked import CLEAN, DRAFT, GUARD, door_to
from tests.core.models.money import NOON, Clock, thinker
from tests.core.models.pairs import unpaired
from tests.core.models.wire import Answer, Seen, StandIn
from tests.mail.models.forms import PLAN

ASK = Question(
    agent="planner",
    system="Plan.",
    user='{"wish": "Which loom fits?"}',
    form=PlanForm,
    tier=ModelTier.CAPABLE,
    max_tokens=300,
    tools=offers(tuple(TOOLS), PLANNER),
)
WHOLE = ModelMessages(
    messages=(
        ModelRequest(parts=(SystemPart(text="Plan."), UserPart(text="Which? \u0000 \u4f60"))),
        ModelResponse(
            model="wren",
            parts=(
                ThinkingPart(text="Look first.", signature="c2ln", provider="anthropic"),
                TextPart(text="I look it up."),
                CallPart(id="call-1", tool="search_knowledge", arguments={"words": "loom"}),
            ),
        ),
        ModelRequest(parts=(ResultPart(call_id="call-1", tool="search_knowledge", text="{}"),)),
        ModelResponse(parts=(CallPart(id="call-2", tool="answer", arguments={"actions": []}),)),
    )
)
APIS: dict[str, Any] = {"anthropic": messages_api, "openai": chat_api}


def test_a_history_is_json_that_reads_back_as_it_was() -> None:
    """Every kind of part, with odd letters in it; the form says its version."""
    text = messages_text(WHOLE)
    assert messages_from(text) == WHOLE
    told = json.loads(text)
    assert told["version"] == 1
    assert [part["kind"] for message in told["messages"] for part in message["parts"]] == [
        "system", "user", "thinking", "text", "tool_call", "tool_result", "tool_call",
    ]  # fmt: skip


def test_what_cannot_be_encoded_is_kept_as_question_marks() -> None:
    """A model can write half of a letter, in what it says and in what it looks up."""
    odd = ModelResponse(
        parts=(
            TextPart(text="a\ud83d"),
            CallPart(id="1", tool="search_thread", arguments={"words": ["\ud800"]}),
        )
    )
    (kept,) = messages_from(messages_text(ModelMessages(messages=(odd,)))).messages
    assert [str(part) for part in kept.parts] == [
        "kind='text' text='a?'",
        "kind='tool_call' id='1' tool='search_thread' arguments={'words': ['?']}",
    ]


@pytest.mark.parametrize(
    "text", ["", "{}x", '{"version": 2, "messages": []}', '{"messages": [{"role": "system"}]}']
)
def test_what_is_no_history_is_refused(text: str) -> None:
    """One of a newer Postern is not read as if it were understood."""
    with pytest.raises(StoreError, match="newer Postern"):
        messages_from(text)


async def test_an_answered_call_is_kept_with_its_cost(workspace: Workspace) -> None:
    """What was asked, and the form that came; the prompt once for both calls that had it."""
    asking = thinker(lambda _: CLEAN)
    replies = [
        await asking.ask(workspace, GUARD, Charge(item=f"i{number}", turn="turn-1"))
        for number in range(2)
    ]
    kept = await workspace.db.read(histories.read_history, replies[1].call_id)
    assert kept == GUARD.messages.followed_by(replies[1].answer)
    assert replies[0].call_id != replies[1].call_id
    assert await workspace.db.read(rows, "SELECT text FROM model_prompts") == [{"text": "Judge."}]
    (one,) = await workspace.db.read(histories.list_of_items, ["i1"])
    assert (one.agent, one.turn, one.outcome) == ("guard", "turn-1", "answered")
    assert "Judge." not in one.model_dump_json()


@pytest.mark.parametrize("fault", [Fault.KEY, Fault.TIMEOUT, Fault.MALFORMED])
async def test_a_call_without_an_answer_keeps_no_history(
    workspace: Workspace, fault: Fault
) -> None:
    """There is nothing to go on from."""
    with pytest.raises(ModelFaultError):
        await thinker(lambda _: fault).ask(workspace, GUARD, Charge(item="i"))
    assert await workspace.db.read(rows, "SELECT * FROM model_messages") == []
    with pytest.raises(NotFoundError):
        await workspace.db.read(histories.read_history, "call")


@pytest.mark.parametrize("provider", list(APIS))
async def test_another_process_goes_on_from_what_is_kept(
    workspace: Workspace, tmp_path: Path, provider: str
) -> None:
    """Killed between a call of a tool and its result: the same bytes go over the wire as else."""
    api = APIS[provider]
    steps = [
        api.looks_up(("search_knowledge", {"words": "loom"})),
        api.looks_up(("search_thread", {"words": "r\u00e9sum\u00e9"})),
        api.fills(PLAN),
    ]
    settings = load_settings(llm_prices=("* 1 5",))

    def resumed(messages: ModelMessages, call_id: str, number: int) -> Question:
        last = messages.messages[-1]
        assert isinstance(last, ModelResponse)
        results = tuple(
            ResultPart(call_id=call.id, tool=call.tool, text=f'{{"given": {number}}}')
            for call in last.calls
        )
        assert len(results) == 1
        whole = messages.followed_by(ModelRequest(parts=results))
        return replace(ASK, talk=Talk(messages=whole, follows=call_id, tokens=1_000))

    async with StandIn(steps) as server, door_to(server, provider) as door:
        asking = Thinker(door, settings, Clock())
        question, messages = ASK, ASK.messages
        for number in range(3):
            reply = await asking.ask(workspace, question, Charge(item="case"))
            messages = question.messages.followed_by(reply.answer)
            if reply.calls:
                question = resumed(messages, reply.call_id, number)
    assert reply.content is not None
    whole = messages

    async with StandIn(steps) as again, door_to(again, provider) as door:
        question = ASK
        for number in range(3):
            workspace.db.close()
            workspace.db = Database(tmp_path / "state.duckdb", "organization")
            reply = await Thinker(door, settings, Clock()).ask(
                workspace, question, Charge(item="case")
            )
            kept = await workspace.db.read(histories.read_history, reply.call_id)
            if reply.calls:
                question = resumed(kept, reply.call_id, number)
    assert [seen.raw for seen in again.seen] == [seen.raw for seen in server.seen]
    assert len(kept.messages) == 6
    assert kept == whole
    text = json.dumps(again.bodies[2])
    assert text.count("search_knowledge") >= 2
    sizes = await workspace.db.read(rows, "SELECT messages FROM model_messages ORDER BY asked_at")
    assert all(str(row["messages"]).count('"role"') == 2 for row in sizes)  # none is kept twice


async def test_old_requests_go_and_what_they_have_cost_stays(workspace: Workspace) -> None:
    """Retention takes the words, and a prompt with the last request that had it."""
    clock = Clock()
    asking = thinker(lambda _: CLEAN, clock)
    await asking.ask(workspace, DRAFT, Charge(item="old"))
    clock.now = NOON + timedelta(days=3)
    reply = await asking.ask(workspace, GUARD, Charge(item="new"))
    await workspace.db.write(histories.forget_before, NOON + timedelta(days=1))
    assert [
        one.call_id for one in await workspace.db.read(histories.list_of_items, ["old", "new"])
    ] == [reply.call_id]
    prompts = await workspace.db.read(rows, "SELECT text FROM model_prompts")
    calls = await workspace.db.read(rows, "SELECT cost FROM model_calls")
    assert (prompts, len(calls)) == ([{"text": "Judge."}], 2)


def call(id: str, words: str = "loom") -> CallPart:
    """Return a call of the one tool."""
    return CallPart(id=id, tool="search_knowledge", arguments={"words": words})


def result(id: str, text: str = "{}") -> ResultPart:
    """Return what a call of the one tool gave."""
    return ResultPart(call_id=id, tool="search_knowledge", text=text)


ASKS = ModelRequest(parts=(UserPart(text="Which loom fits?"),))
AGAIN = ModelRequest(parts=(UserPart(text="And which yarn?"),))
SAYS = ModelResponse(parts=(TextPart(text="I cannot tell."),))


def calls(*parts: CallPart) -> ModelResponse:
    """Return an answer that calls."""
    return ModelResponse(parts=parts)


def gives(*parts: ResultPart) -> ModelRequest:
    """Return a request with results."""
    return ModelRequest(parts=parts)


BROKEN: dict[str, tuple[tuple[ModelRequest | ModelResponse, ...], list[str]]] = {
    "a call in the middle that never ended": (
        (ASKS, calls(call("1")), AGAIN, calls(call("2")), gives(result("2", "two"))),
        [NO_RESULT, "two"],
    ),
    "one of two calls without a result": (
        (ASKS, calls(call("1"), call("2")), gives(result("2", "two"))),
        [NO_RESULT, "two"],
    ),
    "a result without its call": (
        (ASKS, SAYS, gives(result("0", "none")), calls(call("1")), gives(result("1", "one"))),
        ["one"],
    ),
    "the same id in two answers": (
        (ASKS, calls(call("1")), gives(result("1", "one")), calls(call("1")), gives(result("1"))),
        ["one", "{}"],
    ),
    "the same id twice in an answer": (
        (ASKS, calls(call("1"), call("1")), gives(result("1", "one"), result("1", "two"))),
        ["one", "two"],
    ),
    "the same id again, the first without a result": (
        (ASKS, calls(call("1")), AGAIN, calls(call("1")), gives(result("1", "one"))),
        [NO_RESULT, "one"],
    ),
    "a call at the very end": ((ASKS, calls(call("1"))), [NO_RESULT]),
    "what lay between a call and its result was cut out": (
        (ASKS, calls(call("1"), call("2")), AGAIN, SAYS, gives(result("2", "two"), result("1"))),
        ["{}", "two"],
    ),
    "results in another order, and one twice": (
        (ASKS, calls(call("1"), call("2")), gives(result("2", "two"), result("1"), result("1"))),
        ["{}", "two"],
    ),
    "only a result is left": ((gives(result("1", "one")),), []),
    "a form in the middle": (
        (ASKS, calls(CallPart(id="1", tool="answer", arguments={})), AGAIN),
        [NO_RESULT],
    ),
    "calls without ids": (
        (
            ASKS,
            calls(call("")),
            gives(result("", "one")),
            calls(call("")),
            gives(result("", "two")),
        ),
        ["one", "two"],
    ),
}
"""Histories that came apart, and what the model is told of their calls."""


@pytest.mark.parametrize("provider", list(APIS))
async def test_a_history_that_came_apart_is_told_in_pairs(provider: str) -> None:
    """The provider refuses any other; a call without a result gets one error, always the same."""
    api = APIS[provider]

    def step(seen: Seen) -> Answer:
        refused = unpaired(seen)
        answer: Answer = (api.error(400, "invalid") if refused else api.fills(PLAN))(seen)
        return answer

    async with StandIn([step]) as server, door_to(server, provider) as door:
        for name, (messages, told) in BROKEN.items():
            history = ModelMessages(messages=messages)
            talk = Talk(messages=history, follows="1", tokens=9)
            reply = await door.ask(replace(ASK, talk=talk))
            assert reply.content is not None, name
            texts = api.looked_up(server.seen[-1])  # one dialect wraps what failed once more
            unknown = "Nothing is known of what came of this call."
            assert [NO_RESULT if unknown in text else text for text in texts] == told, name
            assert pair_calls(pair_calls(history)) == pair_calls(history)


def test_a_history_in_pairs_stays_as_it_is() -> None:
    """To the byte, so that a provider knows again what it has read."""
    history = WHOLE.followed_by(gives(ResultPart(call_id="call-2", tool="answer", text="{}")))
    assert messages_text(pair_calls(history)) == messages_text(history)
