"""A provider that breaks off, drips, never ends, leads elsewhere or lies, over the real wire."""

import json
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from connectors.causes import causes_of
from connectors.models.bounded_transport import MOST_BYTES
from connectors.models.resting import Resting
from data.errors import SettingsError
from data.records.core.asking import Fault, ModelFaultError, ModelReply, Question, TokenUsage
from data.settings import load_settings
from tests.core.models import chat_api, messages_api
from tests.core.models.asked import CLEAN, DRAFT, GUARD, door_to
from tests.core.models.wire import Answer, Seen, StandIn, Step, plain

if TYPE_CHECKING:  # whose libraries take two seconds of processor time
    from connectors.models.model_door import ModelDoor

APIS: dict[str, ModuleType] = {"anthropic": messages_api, "openai": chat_api}
both = pytest.mark.parametrize("provider", list(APIS))
BODY = "Grüße: der Rahmen 你好 ist da."
DRIP = 0.5
"""Time limit of a call that goes on for much longer, seconds."""
STREAM = {"content-type": "text/event-stream"}


def changed(step: Step, change: Callable[[Answer], Answer]) -> Step:
    """Answer as `step` does, but for what `change` makes of it."""
    return lambda seen: change(step(seen))


def stream_of(provider: str) -> Step:
    """Write a short draft, with letters of two, three and four bytes, in a few events."""
    return APIS[provider].fills({"body": BODY, "citations": [], "unanswered": []}, size=30)


def events(*told: dict[str, object]) -> tuple[bytes, ...]:
    """Return server-sent events of either API."""
    return tuple(
        f"event: {one.get('type', '')}\ndata: {json.dumps(one)}\n\n".encode() for one in told
    )


async def ended(
    server: StandIn, provider: str, question: Question, **given: object
) -> ModelReply | str:
    """Return the answer, or the fault; drafts are streamed."""
    listen = (lambda _: None) if question is DRAFT else None
    async with door_to(server, provider, **given) as door:
        try:
            return await door.ask(question, listen)
        except ModelFaultError as error:
            return error.fault.value


async def once(door: "ModelDoor") -> object:
    """Have a draft streamed; return its text, or the fault."""
    try:
        reply = await door.ask(DRAFT, lambda _: None)
    except ModelFaultError as error:
        return error.fault.value
    return reply.content["body"]  # type: ignore[index]


@both
@pytest.mark.parametrize("reset", [True, False])
async def test_a_stream_that_ends_anywhere_is_whole_or_a_fault(provider: str, reset: bool) -> None:
    """Cut at any byte, inside of a letter too, half a draft is never taken for a draft."""
    step = stream_of(provider)
    asked = Seen(method="POST", path="/", headers={}, raw=b'{"model": "m", "stream": true}')
    whole = b"".join(step(asked).pieces)
    cuts = [lambda _, at=at: replace(step(asked), pieces=(whole[:at],), cut=reset)  # type: ignore[misc]
            for at in range(1, len(whole), 37)]  # fmt: skip
    async with StandIn(cuts) as server, door_to(server, provider, llm_rest_after=9_999) as door:
        ends = [await once(door) for _ in cuts]
    assert set(ends) <= {"connection", "malformed", "cut", BODY}
    assert len(server.seen) == len(cuts)


@both
async def test_a_stream_in_single_bytes_is_whole(provider: str) -> None:
    """Letters that are cut in two on the way are put together again."""

    def split(answer: Answer) -> Answer:
        whole = b"".join(answer.pieces)
        return replace(answer, pieces=tuple(whole[at : at + 1] for at in range(len(whole))))

    async with StandIn([changed(stream_of(provider), split)]) as server:
        reply = await ended(server, provider, DRAFT)
    assert isinstance(reply, ModelReply)
    assert reply.content["body"] == BODY  # type: ignore[index]


@both
async def test_an_error_in_the_middle_of_a_stream_may_have_to_be_paid(provider: str) -> None:
    """What fails after its 200 is told by its kind, and counts as begun; a real 529 does not."""
    wrong = {"type": "overloaded_error", "message": "as the script says", "code": None}
    told = events({"type": "error", "error": wrong})
    step = changed(stream_of(provider), lambda one: replace(one, pieces=one.pieces[:4] + told))
    steps = [step, APIS[provider].error(529, "overloaded_error")]
    begun = []
    async with StandIn(steps) as server, door_to(server, provider) as door:
        for _ in steps:
            with pytest.raises(ModelFaultError) as caught:
                await door.ask(DRAFT, lambda _: None)
            assert caught.value.fault is Fault.OVERLOADED
            begun.append(caught.value.begun)
    assert begun == [True, False]


