"""An agent asks each person for what it has to know of them, before anything else."""

import httpx
import pytest

from tasks.agents.conversing import cut_escapes
from tests.agents.conftest import Office, Talking

TUTOR = """
version: "1"
kind: agent
name: Tutor
slug: tutor
description: Says what waits.
accent_colour: "#445566"
execution: {type: platform, system_prompt: "You are Tutor."}
capability_level: tools_only
channels: [chat, api]
tools: [waiting_cases, calendar]
configuration_schema:
  - {field: called, label: "What should I call you?", type: text, required: true, asked_of: user}
  - {field: size, label: "How large is your loom?", type: select, options: [Small, Large],
     required: true, asked_of: user}
  - {field: day_begins, label: "When does your day begin?", type: text, asked_of: user}
governance: {trust_level: standard}
metadata: {origin: custom, author: Ida Fenn, version: "1.0.0"}
"""


async def _tutor(office: Office) -> tuple[Talking, Talking]:
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "reviewer")
    made = await ida.post("/agents/import", {"manifest": TUTOR, "reason": "to help"})
    assert made.json()["unanswered"] == [], made.text  # nothing of the organization is asked
    path = f"/v1/{ida.line.workspace.slug}/agents/tutor/assignments"
    await ida.client.put(path, json={"items": [{"kind": "organization"}]})
    return ida, vera


async def _answer(somebody: Talking, **values: object) -> httpx.Response:
    path = f"/v1/{somebody.line.workspace.slug}/chats/answers/tutor"
    return await somebody.client.put(path, json={"values": values})


async def test_the_first_message_brings_the_questions_and_is_answered_at_last(
    office: Office,
) -> None:
    """One question at a time; what is no answer is asked again; nobody is asked twice."""
    _, vera = await _tutor(office)
    chat = await vera.begin("tutor")
    told = [
        (await vera.ask(chat, text))["text"]
        for text in ("What waits for a person?", "Vera", "huge", "What do you mean?", "large")
    ]
    assert told[0] == "Before I begin, I need to know: What should I call you?"
    assert told[1] == "Thank you. How large is your loom? One of: Small, Large."
    assert told[2].startswith("I cannot take that as an answer. How large is your loom?")
    assert told[3] == told[2]
    assert told[4].startswith("Thank you, I have noted that.")
    assert "the queue is empty" in told[4]
    own = (await vera.get("/chats/answers/tutor")).json()
    assert own["values"] == {"called": "Vera", "size": "Large"}
    assert (
        "the queue is empty" in (await vera.ask(await vera.begin("tutor"), "What waits?"))["text"]
    )


async def test_a_chat_program_is_asked_and_answers(office: Office) -> None:
    """It begins a chat with each request; what the agent has asked stands in what it sends."""
    _, vera = await _tutor(office)
    messages: list[dict[str, str]] = []
    for text in ("What waits for a person?", "Vera", "large"):
        messages.append({"role": "user", "content": text})
        body = {"model": f"{vera.line.workspace.slug}/tutor", "messages": messages}
        answer = (await vera.client.post("/v1/chat/completions", json=body)).json()
        messages.append(answer["choices"][0]["message"])
    assert "Thank you. How large is your loom?" in messages[3]["content"]
    assert messages[5]["content"].startswith("Thank you, I have noted that.")
    assert "the queue is empty" in messages[5]["content"]


async def test_each_person_answers_for_themselves(office: Office) -> None:
    """One's answers are not another's, and what a tool looks at is the person's own."""
    ida, vera = await _tutor(office)
    assert (await _answer(vera, called="Vera", size="Small", day_begins="08:00")).is_success
    assert (await ida.get("/chats/answers/tutor")).json()["values"] == {}
    asked = (await ida.ask(await ida.begin("tutor"), "What waits?"))["text"]
    assert "What should I call you?" in asked
    free = (await vera.ask(await vera.begin("tutor"), "When am I free on 8 December?"))["text"]
    assert "08:00" in cut_escapes(free)
    await _answer(vera, day_begins=None)
    free = (await vera.ask(await vera.begin("tutor"), "When am I free on 8 December?"))["text"]
    assert "09:00" in cut_escapes(free)
    await ida.client.delete(f"/v1/{ida.line.workspace.slug}/agents/tutor")
    await _tutor(office)  # another agent by the same slug, which nobody has answered
    assert (await vera.get("/chats/answers/tutor")).json()["values"] == {}
    assert (await _answer(vera, called="Vee")).json()["values"] == {"called": "Vee"}


@pytest.mark.parametrize("values", [{"size": "huge"}, {"colour": "red"}, {"called": " "}])
async def test_what_does_not_fit_is_refused(office: Office, values: dict[str, object]) -> None:
    """Nothing is kept then; erasing the person takes what was."""
    _, vera = await _tutor(office)
    assert (await _answer(vera, called="Vera")).is_success
    assert (await _answer(vera, **values)).status_code == 422
    assert (await vera.get("/chats/answers/tutor")).json()["values"] == {"called": "Vera"}
    await vera.post(f"/memories/people/{vera.user_id}/erase")
    assert await office.line.rows("SELECT * FROM agent_answers") == []


async def test_it_asks_in_the_language_of_the_person(office: Office) -> None:
    """Where the person has chosen one, in that."""
    _, vera = await _tutor(office)
    path = f"/v1/{vera.line.workspace.slug}/chats/preferences"
    for language, begins in (("de", "Bevor ich"), ("fr", "Avant de"), ("es", "Antes de")):
        await vera.client.put(path, json={"language": language})
        answer = await vera.ask(await vera.begin("tutor"), "What waits?")
        assert answer["text"].startswith(begins)


async def test_by_itself_it_asks_nobody(office: Office) -> None:
    """There is nobody whose answers these would be."""
    ida, _ = await _tutor(office)
    text = TUTOR.replace("governance: {", "governance: {role: viewer, ")
    body = {"manifest": text, "reason": "to work by itself"}
    await ida.put("/agents/tutor", body)
    begun = (await ida.post("/agents/tutor/run", {"text": "What waits for a person?"})).json()
    await ida.ended(begun["turn_id"])
    shown = (await ida.get(f"/chats/{begun['message']['chat_id']}")).json()["messages"]
    assert "the queue is empty" in shown[-1]["text"]
