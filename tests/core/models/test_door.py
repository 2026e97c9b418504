"""The door to a provider: the real client libraries over loopback, and every way to fail."""

import asyncio
import logging
import ssl
import time
import traceback
from itertools import pairwise
from types import ModuleType

import httpx2
import pytest

from connectors.models import open_door
from connectors.models.bounded_transport import BoundedTransport
from data.errors import SettingsError
from data.records.core.asking import Fault, ModelFaultError
from data.settings import load_settings
from tests.core.models import chat_api, messages_api
from tests.core.models.asked import CLEAN, DRAFT, GUARD, door_to
from tests.core.models.fixtures import KEY
from tests.core.models.wire import Answer, StandIn, Step, broken, never

APIS: dict[str, ModuleType] = {"anthropic": messages_api, "openai": chat_api}
both = pytest.mark.parametrize("provider", list(APIS))


async def fault(server: StandIn, provider: str, **given: object) -> ModelFaultError:
    """Return the fault that a question ends in."""
    async with door_to(server, provider, **given) as door:
        with pytest.raises(ModelFaultError) as caught:
            await door.ask(GUARD)
        return caught.value


@both
async def test_a_filled_form_comes_back_with_what_it_used(provider: str) -> None:
    """The answer is the form's fields as plain data; cache hits are counted apart."""
    async with StandIn([APIS[provider].fills(CLEAN)]) as server, door_to(server, provider) as door:
        reply = await door.ask(GUARD)
    assert reply.content == CLEAN
    assert reply.model == "wren-fast"
    used = reply.usage
    assert (used.tokens_in, used.cache_read, used.tokens_out) == (1_020, 900, 60)


@both
async def test_a_draft_is_streamed_as_it_grows(provider: str) -> None:
    """Each call of the listener has more of the text than the one before; the last has all."""
    body = "The frame is in stock. " * 12
    heard: list[str] = []
    step = APIS[provider].fills({"body": body}, pause=0.1)
    async with StandIn([step]) as server, door_to(server, provider) as door:
        reply = await door.ask(DRAFT, heard.append)
    assert len(heard) > 2
    assert all(later.startswith(earlier) for earlier, later in pairwise(heard))
    assert heard[-1].strip() == body.strip()
    assert reply.content["body"] == body.strip()  # type: ignore[index]
    assert reply.usage.tokens_out == 60


@pytest.mark.parametrize(("encrypted", "trusted"), [(True, True), (False, False)])
def test_who_speaks_without_encryption_loads_and_trusts_no_authority(
    encrypted: bool, trusted: bool
) -> None:
    """Certificates are verified either way; without authorities there is none that holds."""
    transport = BoundedTransport(limits=httpx2.Limits(), encrypted=encrypted)
    context = transport._pool._ssl_context
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert (context.cert_store_stats()["x509_ca"] > 0) is trusted


async def test_the_stable_parts_are_marked_for_the_cache() -> None:
    """The system prompt and the form's definition are cached by Anthropic; the mail is not."""
    async with StandIn([messages_api.fills(CLEAN)]) as server, door_to(server) as door:
        await door.ask(GUARD)
    body = server.bodies[0]
    assert [block["text"] for block in body["system"]] == ["Judge."]
    assert body["system"][-1]["cache_control"]["type"] == "ephemeral"
    assert body["tools"][-1]["cache_control"]["type"] == "ephemeral"
    assert "cache_control" not in str(body["messages"])
    assert body["max_tokens"] == GUARD.max_tokens


ERRORS = [
    (429, "rate_limit_error", Fault.RATE_LIMITED),
    (500, "api_error", Fault.SERVER),
    (529, "overloaded_error", Fault.OVERLOADED),
    (503, "overloaded_error", Fault.OVERLOADED),
    (401, "authentication_error", Fault.KEY),
    (403, "permission_error", Fault.KEY),
    (404, "not_found_error", Fault.MODEL),
    (400, "invalid_request_error", Fault.REJECTED),
    (413, "request_too_large", Fault.REJECTED),
]


@both
@pytest.mark.parametrize(("status", "kind", "expected"), ERRORS)
async def test_each_error_is_one_fault_after_one_request(
    provider: str, status: int, kind: str, expected: Fault
) -> None:
    """The libraries retry nothing: one question is one request, whatever the status."""
    async with StandIn([APIS[provider].error(status, kind)]) as server:
        caught = await fault(server, provider)
        assert caught.fault is expected
        assert len(server.seen) == 1


@both
async def test_the_wait_that_a_provider_asks_for_is_told(provider: str) -> None:
    """Retry-After comes along with the fault."""
    step = APIS[provider].error(429, "rate_limit_error", retry_after="7")
    async with StandIn([step]) as server:
        assert (await fault(server, provider)).retry_after == 7.0


REFUSING: dict[str, list[tuple[str, Step, set[Fault]]]] = {
    "anthropic": [
        ("text", messages_api.says("I would rather not."), {Fault.MALFORMED}),
        ("refusal", messages_api.says("", stop="refusal"), {Fault.REFUSED}),
        ("another tool", messages_api.fills({}, tool="send_mail"), {Fault.MALFORMED}),
        ("not the form", messages_api.fills({"is_injection": "perhaps"}), {Fault.MALFORMED}),
        ("more keys", messages_api.fills({**CLEAN, "to": "eve@evil.test"}), {Fault.MALFORMED}),
        (
            "cut",
            messages_api.fills({"is_injection": False}, stop="max_tokens"),
            {Fault.CUT, Fault.MALFORMED},
        ),
        ("no JSON", lambda _: Answer(pieces=(b"<html>",)), {Fault.MALFORMED, Fault.CONNECTION}),
    ],
    "openai": [
        ("text", chat_api.says("I would rather not."), {Fault.MALFORMED}),
        ("refusal", chat_api.says("", refusal="No."), {Fault.REFUSED, Fault.MALFORMED}),
        ("filter", chat_api.says("", stop="content_filter"), {Fault.REFUSED}),
        ("another tool", chat_api.fills({}, tool="send_mail"), {Fault.MALFORMED}),
        ("broken JSON", chat_api.fills('{"is_injection": fal'), {Fault.MALFORMED, Fault.CUT}),
        ("more keys", chat_api.fills({**CLEAN, "to": "eve@evil.test"}), {Fault.MALFORMED}),
        ("no JSON", lambda _: Answer(pieces=(b"<html>",)), {Fault.MALFORMED, Fault.CONNECTION}),
    ],
}


