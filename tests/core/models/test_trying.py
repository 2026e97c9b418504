"""A test call: one short question to a model, within the caps, told with time, tokens and cost."""

from tests.core.models import messages_api
from tests.core.models.fixtures import KEY, OpenThinking
from tests.core.models.wire import StandIn
from tests.core.small import SLUG, client_of

ANSWER = {"answer": "Jupiter is the largest."}
TRY = f"/v1/{SLUG}/models/try"


async def test_a_model_answers_and_the_books_have_it(thinking: OpenThinking) -> None:
    """Answer, time, tokens and cost come back; the day and the agent have it; it is an event."""
    async with (
        StandIn([messages_api.fills(ANSWER)]) as server,
        thinking(server) as line,
        client_of(line) as client,
    ):
        answer = await client.post(TRY, json={"tier": "capable"})
        assert answer.status_code == 200, answer.text
        tried = answer.json()
        assert (tried["answer"], tried["trouble"]) == (ANSWER["answer"], "")
        assert tried["used"]["tokens_out"] == 60
        assert tried["used"]["cost"] > 0
        assert tried["milliseconds"] > 0
        (seen,) = server.seen
        assert seen.body["messages"][-1]["content"][0]["text"] == tried["question"]
        view = (await client.get(f"/v1/{SLUG}/models")).json()
        assert [one["calls"] for one in view["by_day"]] == [1]
        assert [one["name"] for one in view["by_agent"]] == ["model-trial"]
        events = (await client.get(f"/v1/{SLUG}/audit")).json()["items"]
        assert (events[0]["action"], events[0]["detail"]) == ("try-model", "it answered")


async def test_what_is_wrong_is_told_with_what_to_do(thinking: OpenThinking) -> None:
    """A key that is not accepted is a sentence and a remedy; neither has the key."""
    refused = messages_api.error(401, "authentication_error")
    async with (
        StandIn([refused]) as server,
        thinking(server) as line,
        client_of(line) as client,
    ):
        tried = (await client.post(TRY, json={})).json()
        assert tried["trouble"] == "The provider does not accept the key."
        assert "LLM_API_KEY" in tried["remedy"]
        assert KEY not in str(tried)
        settings = await client.get("/v1/settings")
        assert KEY not in settings.text
        key = {one["name"]: one for one in settings.json()["items"]}["llm_api_key"]
        assert (key["value"], key["variable"]) == ("********", "LLM_API_KEY")


async def test_a_cap_holds_for_it_too(thinking: OpenThinking) -> None:
    """Where a cap leaves nothing, nobody is asked, and the sentence says which cap it is."""
    async with (
        StandIn([messages_api.fills(ANSWER)]) as server,
        thinking(server) as line,
        client_of(line) as client,
    ):
        cap = {"scope": "organization", "unit": "requests", "period": "day", "limit": 0}
        assert (await client.put(f"/v1/{SLUG}/caps", json=cap)).status_code == 200
        tried = (await client.post(TRY, json={})).json()
        assert "0 requests a day for the organization" in tried["trouble"]
        assert tried["remedy"]
        assert server.seen == []


async def test_only_administrators_try_a_model_and_see_the_settings(
    thinking: OpenThinking,
) -> None:
    """A reviewer is refused, and nobody is asked."""
    async with (
        StandIn([messages_api.fills(ANSWER)]) as server,
        thinking(server) as line,
        client_of(line, "reviewer") as client,
    ):
        assert (await client.post(TRY, json={})).status_code == 403
        assert (await client.get("/v1/settings")).status_code == 403
        assert server.seen == []
