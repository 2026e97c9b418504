"""An agent asks the model that its manifest names, as freely and as often as it says."""

import json

import pytest

from data.portable import read_portable
from data.records.agents.chats import AuthorKind, ChatMessage
from flows.agents.seeding import list_unheeded_keys
from tasks.agents.thinking import MOST_SAID, choose_newest
from tests.agents.models.conftest import WITHOUT_MODEL
from tests.agents.models.test_agent_turns import APIS, ASKED, agent_turn, talking, turns_of
from tests.agents.models.test_assembling import configure
from tests.agents.roster.test_settings import COACH
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Answer, Seen, StandIn
from tests.core.small import Clock

PRICES = ("* 1 5", "loom-large 3 15")


@pytest.mark.parametrize("provider", list(APIS))
async def test_the_model_of_the_manifest_is_asked_and_paid_for(
    thinking: OpenThinking, provider: str
) -> None:
    """By its name, its price, with its limits; the next version asks the tier's again."""
    api = APIS[provider]
    step = agent_turn(api, [api.fills({"text": "Fine."})])
    preference = {"model": "loom-large", "temperature": 0.2, "max_tokens": 700}
    async with StandIn([step]) as server, thinking(server, provider, llm_prices=PRICES) as line:
        ida = await talking(line)
        await configure(ida, "desk", model_preference=preference)
        chat = await ida.begin("desk")
        await ida.ask(chat, ASKED)
        work = (await ida.get("/agents/desk/work")).json()
        await configure(ida, "desk", model_preference={"provider": "abroad", "model": "loom-large"})
        await ida.ask(chat, ASKED)
        other = (await ida.get("/agents/desk/work")).json()
        calls = await line.rows(
            "SELECT model, priced FROM model_calls WHERE agent = 'desk' ORDER BY started_at"
        )
    own, tiers = turns_of(server)
    assert (own.body["model"], own.body["temperature"]) == ("loom-large", 0.2)
    most = own.body.get("max_tokens") or own.body["max_completion_tokens"]
    assert most == 700
    assert (work["model"], work["unheeded"]) == ("loom-large", [])
    assert tiers.body["model"] != "loom-large"
    assert "temperature" not in tiers.body
    assert other["unheeded"] == ["model_preference.model"]
    assert [call["model"] for call in calls] == ["loom-large", tiers.body["model"]]
    assert all(call["priced"] for call in calls)


async def test_a_turn_makes_as_many_moves_as_the_manifest_says(thinking: OpenThinking) -> None:
    """The last of them is offered no tools; a call beyond the limit is refused with the reason."""
    api = APIS["anthropic"]
    steps = [
        api.looks_up(("waiting_cases", {}), ("cases_of", {"name": "Mara"})),
        api.looks_up(("waiting_cases", {})),
    ]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server) as line:
        ida = await talking(line)
        await configure(
            ida, "desk", governance={"trust_level": "standard", "most_moves": 2, "most_calls": 1}
        )
        answer = await ida.ask(await ida.begin("desk"), ASKED)
    assert answer["text"].startswith(WITHOUT_MODEL)
    first, second = turns_of(server)
    assert len(api.offered(first)) > 1
    assert list(api.offered(second)) == ["answer"]
    refused = [json.loads(text) for text in api.looked_up(second)][1]
    assert refused["error"] == "PERMISSION_DENIED"
    assert "makes 1 calls at most" in refused["sentence"]


@pytest.mark.parametrize(("failures", "answered"), [(2, True), (3, False)])
async def test_in_a_turn_a_model_is_asked_three_times(
    thinking: OpenThinking, failures: int, *, answered: bool
) -> None:
    """Where the provider fails in passing, and nobody sees it; then the embedded agent answers."""
    api = APIS["anthropic"]
    left = [failures]

    def failing(seen: Seen) -> Answer:
        left[0] -= 1
        step = api.error(529, "overloaded_error") if left[0] >= 0 else api.fills({"text": "Fine."})
        answer: Answer = step(seen)
        return answer

    async with StandIn([agent_turn(api, [failing])]) as server, thinking(server) as line:
        ida = await talking(line)
        answer = await ida.ask(await ida.begin("desk"), ASKED)
    assert (answer["text"] == "Fine.") is answered
    assert answer["text"].startswith(WITHOUT_MODEL) is not answered
    assert len(turns_of(server)) == 3


def test_without_a_provider_no_model_is_asked() -> None:
    """What a manifest says of one has no effect then, and it is said so."""
    manifest = read_portable(COACH + "model_preference: {model: loom-large}\n")
    assert list_unheeded_keys(manifest, "") == ("model_preference.model",)
    assert list_unheeded_keys(manifest, "openai") == ()


def test_of_a_long_session_the_newest_messages_are_told() -> None:
    """Whole ones, and within the budget together; nothing where the last one has no room."""
    said = [
        ChatMessage(
            id=str(place), chat_id="c", place=place, session=1, author=AuthorKind.PERSON,
            author_id="ida", author_name="Ida", turn_id="", text="x" * 30_000, said_at=Clock()(),
        )
        for place in range(1, 6)
    ]  # fmt: skip
    assert len(choose_newest(said, MOST_SAID)) == 2
    assert choose_newest(said, 10) == []
    assert choose_newest(said[:2], MOST_SAID) == said[:2]