@pytest.mark.parametrize(
    ("provider", "step", "expected"),
    [
        pytest.param(provider, step, expected, id=f"{provider}-{name}")
        for provider, cases in REFUSING.items()
        for name, step, expected in cases
    ],
)
async def test_what_is_not_the_form_is_no_answer(
    provider: str, step: Step, expected: set[Fault]
) -> None:
    """Refusals, other tools, other keys and broken answers are faults, and nobody asks again."""
    async with StandIn([step]) as server:
        assert (await fault(server, provider)).fault in expected
        assert len(server.seen) == 1


@both
async def test_silence_ends_in_time(provider: str) -> None:
    """A provider that never answers costs no more than the time limit."""
    async with StandIn([never]) as server:
        async with asyncio.timeout(120):
            caught = await fault(server, provider, llm_timeout=0.3)
        assert caught.fault is Fault.TIMEOUT


@both
async def test_a_reset_connection_is_a_fault(provider: str) -> None:
    """A connection that breaks before the answer is a fault that may pass."""
    async with StandIn([broken]) as server:
        assert (await fault(server, provider)).fault is Fault.CONNECTION


@both
async def test_a_stream_that_breaks_off_is_a_fault(provider: str) -> None:
    """Half a draft is no draft."""
    step = APIS[provider].fills({"body": "The frame is in stock. " * 30}, cut=True)
    async with StandIn([step]) as server, door_to(server, provider) as door:
        with pytest.raises(ModelFaultError) as caught:
            await door.ask(DRAFT, lambda _: None)
    assert caught.value.fault in (Fault.CONNECTION, Fault.MALFORMED, Fault.CUT)


async def test_nobody_listening_is_a_fault() -> None:
    """An address where nothing listens is a broken connection."""
    async with StandIn([never]) as server:
        pass
    assert (await fault(server, "anthropic")).fault is Fault.CONNECTION


@both
async def test_the_key_is_in_no_error_and_no_log(
    provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the fault, nor its causes, nor the log at its fullest hold key or request."""
    caplog.set_level(logging.DEBUG)
    echo = APIS[provider].error(401, "authentication_error", f"bad key {KEY}")
    async with StandIn([echo]) as server:
        caught = await fault(server, provider)
        sent = str(server.seen[0].headers)
    told = "".join(traceback.format_exception(caught)) + caplog.text
    assert KEY in sent
    assert KEY not in told
    assert "Judge." not in caplog.text


async def test_a_failing_provider_rests_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """After three failures in a row nothing is asked; after the pause one call decides."""
    failing = messages_api.error(500, "api_error")
    steps = [failing, failing, failing, messages_api.fills(CLEAN)]
    async with (
        StandIn(steps) as server,
        door_to(server, llm_rest_after=3, llm_rest_seconds=600) as door,
    ):
        faults = []
        for _ in range(5):
            with pytest.raises(ModelFaultError) as caught:
                await door.ask(GUARD)
            faults.append(caught.value.fault)
        assert faults == [Fault.SERVER] * 3 + [Fault.RESTING] * 2
        assert len(server.seen) == 3
        clock = time.monotonic
        # The door asks the machine's clock; nobody waits here until it has rested.
        monkeypatch.setattr(time, "monotonic", lambda: clock() + 600)
        assert (await door.ask(GUARD)).content == CLEAN
        assert (await door.ask(GUARD)).content == CLEAN


@both
async def test_a_check_says_who_does_not_answer_and_whose_key_is_wrong(provider: str) -> None:
    """Nobody listening and a key that is not accepted are told apart, by name of the model."""
    async with (
        StandIn([never], listing=APIS[provider].error(401, "authentication_error")) as server,
        door_to(server, provider) as door,
    ):
        assert set((await door.check()).values()) == {Fault.KEY}
    async with door_to(server, provider) as door:
        assert await door.check() == {
            "wren-fast": Fault.CONNECTION,
            "wren-capable": Fault.CONNECTION,
        }


async def test_models_are_looked_up_without_mail() -> None:
    """The check asks for each model by name, and says what is wrong with which."""
    async with StandIn([never], listing=messages_api.listed) as server, door_to(server) as door:
        assert await door.check() == {"wren-fast": None, "wren-capable": None}
        assert [seen.raw for seen in server.seen] == [b"", b""]
    async with (
        StandIn([never], listing=chat_api.listed("wren-fast")) as server,
        door_to(server, "openai") as door,
    ):
        assert await door.check() == {"wren-fast": None, "wren-capable": Fault.MODEL}


def test_without_a_provider_there_is_no_door() -> None:
    """The default asks nobody."""
    assert open_door(load_settings()) is None


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"llm_provider": "anthropic"}, "no key"),
        ({"llm_provider": "openai", "llm_api_key": KEY}, "llm_model_fast"),
    ],
)
def test_what_is_missing_is_named(given: dict[str, str], named: str) -> None:
    """A provider without key or model is refused at the start, in a sentence."""
    with pytest.raises(SettingsError, match=named):
        open_door(load_settings(**given))
