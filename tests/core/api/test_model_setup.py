"""Who thinks over HTTP: tried before it is kept, kept without a restart, and given up again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from flows.core.house import House
from flows.core.kept_settings import take_kept_settings
from tests.core.api.fixtures import Api
from tests.core.api.test_tokens import make
from tests.core.models import chat_api, messages_api
from tests.core.models.wire import StandIn

KEY = "shuttle-key-19ab"
JUPITER = {"answer": "Jupiter is the largest."}


def chosen(server: StandIn, **given: object) -> dict[str, object]:
    """Return a choice of a compatible server."""
    return {
        "llm_provider": "openai",
        "llm_base_url": f"{server.url}/v1",
        "llm_model_fast": "lathe-1b",
        "llm_model_capable": "lathe-8b",
        "llm_api_key": KEY,
        "llm_prices": ["* 1 5"],
        **given,
    }


@asynccontextmanager
async def answering(*steps: messages_api.Step) -> AsyncIterator[StandIn]:
    """Serve one model server on loopback."""
    async with StandIn(list(steps)) as server:
        yield server


async def keep(api: Api, **change: object) -> tuple[int, str]:
    """Have settings kept; return what was answered."""
    answer = await api.client.put("/v1/settings", json={"change": change})
    return answer.status_code, answer.text


async def view_of(api: Api) -> dict[str, object]:
    """Return who thinks."""
    answer = await api.client.get("/v1/model-setup")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_choice_is_tried_before_it_is_kept(api: Api) -> None:
    """The call goes with the values of the order, is on the books and an event; nothing is kept."""
    async with answering(chat_api.fills(JUPITER)) as server:
        order = {"tier": "capable", "change": chosen(server)}
        tried = (await api.post("/models/try", order)).json()
        assert (tried["answer"], tried["model"]) == (JUPITER["answer"], "lathe-8b")
        assert tried["used"]["cost"] > 0
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert api.line.house.thinker is None
    assert (await view_of(api))["kept_here"] == []
    (event,) = (await api.get("/audit")).json()["items"]
    assert event["detail"] == "settings that are not kept: it answered"
    wrong = {"change": {"llm_provider": "openai", "llm_api_key": KEY}}
    refused = await api.post("/models/try", wrong)
    assert (refused.status_code, "no model is named" in refused.text) == (422, True)


async def test_a_choice_counts_at_once_and_at_the_next_start(api: Api) -> None:
    """Its key is told to nobody; a later choice is asked the next time; the default ends it."""
    async with (
        answering(chat_api.fills(JUPITER)) as server,
        answering(messages_api.fills(JUPITER)) as other,
    ):
        assert await keep(api, **chosen(server)) == (200, '{"raw_mail":0,"program_chats":0,'
                                                     '"sentences":[]}')  # fmt: skip
        view = await view_of(api)
        assert (view["provider"], view["has_key"], view["changeable"]) == ("openai", True, True)
        assert (await api.post("/models/try", {})).json()["answer"] == JUPITER["answer"]
        house = api.line.house
        later = House(type(house.settings)(home=house.settings.home), house.clock)
        later.control = house.control
        await take_kept_settings(later)
        assert later.settings.model_key() == KEY
        assert later.settings.llm_prices == ("* 1 5",)
        changed = chosen(
            other, llm_provider="anthropic", llm_base_url=other.url, llm_api_key="a-new-key"
        )
        assert (await keep(api, **changed))[0] == 200
        assert (await api.post("/models/try", {})).json()["answer"] == JUPITER["answer"]
        assert len(house.past_thinkers) == 1
    told = [await api.get("/audit"), await api.client.get("/v1/settings")]
    assert not any(KEY in one.text or "a-new-key" in one.text for one in told)
    assert "llm_api_key: ******** → ********" in told[0].text
    names = (await view_of(api))["kept_here"]
    assert (await keep(api, defaults=names))[0] == 200
    assert api.line.house.thinker is None
    assert not (api.line.house.settings.secrets / "llm.key").exists()


async def test_a_key_is_not_carried_to_another_address(api: Api) -> None:
    """Neither kept nor tried; with a key of its own, or without one, the address is taken."""
    async with answering(chat_api.fills(JUPITER)) as server:
        assert (await keep(api, **chosen(server)))[0] == 200
        elsewhere = {"llm_base_url": "https://models.harbor.example/v1"}
        for change in (elsewhere, {"defaults": ["llm_base_url"]}):
            status, text = await keep(api, **change)
            assert (status, "not carried to a new one" in text) == (422, True)
        tried = await api.post("/models/try", {"change": elsewhere})
        assert tried.status_code == 422
        assert (await keep(api, llm_model_fast="lathe-2b"))[0] == 200
        assert (await keep(api, **elsewhere, llm_api_key=""))[0] == 200
        assert (await view_of(api))["has_key"] is False
        assert (await keep(api, **elsewhere, llm_api_key="one of its own"))[0] == 200
    assert server.seen == []


async def test_a_choice_that_cannot_be_asked_is_refused(api: Api) -> None:
    """No key, a torn key, no model, an address in the clear, and a price that is none."""
    for change, told in (
        ({"llm_provider": "anthropic"}, "there is no key"),
        ({"llm_provider": "anthropic", "llm_api_key": "two\nlines"}, "line end"),
        ({"llm_provider": "openai", "llm_api_key": KEY}, "no model is named"),
        ({"llm_provider": "openai", "llm_model": "m", "llm_base_url": "http://192.0.2.1/v1"},
         "in the clear"),
        ({"llm_prices": ["lathe-8b"]}, "model input output"),
        ({"llm_prices": ["* 1 1"] * 51}, "50"),
    ):  # fmt: skip
        status, text = await keep(api, **change)
        assert (status, told in text, KEY in text) == (422, True, False), text
    assert (await view_of(api))["kept_here"] == []


async def test_a_key_that_is_gone_leaves_the_engine_standing(api: Api) -> None:
    """Postern thinks by itself, and the page says what is missing."""
    assert (await keep(api, llm_provider="anthropic", llm_api_key=KEY))[0] == 200
    assert api.line.house.thinker is not None
    (api.line.house.settings.secrets / "llm.key").unlink()
    await take_kept_settings(api.line.house)
    assert api.line.house.thinker is None
    assert "there is no key" in str((await view_of(api))["trouble"])
    assert (await api.get("/models")).status_code == 200


async def test_who_thinks_is_the_administrators_and_has_one_place(api: Api) -> None:
    """A reviewer is refused; what a file or the environment names, the key's file too, stays."""
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    assert (await api.client.get("/v1/model-setup", headers=headers)).status_code == 403
    house = api.line.house
    path = house.settings.home / "key"
    house.settings = house.settings.model_copy(update={"llm_api_key_file": path})
    assert (await view_of(api))["changeable"] is False
    status, text = await keep(api, llm_api_key=KEY)
    assert (status, "'llm_api_key' is set outside" in text) == (409, True)
