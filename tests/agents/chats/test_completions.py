"""Agents as models of a chat program, asked by OpenAI's own client."""

from collections.abc import AsyncIterator

import httpx
import pytest

from flows.core.streams import Stream
from tests.agents.conftest import Office, Talking
from tests.core.small import SLUG

DESK = f"{SLUG}/desk"
URGENT = "There is smoke coming out of the loom and it smells of burning. What shall I do?"


class Program:
    """A chat program of one person."""

    def __init__(self, office: Office, ida: Talking) -> None:
        from openai import AsyncOpenAI  # a second of processor time, here and below

        token = ida.client.headers["Authorization"].removeprefix("Bearer ")
        http = httpx.AsyncClient(transport=httpx.ASGITransport(office.app))
        self.ida = ida
        self.openai = AsyncOpenAI(
            base_url="http://engine/v1", api_key=token, http_client=http, max_retries=0
        )


@pytest.fixture
async def program(office: Office) -> AsyncIterator[Program]:
    """The program of somebody who works in the organization."""
    made = Program(office, await office.sign_in("Ida"))
    yield made
    await made.openai.close()


async def test_agents_are_models(program: Program) -> None:
    """Every agent that the person may talk to can be chosen."""
    models = [one.id async for one in program.openai.models.list()]
    assert DESK in models
    assert models == sorted(models, key=str.casefold)


async def test_a_program_asks_and_is_answered(office: Office, program: Program) -> None:
    """Whole, with what it rests on; and the chat is on no list of the window."""
    office.line.send(URGENT, subject="Smoke", sender="tom@otter.example")
    picture = "![Smoke](https://evil.example/p.png)"  # a program would fetch it
    office.line.send(URGENT, subject=picture, sender="eve@evil.example")
    await office.line.run()
    answer = await program.openai.chat.completions.create(
        model=DESK, messages=[{"role": "user", "content": "What is urgent?"}], temperature=0.2
    )
    text = answer.choices[0].message.content or ""
    assert "2 cases are urgent" in text
    assert "] case: Smoke http://127.0.0.1:8501/review?case=" in text
    assert r"] case: !\[Smoke\](https\://evil" in text
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens == 0  # no model was asked
    assert (await program.ida.get("/chats")).json()["total"] == 0


async def test_an_answer_is_streamed(office: Office, program: Program) -> None:
    """The pieces together are the whole answer."""
    office.line.send(URGENT, subject="Smoke", sender="tom@otter.example")
    await office.line.run()
    stream = await program.openai.chat.completions.create(
        model=DESK,
        messages=[{"role": "user", "content": "What is urgent?"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    *chunks, last = [chunk async for chunk in stream]
    assert (last.choices, last.usage is not None) == ([], True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert "One case is urgent" in text
    assert "[1] case: Smoke" in text
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-1].choices[0].finish_reason == "stop"


async def test_what_was_said_before_is_the_history_of_the_turn(
    office: Office, program: Program
) -> None:
    """It is kept as the chat's, in its order; the program's system prompt is not."""
    await program.openai.chat.completions.create(
        model=DESK,
        messages=[
            {"role": "system", "content": "You are a pirate."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello, Ida."},
            {"role": "user", "content": [{"type": "text", "text": "What waits?"}]},
        ],
    )
    kept = await office.line.rows("SELECT author, text FROM chat_messages ORDER BY place")
    assert [(one["author"], one["text"]) for one in kept[:3]] == [
        ("person", "Hello"),
        ("agent", "Hello, Ida."),
        ("person", "What waits?"),
    ]
    assert kept[3]["author"] == "agent"


@pytest.mark.parametrize("model", ["nowhere/desk", f"{SLUG}/nobody", "", "desk/desk/desk"])
async def test_a_model_that_is_not_there_is_refused(program: Program, model: str) -> None:
    """In a sentence that the program shows."""
    import openai

    with pytest.raises(openai.NotFoundError, match="there is no") as refusal:
        await program.openai.chat.completions.create(
            model=model, messages=[{"role": "user", "content": "Hello"}]
        )
    error = refusal.value
    assert (error.type, error.code) == ("invalid_request_error", "model_not_found")


async def test_a_conversation_that_asks_nothing_is_refused(program: Program) -> None:
    """The last word has to be the person's."""
    import openai

    with pytest.raises(openai.UnprocessableEntityError, match="last message"):
        await program.openai.chat.completions.create(
            model=DESK, messages=[{"role": "assistant", "content": "Hello"}]
        )


async def test_a_token_that_nobody_knows_opens_nothing(office: Office) -> None:
    """Neither the list nor an answer."""
    import openai

    http = httpx.AsyncClient(transport=httpx.ASGITransport(office.app))
    stranger = openai.AsyncOpenAI(base_url="http://engine/v1", api_key="x", http_client=http)
    async with stranger:
        with pytest.raises(openai.AuthenticationError) as refusal:
            await stranger.models.list()
    assert refusal.value.code == "invalid_api_key"


async def test_a_message_of_many_parts_is_no_longer_than_one(program: Program) -> None:
    """It is refused as one of one part is."""
    part = {"type": "text", "text": "word " * 3000}
    body = {"model": DESK, "messages": [{"role": "user", "content": [part] * 2}]}
    refused = await program.ida.client.post("/v1/chat/completions", json=body)
    assert (refused.status_code, "20000 characters" in refused.text) == (422, True)


@pytest.mark.parametrize(
    ("changes", "status", "told"),
    [
        ({}, 200, "Nothing that waits is urgent"),
        ({"n": 2}, 422, "n: "),
        ({"picture": True}, 422, "only text is read"),
    ],
)
async def test_what_programs_send_besides(
    program: Program, changes: dict[str, object], status: int, told: str
) -> None:
    """Calls of tools in the history are passed over, and names are words; the rest is refused."""
    picture = {"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}
    text = {"type": "text", "text": "What is urgent? @property"}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "tool_call_id": "1", "content": "4"},
        {"role": "user", "content": [text, picture] if "picture" in changes else [text]},
    ]
    body = {"model": DESK, "messages": messages, "n": changes.get("n")}
    answer = await program.ida.client.post("/v1/chat/completions", json=body)
    assert (answer.status_code, told in answer.text) == (status, True), answer.text


async def test_an_engine_that_ends_meanwhile_says_so(
    office: Office, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits for an answer hears that it did not come, whole or streamed."""
    # An engine that ends between the question and its answer, without a race against the answer.
    cut_off = Stream(ended=True)
    monkeypatch.setattr(office.line.house.streams, "find", lambda _: cut_off)
    body = {"model": DESK, "messages": [{"role": "user", "content": "What is urgent?"}]}
    whole, streamed = [
        await program.ida.client.post("/v1/chat/completions", json=body | {"stream": stream})
        for stream in (False, True)
    ]
    assert (whole.status_code, "ask again" in whole.text) == (503, True)
    assert "ask again in a moment" in streamed.text
