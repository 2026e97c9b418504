"""A model that plans looks things up: over the wire, within limits, and seeing one contact only."""

import json
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from data.records.core.asking import Fault, LookupCall, ModelReply, Question, TokenUsage
from data.records.core.manifest_format import ModelTier
from data.records.core.messages import ResultPart
from data.records.core.tools import Effect, Label
from data.settings import load_settings
from flows.core.thinker import Thinker
from flows.core.tools import ToolCallError
from flows.mail.thinking.line_agents import DRAFTER, LINE_AGENTS, PLANNER, LineAgent
from flows.mail.thinking.lookups import Looked, ask_with_tools, offers
from flows.mail.thinking.planning_tools import (
    TOOLS,
    allowed_to,
)
from tasks.mail.forms import PlanForm
from tests.core.models import chat_api, messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.pairs import unpaired
from tests.core.models.providers import Scripted
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.core.small import CUSTOMER, Line, open_line
from tests.mail.line.scopes import scope_of
from tests.mail.models.forms import PLAN, agent_of, sensible
from tests.mail.models.test_line_with_models import ASKED, only_case

APIS: dict[str, Any] = {"anthropic": messages_api, "openai": chat_api}
OTHER = "otto@finch.example"
DOOR = "The heirloom is kept behind the blue door."


def planning(api: Any, steps: list[Step]) -> Step:  # noqa: ANN401  # one of the two modules
    """Answer sensibly, and each plan's turns by these steps in order; the last one repeats."""
    well = sensible(api.fills)

    def step(seen: Seen) -> Answer:
        if agent_of(seen) != "planner":
            return well(seen)
        if unpaired(seen):
            refused: Answer = api.error(400, "invalid_request_error")(seen)
            return refused
        before = sum(one["role"] == "assistant" for one in seen.body["messages"])
        return steps[min(before, len(steps) - 1)](seen)

    return step


@pytest.mark.parametrize("provider", list(APIS))
async def test_a_plan_may_rest_on_what_was_looked_up(thinking: OpenThinking, provider: str) -> None:
    """Knowledge goes back plain and mail fenced; the trace says what was looked for and found."""
    api = APIS[provider]
    steps = [
        api.looks_up(("search_knowledge", {"words": "repair of a table loom"})),
        api.looks_up(("search_thread", {"words": "workshop"}), ("lookup_contact", {})),
        api.fills(PLAN),
    ]
    async with StandIn([planning(api, steps)]) as server, thinking(server, provider) as line:
        line.send(ASKED, sender=OTHER, subject=DOOR)
        line.send(ASKED)
        await line.run()
        rows = await line.rows("SELECT plan FROM branches JOIN cases c ON c.id = case_id "
                               "WHERE contact_email = ?", CUSTOMER)  # fmt: skip
        spent = await line.rows("SELECT count(*) AS n FROM model_calls WHERE agent = 'planner'")
    turns = [seen for seen in server.seen if agent_of(seen) == "planner"]
    assert set(api.offered(turns[0])) == {*TOOLS, "answer"}
    assert spent[0]["n"] == len(turns) == 6
    told = [text for seen in turns for text in api.looked_up(seen)]
    known = json.loads(told[0])
    assert known["given"]["found"][0]["ref"] == "knowledge:loom-repair"
    assert "mail" not in known
    mail = [json.loads(text) for text in told if "about_mail" in text]
    assert all(strings_fenced(one["mail"]) for one in mail)
    plans = [json.loads(str(row["plan"])) for row in rows]
    assert plans[0]["actions"][0]["type"] == "reply"


def strings_fenced(value: Any) -> bool:  # noqa: ANN401  # any JSON
    """Whether every string in it stands in a fence."""
    if isinstance(value, str):
        return value == "" or (value.startswith("[") and value.endswith("]") and "\n" in value)
    if isinstance(value, dict):
        return all(strings_fenced(one) for one in value.values())
    if isinstance(value, list):
        return all(strings_fenced(one) for one in value)
    return True