def _endless(provider: str) -> tuple[bytes, ...]:
    """Return what a model sends that thinks for ever."""
    if provider == "openai":
        frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        delta = {"index": 0, "delta": {"reasoning_content": "Hm. "}, "finish_reason": None}
        return events({**frame, "choices": [delta]}) * 100_000
    used = {"input_tokens": 9, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": used}  # fmt: skip
    block = {"type": "thinking", "thinking": "", "signature": ""}
    delta = {"type": "thinking_delta", "thinking": "Hm. "}
    start = events(
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
    )
    more = events({"type": "content_block_delta", "index": 0, "delta": delta}, {"type": "ping"})
    return start + more * 50_000


@both
@pytest.mark.parametrize("question", [GUARD, DRAFT], ids=["whole", "streamed"])
async def test_a_slow_drip_ends_at_the_limit_of_the_whole(
    provider: str, question: Question
) -> None:
    """Bytes that come one by one keep no call alive beyond its time."""

    def drip(answer: Answer) -> Answer:
        whole = b"".join(answer.pieces)
        return replace(answer, pieces=tuple(whole[at : at + 1] for at in range(400)), pause=0.05)

    step = APIS[provider].fills(CLEAN) if question is GUARD else stream_of(provider)
    async with StandIn([changed(step, drip)]) as server:
        assert await ended(server, provider, question, llm_timeout=DRIP) == "timeout"


@both
async def test_endless_thinking_ends_in_time(provider: str) -> None:
    """A model that only thinks, and sends signs of life for ever, costs no more than its time."""
    step: Step = lambda _: Answer(headers=STREAM, pieces=_endless(provider), pause=0.005)  # noqa: E731
    async with StandIn([step]) as server:
        assert await ended(server, provider, DRAFT, llm_timeout=DRIP) == "timeout"


@both
@pytest.mark.parametrize("question", [GUARD, DRAFT], ids=["whole", "streamed"])
async def test_an_answer_without_end_is_left_unread(provider: str, question: Question) -> None:
    """More bytes than any answer has are not kept in memory."""
    piece = b'{"a": "' + b"x" * (1 << 20)
    headers = STREAM if question is DRAFT else {}
    step: Step = lambda _: Answer(headers=headers, pieces=(piece,) * (MOST_BYTES // len(piece) + 4))  # noqa: E731
    async with StandIn([step]) as server:
        assert await ended(server, provider, question, llm_timeout=60) in ("cut", "connection")


@both
async def test_a_compressed_answer_is_not_opened(provider: str) -> None:
    """None is asked for, so one that comes may be a small thing that becomes a large one."""
    packed = plain(200, {}, content_encoding="gzip")
    async with StandIn([packed]) as server:
        assert await ended(server, provider, GUARD) == "malformed"
        assert server.seen[0].headers["accept-encoding"] == "identity"


@both
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_key_and_mail_follow_no_redirect(provider: str, status: int) -> None:
    """Another host is not asked, and the fault says that the address leads elsewhere."""
    async with StandIn([plain(200, {})]) as other:
        step = plain(status, {}, location=f"{other.url}/v1/messages")
        async with StandIn([step]) as server, door_to(server, provider) as door:
            with pytest.raises(ModelFaultError) as caught:
                await door.ask(GUARD)
            assert (caught.value.fault, caught.value.begun) == (Fault.MOVED, False)
            assert len(server.seen) == 1
        assert other.seen == []


@both
async def test_no_proxy_of_the_environment_sees_what_is_asked(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Key and mail go to the address of the settings and nowhere else."""
    async with StandIn([plain(200, {})]) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        async with StandIn([APIS[provider].fills(CLEAN)]) as server:
            reply = await ended(server, provider, GUARD)
        assert isinstance(reply, ModelReply)
        assert proxy.seen == []


@pytest.mark.parametrize(
    ("address", "given", "said"),
    [
        ("http://models.example/v1", {}, "in the clear"),
        ("http://10.0.0.7:8000/v1", {}, "in the clear"),
        ("http://127.0.0.1.models.example/v1", {}, "in the clear"),
        ("https://anna:pass-word@models.example/v1", {}, "user name"),
        ("https://", {}, "whole address"),
        ("http://10.0.0.7:8000/v1", {"llm_plain_http": True}, ""),
        ("http://127.0.0.1:11434/v1", {}, ""),
        ("http://[::1]:11434/v1", {}, ""),
        ("http://localhost:11434/v1", {}, ""),
        ("https://models.example/v1", {}, ""),
    ],
)
def test_nothing_goes_to_another_machine_in_the_clear(
    address: str, given: dict[str, bool], said: str
) -> None:
    """Plain HTTP leaves this machine only if somebody says so; no error repeats a password."""
    settings = load_settings(
        llm_provider="openai", llm_model="m", llm_base_url=address, llm_api_key="k", **given
    )
    if not said:
        settings.check_models()
        return
    with pytest.raises(SettingsError, match=said) as caught:
        settings.check_models()
    assert "pass-word" not in str(caught.value)


@both
async def test_who_asks_for_hours_is_left_alone(provider: str) -> None:
    """After a Retry-After of two hours nobody asks again in this hour, however few have failed."""
    step = APIS[provider].error(429, "rate_limit_error", retry_after="7200")
    async with StandIn([step]) as server, door_to(server, provider) as door:
        faults = []
        for _ in range(3):
            with pytest.raises(ModelFaultError) as caught:
                await door.ask(GUARD)
            faults.append(caught.value.fault)
        assert faults == [Fault.RATE_LIMITED, Fault.RESTING, Fault.RESTING]
        assert len(server.seen) == 1


def test_a_circle_of_exceptions_is_gone_through_once() -> None:
    """One that is raised from what it had caused itself is a fault as any other."""
    from connectors.models.faults import build_fault_error  # the libraries take two seconds

    first, second = TimeoutError("first"), KeyError("second")
    first.__cause__, second.__cause__ = second, first
    assert list(causes_of(first)) == [first, second]
    assert build_fault_error(first, TokenUsage()).fault is Fault.TIMEOUT


def test_a_long_rest_ends() -> None:
    """A short wait is no rest; a long one lasts as long as was asked; then all may ask."""
    rest = Resting(5, 60.0)
    rest.failed(Fault.RATE_LIMITED, 0.0, 2.0)
    assert rest.may_ask(0.0)
    rest.failed(Fault.RATE_LIMITED, 0.0, 3_600.0)
    assert not rest.may_ask(3_599.0)
    assert rest.may_ask(3_601.0)
    rest.answered()
    assert rest.may_ask(3_601.0)


@both
@pytest.mark.parametrize("told", [(402, "billing_error"), (429, "insufficient_quota")])
async def test_an_unpaid_account_is_named(provider: str, told: tuple[int, str]) -> None:
    """An account without credit is told from a provider that is busy, and is not asked twice."""
    async with StandIn([APIS[provider].error(*told)]) as server:
        assert await ended(server, provider, GUARD) == "unpaid"


@pytest.mark.parametrize(("status", "code"), [(429, 429), (400, "rate")])
async def test_an_unpaid_account_is_named_beside_another_code(status: int, code: object) -> None:
    """What is said in the type counts where the code says something else."""
    told = {"error": {"message": "no credit", "type": "billing_error", "code": code}}
    async with StandIn([plain(status, told)]) as server:
        assert await ended(server, "openai", GUARD) == "unpaid"


USAGES: dict[str, list[dict[str, object]]] = {
    "anthropic": [
        {"nothing": 1},
        {"input_tokens": -5, "output_tokens": -100},
        {"input_tokens": 0, "output_tokens": 0},
        {"input_tokens": "many", "output_tokens": None},
    ],
    "openai": [
        {"prompt_tokens": -5, "completion_tokens": -100, "total_tokens": -105},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    ],
}


@pytest.mark.parametrize(
    ("provider", "usage"), [(name, one) for name, many in USAGES.items() for one in many]
)
async def test_usage_that_cannot_be_is_unknown(provider: str, usage: dict[str, object]) -> None:
    """An answer whose cost is not told, or below zero, says so; what it filled in still counts."""
    step = APIS[provider].fills(CLEAN, usage=usage)
    async with StandIn([step]) as server:
        reply = await ended(server, provider, GUARD)
    assert isinstance(reply, ModelReply)
    assert not reply.usage.known


@both
async def test_usage_beyond_counting_is_bounded(provider: str) -> None:
    """Huge numbers can still be kept and added; the cache's part is no more than the whole."""
    huge = 10**30
    usage = {
        "anthropic": {"input_tokens": huge, "output_tokens": huge, "cache_read_input_tokens": huge},
        "openai": {"prompt_tokens": huge, "completion_tokens": huge, "total_tokens": 2,
                   "prompt_tokens_details": {"cached_tokens": 3 * huge}},
    }[provider]  # fmt: skip
    async with StandIn([APIS[provider].fills(CLEAN, usage=usage)]) as server:
        reply = await ended(server, provider, GUARD)
    assert isinstance(reply, ModelReply)
    used = reply.usage
    assert used.tokens_out == 1_000_000_000
    assert used.cache_read + used.cache_write <= used.tokens_in <= 1_000_000_000


async def test_without_a_connection_nothing_was_asked() -> None:
    """An address where nothing listens is a fault that has cost nothing."""
    async with StandIn([plain(200, {})]) as server:
        pass
    async with door_to(server) as door:
        with pytest.raises(ModelFaultError) as caught:
            await door.ask(GUARD)
    assert (caught.value.fault, caught.value.begun) == (Fault.CONNECTION, False)
