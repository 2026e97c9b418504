"""A person asks an agent, and gets an answer from the organization's own data."""

import json

import httpx

from tasks.agents.conversing import cut_escapes, cut_needless_escapes, escape_words
from tests.agents.conftest import Office

URGENT = "There is smoke coming out of the loom and it smells of burning. What shall I do?"


async def test_desk_tells_what_is_urgent(office: Office) -> None:
    """The urgent case is named with its sender and leads to the case; the other one is not."""
    office.line.send(URGENT, subject="Smoke", sender="tom@otter.example")
    office.line.send("How much is an inspection of my old loom?", subject="Inspection")
    await office.line.run()
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("desk"), "What is urgent?")
    assert "One case is urgent" in answer["text"]
    assert "Smoke" in answer["text"]
    assert "Inspection" not in answer["text"]
    (source,) = answer["sources"]
    shown = await ida.get(f"/cases/{source['id']}")
    assert shown.json()["messages"][0]["subject"] == "Smoke"


async def test_an_empty_queue_is_good_news(office: Office) -> None:
    """Nothing waits, and that is what is said, without a source."""
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("desk"), "What waits?")
    assert "the queue is empty" in answer["text"]
    assert answer["sources"] == []


async def test_librarian_answers_with_its_source(office: Office) -> None:
    """The sentence of the entry is told, and the entry named."""
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("librarian"), "What does an inspection cost?")
    assert "35 euros" in answer["text"]
    assert answer["sources"][0]["id"] == "loom-repair"


async def test_what_memory_and_contacts_do_not_know_is_looked_up_in_the_knowledge(
    office: Office,
) -> None:
    """With its source; what is asked of the person alone, and nobody of that name, stay so."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    for asked in ("What do you know about the opening hours?", "Who is open on Fridays?"):
        answer = await ida.ask(chat, asked)
        assert "from Monday to Friday" in answer["text"], asked
        assert [source["kind"] for source in answer["sources"]] == ["knowledge"], asked
    for asked, said in (
        ("What do you know about me?", "I know nothing about that."),
        ("Who is Albert Einstein?", "No contact of ours has that name."),
    ):
        assert (await ida.ask(chat, asked))["text"] == said


def test_escapes_are_for_markdown_alone() -> None:
    """What was made inert is read in a terminal as it was written."""
    for text in ("at 09:00", "*Smoke* [1] \\ C:\\new", "a_b", "\\", "plain"):
        assert cut_escapes(escape_words(text)) == text
    program_text = cut_needless_escapes(escape_words("Now! [x](http://a.example) at 9:00 (\\*)"))
    assert program_text == "Now! \\[x\\](http\\://a.example) at 9:00 (\\\\\\*)"
    assert cut_escapes("no \\n escape") == "no \\n escape"


async def test_what_nobody_knows_is_said_to_be_unknown(office: Office) -> None:
    """Nothing is invented."""
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("librarian"), "Who won the regatta in Kiel in 1998?")
    assert "I found nothing about that" in answer["text"]
    assert answer["sources"] == []


async def test_an_agent_has_the_tools_of_its_manifest_alone(office: Office) -> None:
    """The librarian does not look into the queue."""
    office.line.send(URGENT, subject="Smoke")
    await office.line.run()
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("librarian"), "What is urgent?")
    assert "Smoke" not in answer["text"]
    assert "no tool" in answer["text"]


async def test_words_of_mail_are_shown_as_they_are(office: Office) -> None:
    """A subject that is a picture, a link or a script is text in the answer."""
    hostile = "![x](http://evil.example/p.png) <script>alert(1)</script> [go](http://evil.example)"
    office.line.send(URGENT, subject=hostile)
    await office.line.run()
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("desk"), "What is urgent?")
    assert "\\!\\[x\\]\\(http" in answer["text"]
    assert "<script>" not in answer["text"].replace("\\<", "")


async def test_nobody_sees_the_chats_of_another(office: Office) -> None:
    """Neither a colleague nor an administrator; not even that they are there."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    chat = await ida.begin("desk")
    said = await ida.ask(chat, "What waits for a person?")
    for path in (f"/chats/{chat}", f"/turns/{said['turn_id']}", f"/turns/{said['turn_id']}/events"):
        refused = await tom.get(path)
        assert refused.status_code == httpx.codes.NOT_FOUND, path
    refused = await tom.post(f"/chats/{chat}/messages", {"text": "What is urgent?"})
    assert refused.status_code == httpx.codes.NOT_FOUND
    nothing = {"items": [], "total": 0, "about": {}, "states": {}}
    assert (await tom.get("/chats")).json() == nothing
    assert (await ida.get("/chats")).json()["total"] == 1


async def test_a_viewer_may_ask_and_may_not_pause(office: Office) -> None:
    """Asking looks; pausing an agent manages."""
    vera = await office.sign_in("Vera", "viewer")
    answer = await vera.ask(await vera.begin("desk"), "What is urgent?")
    assert "Nothing that waits is urgent." in answer["text"]
    assert (await vera.post("/agents/desk/pause")).status_code == httpx.codes.FORBIDDEN


async def test_a_paused_agent_begins_no_turn(office: Office) -> None:
    """It is said, and goes on when it is resumed."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    assert (await ida.post("/agents/desk/pause")).json()["state"] == "paused"
    refused = await ida.post(f"/chats/{chat}/messages", {"text": "What is urgent?"})
    assert refused.status_code == httpx.codes.CONFLICT
    assert "is paused" in refused.json()["error"]["message"]
    await ida.post("/agents/desk/resume")
    assert "Nothing" in (await ida.ask(chat, "What is urgent?"))["text"]


async def test_a_turn_is_listened_to_from_any_event_on(office: Office) -> None:
    """The events say what is done, what is said and where it ends; the rest follows an offset."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    said = (await ida.post(f"/chats/{chat}/messages", {"text": "What is urgent?"})).json()
    whole = _events((await ida.get(f"/turns/{said['turn_id']}/events")).text)
    assert [event["kind"] for _, event in whole] == ["move", "text", "done"]
    assert whole[1][1]["text"] == "Nothing that waits is urgent."
    rest = _events((await ida.get(f"/turns/{said['turn_id']}/events?after=1")).text)
    assert rest == whole[1:]


async def test_long_chats_come_in_pages(office: Office) -> None:
    """The newest messages first, and the rest by the place of the oldest that is there."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    for _ in range(3):
        await ida.ask(chat, "Hello")
    page = (await ida.get(f"/chats/{chat}?limit=2")).json()
    assert [one["place"] for one in page["messages"]] == [5, 6]
    assert page["earlier"] == 4
    before = (await ida.get(f"/chats/{chat}?limit=10&before=5")).json()
    assert [one["place"] for one in before["messages"]] == [1, 2, 3, 4]
    assert before["earlier"] == 0
    assert page["chat"]["title"] == "Hello"


def _events(text: str) -> list[tuple[int, dict[str, str]]]:
    """Return the ids and contents of server-sent events."""
    parts = [part.split("\n") for part in text.strip().split("\n\n")]
    return [(int(head[4:]), json.loads(data[6:])) for head, _, data in parts]