@pytest.mark.parametrize("provider", list(APIS))
async def test_the_trace_shows_what_was_looked_up(thinking: OpenThinking, provider: str) -> None:
    """Tool, words and how much was found, as the case's page gets them; calls are counted."""
    api = APIS[provider]
    steps = [
        api.looks_up(("search_knowledge", {"words": "invoice see https://evil.test"})),
        api.looks_up(("search_knowledge", {"words": "copy of an invoice"})),
        api.looks_up(("find_duplicate_tickets", {"text": "x"})),
        api.fills(PLAN),
    ]
    async with StandIn([planning(api, steps)]) as server, thinking(server, provider) as line:
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
    assert view.branches[0].plan is not None
    lookups = view.branches[0].plan.lookups
    assert [(one.tool, one.outcome) for one in lookups] == [
        ("search_knowledge", "answered"),
        ("search_knowledge", "answered"),
        ("find_duplicate_tickets", "refused"),
    ]
    assert [one.words for one in lookups] == ["", "copy of an invoice", ""]
    assert lookups[1].found >= 1
    assert {one.name: one.calls for one in view.calls}["planner"] == 4


@pytest.mark.parametrize("provider", list(APIS))
async def test_a_model_that_only_looks_things_up_is_stopped(
    thinking: OpenThinking, provider: str
) -> None:
    """After the limit no tool is offered any more; who calls one all the same gets no say."""
    api = APIS[provider]
    steps = [api.looks_up(("search_knowledge", {"words": "loom"}))]
    async with (
        StandIn([planning(api, steps)]) as server,
        thinking(server, provider, llm_lookups=3) as line,
    ):
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
    turns = [seen for seen in server.seen if agent_of(seen) == "planner"]
    assert len(turns) == 4
    assert set(api.offered(turns[-1])) == {"answer"}
    assert any("planned this, not a model" in one for one in view.fallbacks)
    assert view.state == "in_review"


@pytest.mark.parametrize(("count", "size"), [(17, 1), (2_000, 1), (1, 20_000)])
async def test_a_flood_of_calls_in_one_turn_is_no_answer(
    thinking: OpenThinking, count: int, size: int
) -> None:
    """More calls or longer words than anybody looks up are not carried out, nor kept, nor sent."""
    calls = [("search_knowledge", {"words": "l" * size})] * count
    steps = [messages_api.looks_up(*calls)]
    async with StandIn([planning(messages_api, steps)]) as server, thinking(server) as line:
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
    assert sum(agent_of(seen) == "planner" for seen in server.seen) == 1
    assert any("planned this, not a model" in one for one in view.fallbacks)
    assert view.branches[0].plan.lookups == ()


@pytest.mark.parametrize("provider", list(APIS))
async def test_no_tools_are_offered_where_none_may_be_used(
    thinking: OpenThinking, provider: str
) -> None:
    """With a limit of 0 the plan is asked as before, and calls of tools are no answer."""
    api = APIS[provider]
    steps = [api.looks_up(("lookup_contact", {}))]
    async with (
        StandIn([planning(api, steps)]) as server,
        thinking(server, provider, llm_lookups=0) as line,
    ):
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
    turns = [seen for seen in server.seen if agent_of(seen) == "planner"]
    assert [set(api.offered(seen)) for seen in turns] == [{"answer"}]
    assert view.branches[0].plan is not None
    assert view.branches[0].plan.provider == "local"


WORST: tuple[object, ...] = (
    None, "", [], {}, "words", {"words": ""}, {"words": None}, {"words": "x" * 100_000},
    {"words": "\ud800"}, {"words": "\x00' OR 1=1 --"}, {"words": ["a"]}, {"words": {"$ne": 1}},
    {"words": "heirloom", "contact_email": OTHER}, {"email": OTHER}, {"organization": "other"},
    {"thread_id": "*"}, {"words": "%"}, {"words": f"{OTHER} heirloom door"}, {"words": "../" * 40},
    {"words": "heirloom"}, {1: 2}, {"words": 7}, {"limit": 10**9}, {"words": "margin internal"},
)  # fmt: skip
NAMES = (*TOOLS, "answer", "send_mail", "", "lookup_contact ", "__class__", "call", "\ud800")


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Line]:
    """Give a line that thinks by itself; the test asks models on its behalf."""
    async with open_line(tmp_path / "var") as opened:
        yield opened


async def test_the_worst_calls_tell_nothing_of_anybody_else(line: Line) -> None:
    """Hundreds of hostile calls: all end, and no result holds another contact's words."""
    line.send("Please send me a copy of the invoice 4711.", subject="Invoice")
    line.send(f"Please send a copy of the invoice 4711. {DOOR}", subject="Door", sender=OTHER)
    await line.run()
    (case,) = await line.rows("SELECT id FROM cases WHERE contact_email = ?", CUSTOMER)
    rng, told = random.Random(5), []

    class Looking(Scripted):
        async def ask(self, question: Question, on_text: Callable[[str], None] | None = None
                      ) -> ModelReply:  # fmt: skip
            if question.talk is not None:
                told.extend(
                    one.text for one in question.request.parts if isinstance(one, ResultPart)
                )
            if rng.random() < 0.1:
                return await super().ask(question, on_text)
            calls = tuple(
                LookupCall(id=str(at), name=rng.choice(NAMES), arguments=rng.choice(WORST))
                for at in range(rng.choice((1, 1, 2, 9)))
            )
            self.asked.append(question)
            return ModelReply(content=None, usage=TokenUsage(), model="x", calls=calls)

    settings = load_settings(llm_daily_cap=0, llm_monthly_cap=0, llm_sender_cap=0,
                             llm_item_calls=10_000)  # fmt: skip
    provider = Looking(lambda _: PLAN)
    thinker = Thinker(provider, settings, line.clock)
    scope = await scope_of(line, str(case["id"]))
    question = Question(
        agent="planner",
        system="s",
        user="{}",
        form=PlanForm,
        tier=ModelTier.CAPABLE,
        max_tokens=100,
        tools=offers(tuple(TOOLS), PLANNER),
    )
    ends: dict[str, int] = {}
    for _ in range(120):
        asked = len(provider.asked)
        try:
            looked = Looked()
            await ask_with_tools(thinker, scope, question, "a" * 24, looked, most=4)
            ends["answered"] = ends.get("answered", 0) + 1
            assert sum(one.outcome != "limit" for one in looked.lookups) <= 4
        except Exception as error:  # noqa: BLE001  # which one it is is asserted
            fault = getattr(error, "fault", repr(error))
            ends[str(fault)] = ends.get(str(fault), 0) + 1
        assert len(provider.asked) - asked <= 5
    assert set(ends) == {"answered", str(Fault.MALFORMED)}
    everything = "".join(told)
    assert len(told) > 200
    assert '"given"' in everything
    assert "heirloom" not in everything
    assert OTHER not in everything
    assert "margin" not in everything


@pytest.mark.parametrize("agent", list(LINE_AGENTS.values()), ids=list(LINE_AGENTS))
def test_nobody_reads_secrets_and_strangers_and_reaches_outside(agent: LineAgent[object]) -> None:
    """The table of capabilities: who holds private data and untrusted words has no way out."""
    may = allowed_to(agent)
    offered = [one for one in TOOLS.declarations if may is not None and may.permits(one)]
    held = agent.holds.union(*(one.labels for one in offered))
    if may is not None and held >= frozenset(Label):
        assert not may.outside
        assert all(one.effect is not Effect.OUTSIDE for one in offered)
    assert bool(offered) is (agent is PLANNER)


def test_a_manifest_cannot_offer_what_a_step_may_not_hold() -> None:
    """A tool that does not exist, or a step that is offered none, is refused by name."""
    with pytest.raises(ToolCallError, match="send_mail"):
        offers(("send_mail",), PLANNER)
    with pytest.raises(ToolCallError, match="drafter"):
        offers(("search_thread",), DRAFTER)
